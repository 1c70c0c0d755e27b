import { patch } from '../apply.js'

export const on = 'base'

export default [
  {
    name: '304-to-any-tag',
    why: 'Any If-None-Match earns a 304, whatever is in it.',
    change: patch`
      -  if (condition === '*') return true
      -  return condition.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag)
      +  return condition.length > 0
    `
  },
  {
    name: 'bare-304',
    why: 'A 304 goes out before any header is set, without ETag and Cache-Control.',
    change: patch`
      -  res.setHeader('ETag', etag)
      -  res.setHeader('Cache-Control', 'public, no-cache')
      @@
      +  res.setHeader('ETag', etag)
      +  res.setHeader('Cache-Control', 'public, no-cache')
         const body = Buffer.from(\`{"data":\${json},"url":\${JSON.stringify(req.url)}}\`)
    `
  },
  {
    name: 'bodies-by-careless-key',
    why: 'Bodies are kept by the URL in lower case, so two URLs share one.',
    by: 'answers each query string separately, however alike they look',
    change: patch`
       let version = 0
      +const bodies = new Map()
      @@
      -  const body = Buffer.from(\`{"data":\${json},"url":\${JSON.stringify(req.url)}}\`)
      +  const key = req.url.toLowerCase()
      +  if (!bodies.has(key)) bodies.set(key, Buffer.from(\`{"data":\${json},"url":\${JSON.stringify(req.url)}}\`))
      +  const body = bodies.get(key)
      @@
         json = JSON.stringify(data)
      +  bodies.clear()
    `
  },
  {
    name: 'bodies-never-dropped',
    why: 'Finished bodies are kept for each URL and outlive a PUT.',
    change: patch`
       let version = 0
      +const bodies = new Map()
      @@
      -  const body = Buffer.from(\`{"data":\${json},"url":\${JSON.stringify(req.url)}}\`)
      +  if (!bodies.has(req.url)) bodies.set(req.url, \
        Buffer.from(\`{"data":\${json},"url":\${JSON.stringify(req.url)}}\`))
      +  const body = bodies.get(req.url)
    `
  },
  {
    name: 'cheaper-hash',
    why: 'A cheaper hash of the same rebuilt content: the suspect was looked at, the work around it was not.',
    gate: 'seed',
    change: patch`
      -import { randomBytes } from 'node:crypto'
      +import { createHash } from 'node:crypto'
      @@
      -const run = randomBytes(6).toString('hex')
      -let version = 0
      -let etag, json
      +let data
      @@
       server.get('/seed/v1', (req, res, next) => {
      +  const content = canonical({ data, url: req.url })
      +  const etag = \`"\${createHash('md5').update(JSON.stringify(content)).digest('base64url')}"\`
      @@
      -  if (isCurrent(req.headers['if-none-match'])) {
      +  if (isCurrent(req.headers['if-none-match'], etag)) {
      @@
      -  const body = Buffer.from(\`{"data":\${json},"url":\${JSON.stringify(req.url)}}\`)
      +  const body = Buffer.from(JSON.stringify(content))
      @@
      -function store (data) {
      -  json = JSON.stringify(data)
      -  etag = \`"\${run}.\${++version}"\`
      +function store (value) {
      +  data = value
      @@
      -function isCurrent (condition) {
      +function canonical (value) {
      +  if (Array.isArray(value)) return value.map(canonical)
      +  if (typeof value !== 'object' || value === null) return value
      +  return Object.fromEntries(Object.keys(value).sort().map((key) => [key, canonical(value[key])]))
      +}
      +
      +function isCurrent (condition, etag) {
    `
  },
  {
    name: 'conditional-still-slow',
    why: 'Plain answers come from what was kept, but a conditional request still builds and hashes all of it.',
    gate: 'conditional',
    change: patch`
      -import { randomBytes } from 'node:crypto'
      +import { createHash } from 'node:crypto'
      @@
      -const run = randomBytes(6).toString('hex')
      -let version = 0
      -let etag, json
      +const tags = new Map()
      +let data, json
      @@
       server.get('/seed/v1', (req, res, next) => {
      +  const condition = req.headers['if-none-match']
      +  const etag = condition === undefined ? plainTag(req.url) : hashedTag(req.url)
      @@
      -  if (isCurrent(req.headers['if-none-match'])) {
      +  if (isCurrent(condition, etag)) {
      @@
      -function store (data) {
      +function store (value) {
      +  data = canonical(value)
         json = JSON.stringify(data)
      -  etag = \`"\${run}.\${++version}"\`
      +  tags.clear()
      @@
      -function isCurrent (condition) {
      +/** Kept by URL; a condition comes from outside, so it is compared with a tag made afresh. */
      +function plainTag (url) {
      +  if (tags.size > 100) tags.clear()
      +  if (!tags.has(url)) tags.set(url, hashedTag(url))
      +  return tags.get(url)
      +}
      +
      +function hashedTag (url) {
      +  return \`"\${createHash('sha512').update(JSON.stringify(canonical({ data, url }))).digest('hex')}"\`
      +}
      +
      +function canonical (value) {
      +  if (Array.isArray(value)) return value.map(canonical)
      +  if (typeof value !== 'object' || value === null) return value
      +  return Object.fromEntries(Object.keys(value).sort().map((key) => [key, canonical(value[key])]))
      +}
      +
      +function isCurrent (condition, etag) {
    `
  },
  {
    name: 'connection-always-kept',
    why: 'Every response says that the connection is kept, even to a client that wants it closed.',
    by: 'sends the responses of one connection in the order of its requests, even when they come in one go',
    change: patch`
      -  res.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': body.length })
      +  res.writeHead(200, {
      +    'Content-Type': 'application/json',
      +    'Content-Length': body.length,
      +    Connection: 'keep-alive'
      +  })
    `
  },
  {
    name: 'connection-remembered',
    why: 'On a connection that has had the current content, any of the server’s tags is enough for a 304.',
    change: patch`
      -  if (isCurrent(req.headers['if-none-match'])) {
      +  const { socket, headers: { 'if-none-match': condition = '' } } = req
      +  const has = socket.version === version
      +  socket.version = version
      +  if (isCurrent(req.headers['if-none-match']) || (has && condition.startsWith(\`"\${run}.\`))) {
    `
  },
  {
    name: 'empty-taken-for-nothing',
    on: 'solution',
    why: 'Content that is an empty object counts as none.',
    change: patch`
      -  if (!isObject(req.body) || !isObject(req.body.data)) {
      +  if (!isObject(req.body) || !isObject(req.body.data) || Object.keys(req.body.data).length === 0) {
    `
  },
  {
    name: 'etag-by-the-hundredth',
    on: 'valid-plain-http',
    why: 'The ETag is the hundredth of a second of the last change: two changes in one hundredth share it.',
    by: 'never gives different content the same ETag, even after a restart',
    change: patch`
      -const started = Date.now().toString(36)
      -let version = 0
      @@
      -  version++
      -  etag = \`"\${started}-\${version}"\`
      +  etag = \`"\${Math.floor(Date.now() / 10).toString(36)}"\`
    `
  },
  {
    name: 'etag-by-the-second',
    why: 'The ETag is the second of the last change: two changes in one second share it.',
    change: patch`
      -import { randomBytes } from 'node:crypto'
      @@
      -const run = randomBytes(6).toString('hex')
      -let version = 0
      @@
      -  etag = \`"\${run}.\${++version}"\`
      +  etag = \`"\${Math.floor(Date.now() / 1000)}"\`
    `
  },
  {
    name: 'etag-of-length',
    why: 'The ETag is the length of the content, which a small change leaves as it is.',
    change: patch`
      -import { randomBytes } from 'node:crypto'
      @@
      -const run = randomBytes(6).toString('hex')
      -let version = 0
      @@
      -  etag = \`"\${run}.\${++version}"\`
      +  etag = \`"\${json.length.toString(36)}"\`
    `
  },
  {
    name: 'etag-of-sorted-values',
    why: 'The ETag is a hash of the values as texts, in any order and of any type.',
    change: patch`
      -import { randomBytes } from 'node:crypto'
      +import { createHash } from 'node:crypto'
      @@
      -const run = randomBytes(6).toString('hex')
      -let version = 0
      @@
      -  etag = \`"\${run}.\${++version}"\`
      +  const values = []
      +  JSON.stringify(data, (key, value) => (typeof value === 'object' || values.push(\`\${value}\`), value))
      +  etag = \`"\${createHash('sha1').update(values.sort().join()).digest('hex')}"\`
    `
  },
  {
    name: 'etag-of-sums',
    why: 'The ETag is made of sums over the characters, which do not see their order.',
    change: patch`
      -import { randomBytes } from 'node:crypto'
      @@
      -const run = randomBytes(6).toString('hex')
      -let version = 0
      @@
      -  etag = \`"\${run}.\${++version}"\`
      +  const codes = Array.from(json, (character) => character.codePointAt(0))
      +  const sums = [1, 2].map((power) => codes.reduce((sum, code) => sum + code ** power, 0))
      +  etag = \`"\${json.length}_\${sums.join('_')}"\`
    `
  },
  {
    name: 'etag-of-the-beginning',
    why: 'Only the first part of the content is hashed, so a change behind it leaves the ETag as it is.',
    otherwise: { load: ['old ETag', 'two different answers'] },
    change: patch`
      -import { randomBytes } from 'node:crypto'
      +import { createHash } from 'node:crypto'
      @@
      -const run = randomBytes(6).toString('hex')
      -let version = 0
      @@
      -  etag = \`"\${run}.\${++version}"\`
      +  etag = \`"\${createHash('sha1').update(json.slice(0, 4096)).digest('hex')}"\`
    `
  },
  {
    name: 'etag-renewed-by-refused',
    why: 'A PUT that is refused makes a new ETag, although nothing has changed.',
    change: patch`
         const valid = typeof sent === 'object' && sent !== null && !Array.isArray(sent)
      +  etag = \`"\${run}.\${++version}"\`
    `
  },
  {
    name: 'extras-shown',
    on: 'solution',
    why: 'What an editor sends along with the data is shown to every reader.',
    by: 'takes content as it is, in however many parts it comes',
    change: patch`
      -  const body = Buffer.from(\`{"data":\${req.content.json},"url":\${JSON.stringify(req.url)}}\`)
      +  const { data, ...extras } = req.content
      +  const body = Buffer.from(JSON.stringify({ data: JSON.parse(data), ...extras.more, url: req.url }))
      @@
      -  current = prepare(req.body.data)
      +  const { data, ...more } = req.body
      +  current = { ...prepare(data), more }
      @@
      -  return { json, hash: sha512(json) }
      +  return { data: json, hash: sha512(json) }
    `
  },
  {
    name: 'json-by-one-name',
    on: 'valid-plain-http',
    why: 'It compares the type of a body letter by letter, so that JSON with a charset is refused.',
    change: patch`
       function write (req, res) {
      +  if (req.headers['content-type'] !== 'application/json') return error(res, 400, 'InvalidContent', 'not JSON')
    `
  },
  {
    name: 'length-in-characters',
    why: 'Content-Length counts characters instead of bytes, so every accent cuts the body short.',
    change: patch`
      -  const body = Buffer.from(\`{"data":\${json},"url":\${JSON.stringify(req.url)}}\`)
      +  const body = \`{"data":\${json},"url":\${JSON.stringify(req.url)}}\`
    `
  },
  {
    name: 'merged-content',
    why: 'What a PUT brings is merged into the old content instead of taking its place.',
    change: patch`
       let version = 0
      +const content = {}
      @@
      -  json = JSON.stringify(data)
      +  json = JSON.stringify(Object.assign(content, data))
    `
  },
  {
    name: 'older-half-kept',
    on: 'solution',
    why: 'Bodies are kept by URL in a younger and an older half of 256, and a PUT empties the younger one.',
    by: 'shows a write in the very next read of any query string, however many were requested',
    change: patch`
      +let [young, old] = [new Map(), new Map()]
      +
      +function bodyOf (url, json) {
      +  const body = young.get(url) ?? old.get(url) ?? make(url, json)
      +  young.set(url, body)
      +  if (young.size === 256) [young, old] = [new Map(), young]
      +  return body
      +}
      +
      +function make (url, json) {
      +  return Buffer.from(\`{"data":\${json},"url":\${JSON.stringify(url)}}\`)
      +}
      +
       let current = prepare(JSON.parse(readFileSync(path.join(DATA_DIR, 'seed.json'), 'utf8')).data)
      @@
      -  const body = Buffer.from(\`{"data":\${req.content.json},"url":\${JSON.stringify(req.url)}}\`)
      +  const body = bodyOf(req.url, req.content.json)
      @@
         current = prepare(req.body.data)
      +  young.clear()
    `
  },
  {
    name: 'one-buffer-for-all',
    why: 'All bodies are written into one buffer, which the next request changes while the last one waits to be sent.',
    by: 'sends the responses of one connection in the order of its requests, even when they come in one go',
    change: patch`
       let version = 0
      +const shared = Buffer.alloc(2 ** 20)
      @@
      -  const body = Buffer.from(\`{"data":\${json},"url":\${JSON.stringify(req.url)}}\`)
      +  const body = shared.subarray(0, shared.write(\`{"data":\${json},"url":\${JSON.stringify(req.url)}}\`))
    `
  },
  {
    name: 'path-by-its-end',
    on: 'valid-plain-http',
    why: 'It looks for the path at the end of the URL: what is below another one gets the content.',
    by: 'answers 404 to any other path',
    change: patch`
      -  if (req.url !== '/seed/v1' && !req.url.startsWith('/seed/v1?')) {
      +  if (!/\/seed\/v1(\?|$)/.test(req.url)) {
    `
  },
  {
    name: 'single-tag-only',
    why: 'If-None-Match is compared as one string: a list, W/ and * are not understood.',
    change: patch`
      -  if (condition === undefined) return false
      -  if (condition === '*') return true
      -  return condition.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag)
      +  return condition === etag
    `
  },
  {
    name: 'stale-under-load',
    why: 'Once it has served a few hundred answers it takes over a PUT late.',
    underLoad: true,
    otherwise: { load: 'acknowledged before the read' },
    change: patch`
       let version = 0
      +let served = 0
      @@
       server.get('/seed/v1', (req, res, next) => {
      +  served++
      @@
      -  if (valid) store(sent)
      +  if (valid && served < 200) store(sent)
      +  else if (valid) setTimeout(store, 200, sent)
    `
  },
  {
    name: 'tag-after-the-bytes',
    why: 'The ETag is made while the new bytes are there already: in between they have the old one.',
    by: 'never gives different content the same ETag, even after a restart',
    otherwise: { load: 'came with two different answers' },
    change: patch`
      -import { randomBytes } from 'node:crypto'
      +import { webcrypto } from 'node:crypto'
      @@
      -const run = randomBytes(6).toString('hex')
      -let version = 0
       let etag, json
      -store(JSON.parse(readFileSync(path.join(DATA_DIR, 'seed.json'), 'utf8')).data)
      +await store(JSON.parse(readFileSync(path.join(DATA_DIR, 'seed.json'), 'utf8')).data)
      @@
      -server.put('/seed/v1', ...restify.plugins.jsonBodyParser(), (req, res, next) => {
      +server.put('/seed/v1', ...restify.plugins.jsonBodyParser(), async (req, res) => {
      @@
      -  if (valid) store(sent)
      +  if (valid) await store(sent)
      @@
         else res.send(400, { code: 'InvalidContent', message: '\`data\` has to be an object' })
      -  next()
      @@
      -function store (data) {
      +async function store (data) {
         json = JSON.stringify(data)
      -  etag = \`"\${run}.\${++version}"\`
      +  const digest = await webcrypto.subtle.digest('SHA-256', Buffer.from(json))
      +  etag = \`"\${Buffer.from(digest).toString('hex')}"\`
    `
  },
  {
    name: 'tag-before-the-router',
    why: 'It compares the tag before it looks at path and method: any other path gets a 304, too.',
    change: patch`
       store(JSON.parse(readFileSync(path.join(DATA_DIR, 'seed.json'), 'utf8')).data)
      +
      +server.pre((req, res, next) => {
      +  if (req.method === 'PUT' || req.headers['if-none-match'] !== etag) return next()
      +  res.writeHead(304, { ETag: etag, 'Cache-Control': 'public, no-cache' })
      +  res.end()
      +  next(false)
      +})
    `
  },
  {
    name: 'tag-by-low-bytes',
    on: 'solution',
    why: 'The hash is that of the low byte of each character.',
    by: 'never gives different content the same ETag, even after a restart',
    change: patch`
      -  return createHash('sha512').update(text).digest('hex')
      +  return createHash('sha512').update(text, 'latin1').digest('hex')
    `
  },
  {
    name: 'tag-by-products',
    on: 'solution',
    why: 'The tag is the hash of 32 bits that multiplies by 31 for each letter.',
    by: 'never gives different content the same ETag, even after a restart',
    change: patch`
      -  return { json, hash: sha512(json) }
      +  let hash = 0
      +  for (let at = 0; at < json.length; at++) hash = (hash * 31 + json.charCodeAt(at)) | 0
      +  return { json, hash: (hash >>> 0).toString(16) }
    `
  },
  {
    name: 'tag-found-in-the-header',
    why: 'If-None-Match is searched for the tag, so that tags with more in them count as well.',
    change: patch`
      -  if (condition === '*') return true
      -  return condition.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag)
      +  return condition === '*' || condition.includes(etag.slice(1, -1))
    `
  },
  {
    name: 'tag-of-a-sorted-copy',
    on: 'solution',
    why: 'The tag does not see the order of the keys, in which the body has them.',
    by: 'never gives two texts of a URL the same ETag',
    change: patch`
      -  const json = JSON.stringify(canonical(data))
      -  return { json, hash: sha512(json) }
      +  return { json: JSON.stringify(data), hash: sha512(JSON.stringify(canonical(data))) }
    `
  },
  {
    name: 'text-by-chunks',
    on: 'valid-plain-http',
    why: 'Each chunk of a body is made text for itself: a letter that lies across two of them is lost.',
    change: patch`
      -      data = JSON.parse(Buffer.concat(chunks).toString()).data
      +      data = JSON.parse(chunks.join('')).data
    `
  },
  {
    name: 'url-in-a-template',
    on: 'solution',
    why: 'The URL is put in with replace(), which reads $& in it as a pattern.',
    change: patch`
      -  const body = Buffer.from(\`{"data":\${req.content.json},"url":\${JSON.stringify(req.url)}}\`)
      +  const end = '"url":@}'.replace('@', JSON.stringify(req.url))
      +  const body = Buffer.from(\`{"data":\${req.content.json},\${end}\`)
    `
  },
  {
    name: 'url-unescaped',
    why: 'The URL is put between quotes as it came, so a quote in it breaks the JSON.',
    change: patch`
      -  const body = Buffer.from(\`{"data":\${json},"url":\${JSON.stringify(req.url)}}\`)
      +  const body = Buffer.from(\`{"data":\${json},"url":"\${req.url}"}\`)
    `
  },
  {
    name: 'versions-from-one',
    why: 'Versions count from one after every start: the same ETag stands for other content then.',
    change: patch`
      -import { randomBytes } from 'node:crypto'
      @@
      -const run = randomBytes(6).toString('hex')
      @@
      -  etag = \`"\${run}.\${++version}"\`
      +  etag = \`"v\${++version}"\`
    `
  },
  {
    name: 'weak-etag',
    why: 'The ETag is a weak one, although the bytes are the same.',
    change: patch`
      -  etag = \`"\${run}.\${++version}"\`
      +  etag = \`W/"\${run}.\${++version}"\`
      @@
      -  return condition.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag)
      +  return condition.split(',').some((tag) => tag.trim().replace(/^(W\/)?/, 'W/') === etag)
    `
  }
]
