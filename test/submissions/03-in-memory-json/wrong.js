import { patch } from '../apply.js'

export const on = 'base'

export default [
  {
    name: '304-to-old-copies',
    why: 'Any ETag that was ever handed out earns a 304, also that of an older list.',
    change: patch`
       const movies = JSON.parse(readFileSync(path.join(DATA_DIR, 'movies.json'), 'utf8'))
      +const issued = new Set()
      @@
      -  res.set('ETag', rendered.etag).type('json').send(rendered.body)
      +  issued.add(rendered.etag)
      +  res.set('ETag', rendered.etag).type('json')
      +  const asked = req.get('If-None-Match')?.split(',').map((tag) => tag.trim().replace(/^W\//, '')) ?? []
      +  if (asked.some((tag) => tag === '*' || issued.has(tag))) return res.status(304).end()
      +  res.send(rendered.body)
    `
  },
  {
    name: 'applied-later',
    why: 'A film is acknowledged at once and added 50 ms later.',
    change: patch`
      +let lastId = movies.length
      +
       const app = express()
      @@
      -  const movie = { ...req.body, id: movies.length + 1 }
      -  movies.push(movie)
      -  rendered = undefined
      +  const movie = { ...req.body, id: ++lastId }
      +  setTimeout(() => {
      +    movies.push(movie)
      +    rendered = undefined
      +  }, 50)
    `
  },
  {
    name: 'body-of-null',
    on: 'valid-plain-http',
    why: 'It reads the title of whatever JSON comes: null ends the process.',
    change: patch`
      -  if (!movie?.Title) return sendJson(res, 400, { error: 'invalid_movie' })
      +  if (!movie.Title) return sendJson(res, 400, { error: 'invalid_movie' })
    `
  },
  {
    name: 'compressed-late',
    why: 'A compressed list is kept for clients that accept one, and made again after the answer to a write.',
    change: patch`
       import path from 'node:path'
      +import { gzip } from 'node:zlib'
      @@
      +let zipped
      +function compress () {
      +  const { body, etag } = render()
      +  gzip(body, (error, small) => { zipped = { body: small, etag: etag.replace(/"$/, '-gzip"') } })
      +}
      +compress()
      +
       const app = express()
      @@
         rendered ??= render()
      +  if (zipped && req.acceptsEncodings('gzip')) {
      +    res.set({ 'Content-Encoding': 'gzip', ETag: zipped.etag }).vary('Accept-Encoding')
      +    return res.type('json').send(zipped.body)
      +  }
      @@
         rendered = undefined
      +  compress()
    `
  },
  {
    name: 'conditional-still-slow',
    why: 'The full list comes from a cache, but a conditional request still renders and hashes all of it.',
    gate: 'conditional',
    change: patch`
      -import { createHash } from 'node:crypto'
      @@
      -function render () {
      -…
      -
      @@
      -  rendered ??= render()
      +  if (req.headers['if-none-match']) return res.json(movies)
      +  if (!rendered) {
      +    const body = Buffer.from(JSON.stringify(movies))
      +    rendered = { body, etag: app.get('etag fn')(body) }
      +  }
    `
  },
  {
    name: 'constant-etag',
    why: 'The ETag is worked out once, so a client with an old copy is told that it is current.',
    change: patch`
       const movies = JSON.parse(readFileSync(path.join(DATA_DIR, 'movies.json'), 'utf8'))
      +const etag = \`"\${createHash('sha1').update(JSON.stringify(movies)).digest('base64url')}"\`
      @@
      -  return { body, etag: \`"\${createHash('sha1').update(body).digest('base64url')}"\` }
      +  return { body, etag }
    `
  },
  {
    name: 'content-type',
    why: 'The list goes out as text/html, which is what send() makes of a string.',
    change: patch`
      -  const body = Buffer.from(JSON.stringify(movies))
      +  const body = JSON.stringify(movies)
      @@
      -  res.set('ETag', rendered.etag).type('json').send(rendered.body)
      +  res.set('ETag', rendered.etag).send(rendered.body)
    `
  },
  {
    name: 'early-304',
    on: 'solution',
    why: 'It answers the tag of the list with 304 before it looks at method and path: that swallows a POST and a 404.',
    change: patch`
      +app.use('/movies', (req, res, next) => {
      +  const { 'if-none-match': tags, 'cache-control': caching } = req.headers
      +  rendered ??= renderMovies()
      +  const isCurrent = tags === '*' || tags?.match(/"[^"]*"/g)?.includes(rendered.etag)
      +  if (isCurrent && caching !== 'no-cache') return res.status(304).set('ETag', rendered.etag).end()
      +  next()
      +})
      +
       app.get('/movies', (req, res) => {
    `
  },
  {
    name: 'etag-dropped',
    why: 'The ETag is switched off to save the hash, and with it every 304.',
    change: patch`
      -import { createHash } from 'node:crypto'
      @@
      -let rendered
      -…
      -}
      +let body
      @@
       const app = express()
      +app.disable('etag')
      @@
      -  rendered ??= render()
      -  res.set('ETag', rendered.etag).type('json').send(rendered.body)
      +  body ??= Buffer.from(JSON.stringify(movies))
      +  res.type('json').send(body)
      @@
      -  rendered = undefined
      +  body = undefined
    `
  },
  {
    name: 'etag-of-a-file',
    why: 'The ETag is the time of the file and the length of the list: after a restart it stands for another list.',
    change: patch`
      -import { createHash } from 'node:crypto'
      -import { readFileSync } from 'node:fs'
      +import { readFileSync, statSync } from 'node:fs'
      @@
       const movies = JSON.parse(readFileSync(path.join(DATA_DIR, 'movies.json'), 'utf8'))
      +const time = Math.floor(statSync(path.join(DATA_DIR, 'movies.json')).mtimeMs)
      @@
      -  return { body, etag: \`"\${createHash('sha1').update(body).digest('base64url')}"\` }
      +  return { body, etag: \`"\${time.toString(16)}-\${body.length.toString(16)}"\` }
    `
  },
  {
    name: 'etag-of-the-beginning',
    why: 'Only the first 64 kB of the list are hashed, and films are added at its end.',
    change: patch`
      -  return { body, etag: \`"\${createHash('sha1').update(body).digest('base64url')}"\` }
      +  return { body, etag: \`"\${createHash('sha1').update(body.subarray(0, 65536)).digest('base64url')}"\` }
    `
  },
  {
    name: 'etag-of-the-number',
    why: 'The ETag is the number of films: after a restart it stands for another list.',
    change: patch`
      -import { createHash } from 'node:crypto'
      @@
      -  return { body, etag: \`"\${createHash('sha1').update(body).digest('base64url')}"\` }
      +  return { body, etag: \`"\${movies.length}"\` }
    `
  },
  {
    name: 'films-lost-under-load',
    why: 'After a few hundred requests films are stored without their plot.',
    underLoad: true,
    otherwise: { load: 'not the one that belongs there' },
    change: patch`
      +let served = 0
       const app = express()
      +app.use((req, res, next) => {
      +  served++
      +  next()
      +})
      @@
      -  movies.push(movie)
      +  movies.push(served > 200 ? { ...movie, Plot: '' } : movie)
    `
  },
  {
    name: 'first-hundred',
    why: 'The list is prepared from the first hundred films.',
    change: patch`
      -  const body = Buffer.from(JSON.stringify(movies))
      +  const body = Buffer.from(JSON.stringify(movies.slice(0, 100)))
    `
  },
  {
    name: 'first-tag-only',
    why: 'Of a list of tags in If-None-Match only the first one is looked at.',
    change: patch`
      -  res.set('ETag', rendered.etag).type('json').send(rendered.body)
      +  const first = req.get('If-None-Match')?.split(',')[0].replace(/^W\//, '')
      +  res.set('ETag', rendered.etag).type('json')
      +  if (first === '*' || first === rendered.etag) return res.status(304).end()
      +  delete req.headers['if-none-match']
      +  res.send(rendered.body)
    `
  },
  {
    name: 'hashed-every-time',
    why: 'The string is cached, but send() encodes and hashes it again for every request.',
    gate: 'conditional',
    change: patch`
      -import { createHash } from 'node:crypto'
      @@
      -let rendered
      -…
      -}
      +let body
      @@
      -  rendered ??= render()
      -  res.set('ETag', rendered.etag).type('json').send(rendered.body)
      +  body ??= JSON.stringify(movies)
      +  res.type('json').send(body)
      @@
      -  rendered = undefined
      +  body = undefined
    `
  },
  {
    name: 'id-of-the-client',
    why: 'A film that comes with an id keeps it.',
    change: patch`
      -  const movie = { ...req.body, id: movies.length + 1 }
      +  const movie = { id: movies.length + 1, ...req.body }
    `
  },
  {
    name: 'ids-before-a-wait',
    on: 'solution',
    why: 'It takes the number of a film, and waits for something else before the film is stored.',
    change: patch`
      -app.post('/movies', express.json(), (req, res) => {
      +app.post('/movies', express.json(), async (req, res) => {
      @@
      -  movies.push(movie)
      +  await new Promise((resolve) => setTimeout(resolve, 2))
      +  movies.push(movie)
    `
  },
  {
    name: 'json-by-one-name',
    on: 'solution',
    why: 'It compares the type of a body letter by letter, so that JSON with a charset is refused.',
    change: patch`
      -app.post('/movies', express.json(), (req, res) => {
      +app.post('/movies', express.json({ type: ({ headers }) => headers['content-type'] === 'application/json' }), \
        (req, res) => {
    `
  },
  {
    name: 'json-without-its-last-byte',
    on: 'solution',
    why: 'A new film goes into the list as it was sent, without the last byte: a brace, unless a blank follows it.',
    change: patch`
      -  const body = Buffer.from(JSON.stringify(movies))
      +  const body = Buffer.from(\`[\${movies.map((movie) => texts.get(movie) ?? JSON.stringify(movie))}]\`)
      @@
      -const app = express()
      +const texts = new Map()
      +const app = express()
      @@
      -app.post('/movies', express.json(), (req, res) => {
      +const verify = (req, res, bytes) => { req.text = bytes.toString() }
      +app.post('/movies', express.json({ verify }), (req, res) => {
      @@
      -  movies.push(movie)
      +  movies.push(movie)
      +  texts.set(movie, \`\${req.text.slice(0, -1)},"id":\${movie.id}}\`)
    `
  },
  {
    name: 'left-in-the-middle',
    on: 'valid-plain-http',
    why: 'A client that leaves in the middle of a body ends the process.',
    by: 'shows a new film in the very next read, even when it came while another read was in flight',
    change: patch`
      -  let movie
      -  try {
      -    const chunks = []
      -    for await (const chunk of req) chunks.push(chunk)
      -    movie = JSON.parse(Buffer.concat(chunks).toString())
      +  const chunks = []
      +  for await (const chunk of req) chunks.push(chunk)
      +  let movie
      +  try {
      +    movie = JSON.parse(Buffer.concat(chunks).toString())
    `
  },
  {
    name: 'length-in-characters',
    why: 'Content-Length counts characters instead of bytes, so every accent cuts the body short.',
    change: patch`
      -  const body = Buffer.from(JSON.stringify(movies))
      +  const body = JSON.stringify(movies)
      @@
      -  res.set('ETag', rendered.etag).type('json').send(rendered.body)
      +  res.set('ETag', rendered.etag).type('json')
      +  if (req.fresh) return res.status(304).end()
      +  res.set('Content-Length', rendered.body.length).end(rendered.body)
    `
  },
  {
    name: 'missing-film-remembered',
    why: 'The answer for each film is kept, 404 included: a film that was requested too early never appears.',
    change: patch`
       const movies = JSON.parse(readFileSync(path.join(DATA_DIR, 'movies.json'), 'utf8'))
      +const found = new Map()
      @@
      -  const movie = movies[Number(req.params.id) - 1]
      +  const { id } = req.params
      +  if (!found.has(id)) found.set(id, movies[Number(id) - 1])
      +  const movie = found.get(id)
    `
  },
  {
    name: 'never-cleared',
    why: 'The list is rendered once and never again: films that are added do not appear in it.',
    change: patch`
      -  rendered = undefined
    `
  },
  {
    name: 'no-length',
    why: 'The list goes out in chunks without a Content-Length.',
    change: patch`
      -  res.set('ETag', rendered.etag).type('json').send(rendered.body)
      +  res.set('ETag', rendered.etag).type('json')
      +  if (req.fresh) return res.status(304).end()
      +  res.write(rendered.body)
      +  res.end()
    `
  },
  {
    name: 'number-misread',
    why: 'It reads an id as far as it is a number: 5x is film 5.',
    change: patch`
      -  const movie = movies[Number(req.params.id) - 1]
      +  const movie = movies[parseInt(req.params.id, 10) - 1]
    `
  },
  {
    name: 'number-of-32-bits',
    on: 'solution',
    why: 'It makes 32 bits of an id: 4294967297 is film 1.',
    by: 'answers 404 for a film that is not there',
    change: patch`
      -  const movie = movies[Number(req.params.id) - 1]
      +  const id = Number(req.params.id)
      +  const movie = movies[Number.isInteger(id) && id > 0 ? (id | 0) - 1 : -1]
    `
  },
  {
    name: 'precondition-of-a-write',
    on: 'solution',
    why: 'A POST with * gets a 412, as it would elsewhere.',
    change: patch`
      -  if (!req.body?.Title) {
      +  if (req.get('If-None-Match') === '*') return res.status(412).json({ error: 'exists' })
      +  if (!req.body?.Title) {
    `
  },
  {
    name: 'refreshed-by-timer',
    why: 'The list is renewed every 100 ms, so a read right after a write shows the old one.',
    otherwise: { load: 'acknowledged before the read' },
    change: patch`
      +setInterval(() => { rendered = undefined }, 100).unref()
      +
       const app = express()
      @@
      -  rendered = undefined
    `
  },
  {
    name: 'room-for-1024',
    on: 'solution',
    why: 'It has room for 1,024 films; the list leaves out what comes after them.',
    by: 'shows a new film in the very next read, even when it came while another read was in flight',
    change: patch`
      -  const body = Buffer.from(JSON.stringify(movies))
      +  const body = Buffer.from(JSON.stringify(movies.slice(0, 1024)))
    `
  },
  {
    name: 'shed-under-load',
    why: 'After a few hundred lists every tenth request is answered with 503.',
    underLoad: true,
    otherwise: { load: 'got 503' },
    change: patch`
      +let served = 0
      +
       const app = express()
      @@
       app.get('/movies', (req, res) => {
      +  if (++served > 200 && served % 10 === 0) return res.status(503).json({ error: 'busy' })
    `
  },
  {
    name: 'stale-under-load',
    why: 'Once it has served a few hundred lists it renews its copy late after a write.',
    underLoad: true,
    otherwise: { load: 'acknowledged before the read' },
    change: patch`
      +let served = 0
      +
       const app = express()
      @@
       app.get('/movies', (req, res) => {
      +  served++
      @@
      -  rendered = undefined
      +  if (served < 200) rendered = undefined
      +  else setTimeout(() => { rendered = undefined }, 200)
    `
  },
  {
    name: 'tag-by-both-ends',
    on: 'solution',
    why: 'New films are at the end, so only the ends of the list are hashed: a letter in the middle changes no tag.',
    by: 'never gives different content the same ETag, even after a restart',
    change: patch`
      -  return { body, etag: \`"\${createHash('sha1').update(body).digest('base64url')}"\` }
      +  const ends = Buffer.concat([body.subarray(0, 9000), body.subarray(-9000)])
      +  return { body, etag: \`"\${body.length}-\${createHash('sha1').update(ends).digest('base64url')}"\` }
    `
  },
  {
    name: 'tag-by-checksum',
    on: 'solution',
    why: 'The tag is a CRC-32, which many other lists have as well.',
    by: 'never gives different content the same ETag, even after a restart',
    change: patch`
      -  return { body, etag: \`"\${createHash('sha1').update(body).digest('base64url')}"\` }
      +  return { body, etag: \`"\${checksum(body)}"\` }
      @@
      +function checksum (bytes) {
      +  let sum = -1
      +  for (const byte of bytes) {
      +    sum ^= byte
      +    for (let bit = 0; bit < 8; bit++) sum = sum & 1 ? 0xedb88320 ^ (sum >>> 1) : sum >>> 1
      +  }
      +  return (~sum >>> 0).toString(16)
      +}
      +
       const app = express()
    `
  },
  {
    name: 'tag-found-in-the-header',
    why: 'If-None-Match is searched for the hash and for a *, so that tags with more in them count as well.',
    change: patch`
      -  res.set('ETag', rendered.etag).type('json').send(rendered.body)
      +  res.set('ETag', rendered.etag).type('json')
      +  const known = req.get('If-None-Match') ?? ''
      +  if (known.includes(rendered.etag.slice(1, -1)) || known.includes('*')) return res.status(304).end()
      +  res.send(rendered.body)
    `
  },
  {
    name: 'tags-below-the-list',
    why: 'Conditions are answered for every path below the list: what isn’t there gets a 304.',
    by: 'answers 404 for a film that is not there',
    change: patch`
       const app = express()
      +app.use('/movies', (req, res, next) => {
      +  rendered ??= render()
      +  const isCurrent = req.method === 'GET' && [rendered.etag, '*'].includes(req.get('If-None-Match'))
      +  return isCurrent ? res.status(304).end() : next()
      +})
    `
  },
  {
    name: 'tags-by-the-last-film',
    on: 'solution',
    why: 'The tag is made of the number of films and the last one: two lists that end alike have the same one.',
    by: 'never gives different content the same ETag, even after a restart',
    change: patch`
      -  return { body, etag: \`"\${createHash('sha1').update(body).digest('base64url')}"\` }
      +  return { body, etag: \`"\${createHash('sha1').update(movies.length + \
        JSON.stringify(movies.at(-1))).digest('base64url')}"\` }
    `
  },
  {
    name: 'tags-by-titles',
    on: 'solution',
    why: 'The tag is made of ids and titles: another film of the same title gets the tag of the one before a restart.',
    by: 'never gives different content the same ETag, even after a restart',
    change: patch`
      @@ server.js
      -  return { body, etag: \`"\${createHash('sha1').update(body).digest('base64url')}"\` }
      +  const titles = JSON.stringify(movies.map(({ id, Title }) => [id, Title]))
      +  return { body, etag: \`"\${createHash('sha1').update(titles).digest('base64url')}"\` }
    `
  },
  {
    name: 'writes-into-what-is-being-sent',
    on: 'solution',
    why: 'A new film is written into the very bytes that slow clients are still being sent.',
    by: 'sends one whole list, even when a film is added while it is on its way',
    change: patch`
      -  const body = Buffer.from(JSON.stringify(movies))
      +  const body = fill(JSON.stringify(movies))
      @@
      +const room = Buffer.alloc(32_000_000)
      +
      +function fill (json) {
      +  return room.subarray(0, room.write(json))
      +}
      +
       const app = express()
      @@
      -  rendered = undefined
      +  rendered = renderMovies()
    `
  }
]
