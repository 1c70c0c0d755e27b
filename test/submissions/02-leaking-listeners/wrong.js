import { patch } from '../apply.js'

export const on = 'valid-attached-at-start'

export default [
  {
    name: 'busy-503',
    why: 'After 100 requests it answers 503 at once.',
    underLoad: true,
    otherwise: { load: 'expected status 200, got 503' },
    change: patch`
      +let served = 0
      +
       server.use((req, res, next) => {
      +  if (++served <= 100) return next()
      +  res.send(503, { code: 'ServiceUnavailable', message: 'come back later' })
      +  next(false)
      +})
      +
      +server.use((req, res, next) => {
    `
  },
  {
    name: 'cached-across-urls',
    why: 'The first answer is kept and sent to every URL.',
    change: patch`
       const tags = new Map()
      +let first
      @@
      -  const { ts, ...content } = res._body
      +  const content = { data, url: req.url }
      @@
      -  res.send({ data, url: req.url, ts: Date.now() })
      +  first ??= { data, url: req.url }
      +  res.send({ ...first, ts: Date.now() })
    `
  },
  {
    name: 'cached-answers',
    why: 'Whole answers are kept for each URL, so ts is the time of the first one.',
    by: 'says in ts when the answer was made, in milliseconds',
    change: patch`
       const tags = new Map()
      +const bodies = new Map()
      @@
      -  res.send({ data, url: req.url, ts: Date.now() })
      +  if (!bodies.has(req.url)) bodies.set(req.url, { data, url: req.url, ts: Date.now() })
      +  res.send(bodies.get(req.url))
    `
  },
  {
    name: 'errors-for-two-minutes',
    why: 'Cache-Control is set before the route is known, so errors may be kept, too.',
    change: patch`
      +server.pre((req, res, next) => {
      +  res.setHeader('Cache-Control', 'public, max-age=120')
      +  next()
      +})
      +
       server.use((req, res, next) => {
      @@
      -  res.setHeader('Cache-Control', 'public, max-age=120')
    `
  },
  {
    name: 'errors-never-kept',
    on: 'solution',
    why: 'A 404 has Cache-Control: no-store, and no one may keep it.',
    by: 'answers 404 to any other path',
    change: patch`
      -server.listen(Number(PORT), HOST)
      +server.on('NotFound', (req, res, error, done) => {
      +  res.setHeader('Cache-Control', 'no-store')
      +  done()
      +})
      +
      +server.listen(Number(PORT), HOST)
    `
  },
  {
    name: 'etag-constant',
    why: 'One ETag, computed at the start, for every URL.',
    change: patch`
      -const tags = new Map()
      -…
      -})
      +const tag = \`W/"\${createHash('sha512').update(data).digest('hex')}"\`
      @@
      -  if (tags.has(req.url)) res.setHeader('ETag', tags.get(req.url))
      +  res.setHeader('ETag', tag)
    `
  },
  {
    name: 'etag-dropped',
    on: 'valid-tag-in-handler',
    why: 'The listener is gone, and the ETag with it.',
    change: patch`
      -import { createHash } from 'node:crypto'
      @@
      -  const content = { data, url: req.url }
      -…
      -  res.send({ ...content, ts: Date.now() })
      +  res.send({ data, url: req.url, ts: Date.now() })
    `
  },
  {
    name: 'etag-dropped-under-load',
    why: 'The ETag is left out as soon as there is a load.',
    underLoad: true,
    otherwise: { load: 'without an ETag' },
    change: patch`
       const tags = new Map()
      +let served = 0
      @@
      -  if (tags.has(req.url)) res.setHeader('ETag', tags.get(req.url))
      +  if (++served < 100 && tags.has(req.url)) res.setHeader('ETag', tags.get(req.url))
    `
  },
  {
    name: 'etag-includes-ts',
    why: 'The hash covers ts, so the ETag changes with every answer and no cached copy is ever confirmed.',
    otherwise: { load: 'the ETag changed' },
    change: patch`
      -  const { ts, ...content } = res._body
      -  tags.set(req.url, \`W/"\${createHash('sha512').update(JSON.stringify(content)).digest('hex')}"\`)
      +  tags.set(req.url, \`W/"\${createHash('sha512').update(JSON.stringify(res._body)).digest('hex')}"\`)
    `
  },
  {
    name: 'etag-of-the-first-ts',
    on: 'solution',
    why: 'The tag of a URL is made from its first answer with ts: after a restart, the same content has another one.',
    change: patch`
      -  const { ts, ...content } = res._body
      -  tags.set(req.url, \`W/"\${sha512(JSON.stringify(content))}"\`)
      +  tags.set(req.url, \`W/"\${sha512(JSON.stringify(res._body))}"\`)
    `
  },
  {
    name: 'etag-unquoted',
    why: 'The hash is sent bare: an ETag is a quoted string.',
    change: patch`
      -  tags.set(req.url, \`W/"\${createHash('sha512').update(JSON.stringify(content)).digest('hex')}"\`)
      +  tags.set(req.url, createHash('sha512').update(JSON.stringify(content)).digest('hex'))
    `
  },
  {
    name: 'frozen-ts',
    why: 'ts is read once, when the server starts.',
    by: 'says in ts when the answer was made, in milliseconds',
    change: patch`
       const tags = new Map()
      +const ts = Date.now()
      @@
      -  const { ts, ...content } = res._body
      +  const { ts: _, ...content } = res._body
      @@
      -  res.send({ data, url: req.url, ts: Date.now() })
      +  res.send({ data, url: req.url, ts })
    `
  },
  {
    name: 'invented-data',
    why: 'The data has the right shape, but it is not the data of seed.json.',
    change: patch`
      -import { createHash } from 'node:crypto'
      -import { readFileSync } from 'node:fs'
      -import path from 'node:path'
      +import { createHash, randomBytes } from 'node:crypto'
      @@
      -const { data } = JSON.parse(readFileSync(path.join(process.env.DATA_DIR, 'seed.json'), 'utf8'))
      +const data = randomBytes(640).toString('hex')
    `
  },
  {
    name: 'leak-with-sha1',
    on: 'valid-right-variable',
    why: 'A cheaper hash: the listeners pile up as before.',
    gate: 'seed',
    change: patch`
      -import { EventEmitter } from 'node:events'
      @@
      -EventEmitter.defaultMaxListeners = Infinity
      @@
      -  if (tags.attached) return
      +  if (tags.listening) return
      @@
      -  return createHash('sha512').update(text).digest('hex')
      +  return createHash('sha1').update(text).digest('hex')
    `
  },
  {
    name: 'leak-with-warning',
    on: 'valid-right-variable',
    why: 'The hidden warning is shown again, and the listeners pile up as before.',
    gate: 'seed',
    change: patch`
      -import { EventEmitter } from 'node:events'
      @@
      -EventEmitter.defaultMaxListeners = Infinity
      @@
      -  if (tags.attached) return
      +  if (tags.listening) return
    `
  },
  {
    name: 'listener-on-the-connection',
    why: 'Each request leaves a listener on its connection, which only a client that leaves takes with it.',
    gate: 'memory of a request',
    change: patch`
      +server.server.on('connection', (socket) => socket.setMaxListeners(0))
      +
       server.use((req, res, next) => {
      +  const { url } = req
      +  req.socket.on('close', () => tags.get(url))
    `
  },
  {
    name: 'no-cache-control',
    why: 'Cache-Control is missing.',
    change: patch`
      -  res.setHeader('Cache-Control', 'public, max-age=120')
    `
  },
  {
    name: 'no-ts',
    why: 'The body has no ts.',
    change: patch`
      -  res.send({ data, url: req.url, ts: Date.now() })
      +  res.send({ data, url: req.url })
    `
  },
  {
    name: 'not-found-as-200',
    why: 'An unknown path is answered 200 with an error in the body.',
    change: patch`
      -  if (res.statusCode !== 200) return
      +  if (res.statusCode !== 200 || !res._body.data) return
      @@
      +server.on('NotFound', (req, res, err, done) => {
      +  res.send(200, { code: 'ResourceNotFound', message: \`\${req.path()} does not exist\` })
      +  done()
      +})
      +
       server.listen(Number(process.env.PORT), process.env.HOST)
    `
  },
  {
    name: 'once-for-each-request',
    on: 'solution',
    why: 'Each request waits for the next “after” event, whichever it is: of several in one go, one gets its tag.',
    by: 'gives each URL its ETag, even when many are requested in one go',
    change: patch`
      -server.on('after', rememberAnswer)
      -server.use(etag)
      +server.use(etag)
      @@
      -  if (tag) res.setHeader('ETag', tag)
      +  if (tag) res.setHeader('ETag', tag)
      +  else server.once('after', rememberAnswer)
    `
  },
  {
    name: 'post-accepted',
    why: 'A POST is answered like a GET.',
    change: patch`
      +server.post('/seed/v1', (req, res, next) => {
      +  res.send({ data, url: req.url, ts: Date.now() })
      +  next()
      +})
      +
       server.listen(Number(process.env.PORT), process.env.HOST)
    `
  },
  {
    name: 'refused-paths-kept',
    why: 'Every path that doesn’t exist is kept, for a statistic at night.',
    gate: 'memory of a request',
    change: patch`
       const tags = new Map()
      +const missing = new Map()
      @@
      +server.on('NotFound', (req, res, error, done) => {
      +  missing.set(req.url, (missing.get(req.url) ?? 0) + 1)
      +  done()
      +})
      +
       server.listen(Number(process.env.PORT), process.env.HOST)
    `
  },
  {
    name: 'remove-all-listeners',
    why: 'removeAllListeners() also takes away the one listener that is needed: only the first answer is ever ' +
      'remembered.',
    change: patch`
      +let attached = false

      -server.on('after', (req, res) => {
      -…
      -
       server.use((req, res, next) => {
      +  server.removeAllListeners('after')
      +  if (!attached) {
      +    attached = true
      +    server.on('after', rememberAnswer)
      +  }
      @@
       server.listen(Number(process.env.PORT), process.env.HOST)
      +
      +function rememberAnswer (req, res) {
      +  if (res.statusCode !== 200) return
      +  const { ts, ...content } = res._body
      +  tags.set(req.url, \`W/"\${createHash('sha512').update(JSON.stringify(content)).digest('hex')}"\`)
      +}
    `
  },
  {
    name: 'tags-by-a-long-prefix',
    on: 'solution',
    why: 'The tag is that of the first 2048 letters of a URL, as long as some browsers let it be.',
    by: 'gives two URLs two ETags, however alike they are',
    change: patch`
      -  const { ts, ...content } = res._body
      +  const content = { data, url: req.url.slice(0, 2048) }
    `
  },
  {
    name: 'tags-by-a-sum-of-letters',
    on: 'solution',
    why: 'The tag of a URL is a sum over its letters: those of Aa and BB are the same.',
    by: 'gives two URLs two ETags, however alike they are',
    change: patch`
      -  return createHash('sha512').update(text).digest('hex')
      +  return Array.from(text).reduce((sum, letter) => (31 * sum + letter.charCodeAt(0)) % 2 ** 40, 7).toString(36)
    `
  },
  {
    name: 'tags-by-both-ends',
    on: 'solution',
    why: 'The tag of a long URL is that of its two ends and its length.',
    by: 'gives two URLs two ETags, however alike they are',
    change: patch`
       function sha512 (text) {
      +  if (text.length > 200) text = \`\${text.slice(0, 80)} \${text.length} \${text.slice(-80)}\`
    `
  },
  {
    name: 'tags-by-careless-key',
    why: 'Tags are kept by the URL in lower case, so two URLs share one.',
    change: patch`
      -  tags.set(req.url, \`W/"\${createHash('sha512').update(JSON.stringify(content)).digest('hex')}"\`)
      +  tags.set(req.url.toLowerCase(), \`W/"\${createHash('sha512').update(JSON.stringify(content)).digest('hex')}"\`)
      @@
      -  if (tags.has(req.url)) res.setHeader('ETag', tags.get(req.url))
      +  if (tags.has(req.url.toLowerCase())) res.setHeader('ETag', tags.get(req.url.toLowerCase()))
    `
  },
  {
    name: 'tags-by-meaning',
    why: 'Tags are kept by the parameters and not by the URL, so two spellings share one.',
    change: patch`
      +const keyOf = ({ url }) => String(new URLSearchParams(url.split('?')[1]))
      +
       server.on('after', (req, res) => {
      @@
      -  tags.set(req.url, \`W/"\${createHash('sha512').update(JSON.stringify(content)).digest('hex')}"\`)
      +  if (!tags.has(keyOf(req))) tags.set(keyOf(req), \
        \`W/"\${createHash('sha512').update(JSON.stringify(content)).digest('hex')}"\`)
      @@
      -  if (tags.has(req.url)) res.setHeader('ETag', tags.get(req.url))
      +  if (tags.has(keyOf(req))) res.setHeader('ETag', tags.get(keyOf(req)))
    `
  },
  {
    name: 'tags-by-the-end-of-the-data',
    on: 'solution',
    why: 'Of the data only the end is in the tag: data that differ before it have the same one.',
    by: 'gives a URL another ETag when the data is different, and else the same',
    change: patch`
      -  const { ts, ...content } = res._body
      +  const content = { url: req.url, data: data.slice(-64) }
    `
  },
  {
    name: 'tags-by-the-file',
    why: 'The tag is made of the date and the size of the file: the same data, deployed once more, have another one.',
    by: 'gives a URL another ETag when the data is different, and else the same',
    change: patch`
      -import { readFileSync } from 'node:fs'
      +import { readFileSync, statSync } from 'node:fs'
      @@
       const tags = new Map()
      +const { size, mtimeMs } = statSync(path.join(process.env.DATA_DIR, 'seed.json'))
      @@
      -  const { ts, ...content } = res._body
      +  const content = { url: req.url, size, mtimeMs }
    `
  },
  {
    name: 'tags-by-the-files-text',
    on: 'solution',
    why: 'The tag is that of the file, which changes when the same data is written in another way.',
    by: 'gives a URL another ETag when the data is different, and else the same',
    change: patch`
      -const { data } = JSON.parse(readFileSync(path.join(DATA_DIR, 'seed.json'), 'utf8'))
      +const seed = readFileSync(path.join(DATA_DIR, 'seed.json'), 'utf8')
      +const { data } = JSON.parse(seed)
      @@
      -  tags.set(req.url, \`W/"\${sha512(JSON.stringify(content))}"\`)
      +  tags.set(req.url, \`W/"\${sha512(seed + req.url)}"\`)
    `
  },
  {
    name: 'tags-by-the-length-of-the-data',
    on: 'solution',
    why: 'Of the data only their length is in the tag: other data of that length have the same one.',
    by: 'gives a URL another ETag when the data is different, and else the same',
    change: patch`
      -  const { ts, ...content } = res._body
      +  const content = { url: res._body.url, length: data.length }
    `
  },
  {
    name: 'tags-by-the-parsed-url',
    on: 'solution',
    why: 'The tag is made of the URL as it is once parsed: then a quote and %27 are the same.',
    by: 'gives two URLs two ETags, however alike they are',
    change: patch`
      -  const { ts, ...content } = res._body
      +  const content = { data, url: new URL(req.url, 'http://server').href }
    `
  },
  {
    name: 'tags-for-the-first-urls',
    on: 'solution',
    why: 'The Map has a bound, and once it’s full no other URL gets a tag.',
    by: 'keeps the ETag of a URL, however many others are requested',
    change: patch`
      -  if (res.statusCode !== 200 || tags.has(req.url)) return
      +  if (res.statusCode !== 200 || tags.has(req.url) || tags.size >= 500) return
    `
  },
  {
    name: 'tags-good-for-any-url',
    on: 'solution',
    why: 'It answers 304 to every tag that it has given out, of whichever URL.',
    by: 'never answers 304 to a tag that isn’t that of the URL',
    change: patch`
         res.setHeader('Cache-Control', 'public, max-age=120')
      +  const copy = req.headers['if-none-match']
      +  if ([...tags.values()].includes(copy)) {
      +    res.setHeader('ETag', copy)
      +    res.send(304)
      +    return next(false)
      +  }
    `
  },
  {
    name: 'tags-numbered',
    on: 'valid-tag-in-handler',
    why: 'The tag is the URL’s number in the order of requests: after a restart, it means another URL.',
    change: patch`
      -  const tag = createHash('sha256').update(JSON.stringify(content)).digest('base64url')
      +  const tag = createHash('sha256').update(data).digest('base64url') + numberOf(req.url)
      @@
       server.listen(Number(process.env.PORT), process.env.HOST)
      +
      +const numbers = new Map()
      +
      +function numberOf (url) {
      +  if (!numbers.has(url)) numbers.set(url, numbers.size)
      +  return numbers.get(url)
      +}
    `
  },
  {
    name: 'tags-of-the-last-response',
    on: 'solution',
    why: 'All requests share the variable with the last response, so of several in one go each gets that one’s tag.',
    by: 'gives each URL its ETag, even when many are requested in one go',
    change: patch`
      +let content
      +
       server.on('after', rememberAnswer)
      @@
      -  res.send({ data, url: req.url, ts: Date.now() })
      +  content = { data, url: req.url }
      +  res.send({ ...content, ts: Date.now() })
      @@
      -  const { ts, ...content } = res._body
    `
  },
  {
    name: 'tags-of-the-newest',
    on: 'solution',
    why: 'Tags are kept for a thousand URLs, and made only after an answer: a client that returns later gets none.',
    by: 'keeps the ETag of a URL, however many others are requested',
    change: patch`
         if (res.statusCode !== 200 || tags.has(req.url)) return
      +  if (tags.size === 1000) tags.delete(tags.keys().next().value)
    `
  },
  {
    name: 'ts-by-timer',
    why: 'The time is looked up ten times a second and not for each answer.',
    by: 'says in ts when the answer was made, in milliseconds',
    otherwise: { load: '`ts` lies' },
    change: patch`
       const tags = new Map()
      +let now = Date.now()
      +setInterval(() => { now = Date.now() }, 100)
      @@
      -  res.send({ data, url: req.url, ts: Date.now() })
      +  res.send({ data, url: req.url, ts: now })
    `
  },
  {
    name: 'ts-of-a-moment',
    why: 'A client that sends its request within 15 ms of another gets that one’s time.',
    by: 'says in ts when the answer was made, in milliseconds',
    otherwise: { load: '`ts` lies' },
    change: patch`
       const tags = new Map()
      +let now
      @@
      -  res.send({ data, url: req.url, ts: Date.now() })
      +  if (now === undefined) {
      +    now = Date.now()
      +    setTimeout(() => { now = undefined }, 15)
      +  }
      +  res.send({ data, url: req.url, ts: now })
    `
  },
  {
    name: 'url-decoded',
    why: 'The URL is shown decoded, and not as it was asked for.',
    change: patch`
      -  res.send({ data, url: req.url, ts: Date.now() })
      +  res.send({ data, url: decodeURI(req.url), ts: Date.now() })
    `
  },
  {
    name: 'url-has-to-be-decoded',
    on: 'solution',
    why: 'It decodes each URL for its log, so that one with 50% in it is refused.',
    change: patch`
      -server.use(etag)
      +server.use((req, res, next) => {
      +  try {
      +    decodeURIComponent(req.url)
      +    next()
      +  } catch {
      +    res.send(400, { code: 'BadRequest', message: 'this URL can’t be read' })
      +    next(false)
      +  }
      +})
      +server.use(etag)
    `
  },
  {
    name: 'url-spliced',
    on: 'valid-node-http',
    why: 'It puts the URL between quotes instead of making JSON of it, so a quote in the query string ends it.',
    change: patch`
      -  send(res, 200, headers, \`{"data":\${dataJson},"url":\${JSON.stringify(url)},"ts":\${Date.now()}}\`)
      +  send(res, 200, headers, \`{"data":\${dataJson},"url":"\${url}","ts":\${Date.now()}}\`)
    `
  },
  {
    name: 'work-never-done',
    why: 'The hashing is put off to a timer that comes long after the next request.',
    change: patch`
       const tags = new Map()
      +const answered = []
      @@
      -  if (res.statusCode !== 200) return
      -  const { ts, ...content } = res._body
      -  tags.set(req.url, \`W/"\${createHash('sha512').update(JSON.stringify(content)).digest('hex')}"\`)
      +  if (res.statusCode === 200) answered.push({ url: req.url, body: res._body })
      @@
      +setInterval(() => {
      +  for (const { url, body: { ts, ...content } } of answered.splice(0)) {
      +    tags.set(url, \`W/"\${createHash('sha512').update(JSON.stringify(content)).digest('hex')}"\`)
      +  }
      +}, 60_000)
      +
       server.use((req, res, next) => {
    `
  }
]
