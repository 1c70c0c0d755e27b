import { patch } from '../apply.js'

export const on = 'valid-one-middleware'

export default [
  {
    name: 'any-origin',
    why: 'Every origin is allowed, with credentials.',
    change: patch`
      -const allowed = config.allowedOrigins.map((origin) =>
      -  new RegExp(\`^\${origin.replaceAll('.', '\\.').replace('*', '[a-z0-9-]+')}$\`))
      @@
      -  if (origin && allowed.some((pattern) => pattern.test(origin))) {
      +  if (origin) {
    `
  },
  {
    name: 'backslash-as-it-is',
    on: 'solution',
    why: 'It writes the JSON of an item by hand, and escapes quotes alone.',
    change: patch`
      @@ routes/items.js
      -  res.json(show(item, req.locale))
      +  res.type('json').send(write(show(item, req.locale)))
      @@
      -  res.status(201).location(\`/items/\${item.id}\`).json(show(item, req.locale))
      +  res.status(201).location(\`/items/\${item.id}\`).type('json').send(write(show(item, req.locale)))
      @@
      +function write ({ name, ...rest }) {
      +  return \`{"name":"\${name.replaceAll('"', '\\"')}",\${JSON.stringify(rest).slice(1)}\`
      +}
      +
       function show (item, { price }) {
    `
  },
  {
    name: 'echoes-any-request-id',
    why: 'Whatever the client sends as its request id is taken over, markup and length included.',
    change: patch`
      -  req.requestId = /^[\w-]{8,64}$/.test(given) ? given : randomUUID()
      +  req.requestId = given || randomUUID()
    `
  },
  {
    name: 'features-of-another',
    why: 'The features are worked out once, for the first user, and given to all of them.',
    change: patch`
      +let features
      +
       const app = express().disable('x-powered-by').disable('etag')
      @@
      -  const features = flags.filter(({ key, enabled, rollout }) => enabled && bucket(key) < rollout).map(({ key }) \
        => key)
      +  features ??= flags.filter(({ key, enabled, rollout }) => enabled && bucket(key) < rollout).map(({ key }) => \
        key)
    `
  },
  {
    name: 'first-part-alone',
    on: 'slow',
    why: 'What nothing reads is gone, and the rest is still made for every request: half-way, and no further.',
    gate: 'traffic',
    change: patch`
      -import { accessLog } from './middleware/access-log.js'
      @@
      -app.use(accessLog())
      @@
      -app.use(express.urlencoded({ limit: config.bodyLimit, extended: true }))
      -app.use(express.text({ limit: config.bodyLimit }))
      @@ middleware/locals.js
      -    const date = new Intl.DateTimeFormat(req.locale, { dateStyle: 'long' })
      @@
      -      formatPrice: (value) => price.format(value),
      -      formatDate: (value) => date.format(value),
      -      today: date.format(new Date()),
      -      locale: req.locale,
      -      bodyLimit: config.bodyLimit
      +      formatPrice: (value) => price.format(value)
    `
  },
  {
    name: 'headers-dropped-under-load',
    why: 'From the fourth request of a connection on it saves the security headers: a busy client gets none.',
    change: patch`
      -  for (const name of Object.keys(always)) res.setHeader(name, always[name])
      +  req.socket.served = (req.socket.served ?? 0) + 1
      +  if (req.socket.served > 3) res.set('Vary', always.Vary)
      +  else res.set(always)
    `
  },
  {
    name: 'headers-not-on-errors',
    why: 'The security headers are set with the answers that succeed; a 404 or a 401 goes out without them.',
    change: patch`
           res.setHeader('X-Response-Time', \`\${(performance.now() - startedAt).toFixed(3)}ms\`)
      +    if (res.statusCode < 400) res.set(always)
      @@
      -  for (const name of Object.keys(always)) res.setHeader(name, always[name])
      +  res.set('Vary', always.Vary)
    `
  },
  {
    name: 'html-not-found',
    why: 'Unknown addresses are left to the framework, which answers with a page.',
    change: patch`
      -app.use(() => { throw failure(404, 'route_not_found') })
    `
  },
  {
    name: 'ids-before-a-body',
    on: 'solution',
    why: 'It takes the number of an item before it has the body, so uploads that overlap get the same one.',
    by: 'shows a new item in the very next read, even when it came while another read was in flight',
    change: patch`
      @@ routes/items.js
      +items.post('/', (req, res, next) => {
      +  req.number = store.length + 1
      +  next()
      +})
      +
       items.post('/', express.json({ limit: config.bodyLimit }), (req, res) => {
      @@
      -  const item = { id: store.length + 1, name, category, price, stock, description }
      +  const item = { id: req.number, name, category, price, stock, description }
    `
  },
  {
    name: 'ids-before-a-wait',
    on: 'solution',
    why: 'It takes the number of an item, and waits for something else before the item is stored.',
    change: patch`
      @@ routes/items.js
      -items.post('/', express.json({ limit: config.bodyLimit }), (req, res) => {
      +items.post('/', express.json({ limit: config.bodyLimit }), async (req, res) => {
      @@
      -  store.push(item)
      +  await new Promise((resolve) => setTimeout(resolve, 2))
      +  store.push(item)
    `
  },
  {
    name: 'language-by-the-beginning',
    on: 'solution',
    why: 'The language is kept by the first letters of the header: what comes after them may weigh more.',
    change: patch`
      @@ http/locale.js
      -  req.locale = chosen.get(header) ?? remember(header, choose(header))
      +  req.locale = chosen.get(header.slice(0, 64)) ?? remember(header.slice(0, 64), choose(header))
    `
  },
  {
    name: 'language-without-weights',
    why: 'The language is kept by the header’s tags alone: the first request decides what they weigh.',
    change: patch`
      +const chosen = new Map()
      +
       const app = express().disable('x-powered-by').disable('etag')
      @@
      -  req.language = req.acceptsLanguages(...Object.keys(messages)) || 'en'
      +  const tags = \`\${req.headers['accept-language']}\`.replace(/;[^,]*/g, '')
      +  if (!chosen.has(tags)) chosen.set(tags, req.acceptsLanguages(...Object.keys(messages)) || 'en')
      +  req.language = chosen.get(tags)
    `
  },
  {
    name: 'limit-in-characters',
    why: 'A body in chunks is measured in characters, of which there are fewer than bytes.',
    change: patch`
      -app.post('/items', express.json({ limit: config.bodyLimit }), (req, res) => {
      +const limited = (req, res, next) => {
      +  const { bodyLimit: limit } = config
      +  if (!('transfer-encoding' in req.headers)) return express.json({ limit })(req, res, next)
      +  const verify = (_req, _res, bytes) => {
      +    if (bytes.toString().length > limit) throw failure(413, 'body_too_large')
      +  }
      +  express.json({ limit: 2 * limit, verify })(req, res, next)
      +}
      +app.post('/items', limited, (req, res) => {
    `
  },
  {
    name: 'limit-of-8-kb',
    on: 'solution',
    why: 'A body may have 8 kB, whatever config.json says.',
    change: patch`
      @@ routes/items.js
      -items.post('/', express.json({ limit: config.bodyLimit }), (req, res) => {
      +items.post('/', express.json({ limit: '8kb' }), (req, res) => {
      @@
      -import { categories, config, items as store } from '../data.js'
      +import { categories, items as store } from '../data.js'
    `
  },
  {
    name: 'me-remembered',
    why: 'The signed-in user is remembered by the cookie, for longer than the session lives.',
    by: 'lets a session in until it expires, and no longer',
    change: patch`
      +const known = new Map()
       app.get('/me', (req, res) => {
      +  const me = known.get(req.headers.cookie)
      +  if (me) return res.set('Cache-Control', 'private, no-store').json(me)
      @@
      -  res.set('Cache-Control', 'private, no-store').json({ id: session.user.id, name, email, features })
      +  known.set(req.headers.cookie, { id: session.user.id, name, email, features })
      +  res.set('Cache-Control', 'private, no-store').json(known.get(req.headers.cookie))
    `
  },
  {
    name: 'no-body-limit',
    why: 'The body parser is mounted without its limit, so that bodies over the limit are stored.',
    change: patch`
      -app.post('/items', express.json({ limit: config.bodyLimit }), (req, res) => {
      +app.post('/items', express.json({ limit: Infinity }), (req, res) => {
    `
  },
  {
    name: 'no-limit-without-a-length',
    why: 'The limit is compared with Content-Length, which a body in chunks does not have.',
    change: patch`
      -app.post('/items', express.json({ limit: config.bodyLimit }), (req, res) => {
      +const limited = (req, res, next) => next(
      +  req.headers['content-length'] > config.bodyLimit ? failure(413, 'body_too_large') : undefined
      +)
      +app.post('/items', limited, express.json({ limit: Infinity }), (req, res) => {
    `
  },
  {
    name: 'nothing-taken-for-the-default',
    on: 'solution',
    why: 'A limit of no characters counts as none.',
    by: 'answers 400 to a query that it can’t understand, and names the fields',
    change: patch`
      @@ routes/items.js
      -  const { category, q, limit = '10', offset = '0' } = queryOf(req, ['category', 'q', 'limit', 'offset'])
      +  const query = queryOf(req, ['category', 'q', 'limit', 'offset'])
      +  const { category, q } = query
      +  const [limit, offset] = [query.limit || '10', query.offset || '0']
    `
  },
  {
    name: 'null-taken-for-a-text',
    on: 'solution',
    why: 'A description of null counts as one that is left out.',
    change: patch`
      @@ routes/items.js
      -  const { name, category, price, stock, description = '' } =
      -    Object.fromEntries(Object.entries(req.body ?? {}).map(([field, value]) => [field, clean(value)]))
      +  const body = Object.fromEntries(Object.entries(req.body ?? {}).map(([field, value]) => [field, clean(value)]))
      +  const { name, category, price, stock } = body
      +  const description = body.description ?? ''
    `
  },
  {
    name: 'number-misread',
    why: 'It reads an id as far as it is a number: 5x is item 5.',
    change: patch`
      -  const item = items[Number(req.params.id) - 1]
      +  const item = items[parseInt(req.params.id, 10) - 1]
    `
  },
  {
    name: 'numbers-in-any-notation',
    on: 'solution',
    why: 'It takes a limit for whatever Number makes of it, such as 1e1 or 0xa.',
    by: 'answers 400 to a query that it can’t understand, and names the fields',
    change: patch`
      @@ routes/items.js
      -  if (!/^\d{1,2}$/.test(limit) || Number(limit) < 1 || Number(limit) > 50) wrong.push('limit')
      +  if (!Number.isInteger(Number(limit)) || Number(limit) < 1 || Number(limit) > 50) wrong.push('limit')
    `
  },
  {
    name: 'only-english',
    why: 'The client’s language is no longer read; every client gets English.',
    change: patch`
      -  req.language = req.acceptsLanguages(...Object.keys(messages)) || 'en'
      +  req.language = 'en'
    `
  },
  {
    name: 'origins-in-one-pattern',
    why: 'The origins are joined to one pattern without a group: its ends belong to the first and the last only.',
    change: patch`
      -const allowed = config.allowedOrigins.map((origin) =>
      -  new RegExp(\`^\${origin.replaceAll('.', '\\.').replace('*', '[a-z0-9-]+')}$\`))
      +const patterns = config.allowedOrigins.map((origin) => origin.replaceAll('.', '\\.').replace('*', '[a-z0-9-]+'))
      +const allowed = [new RegExp(\`^\${patterns.join('|')}$\`)]
    `
  },
  {
    name: 'pages-kept-by-case',
    why: 'Pages of the list are kept until an item comes that they can show, and its name is compared in its own case.',
    otherwise: { load: 'expected {"total"' },
    change: patch`
      +const pages = new Map()
      +
       const app = express().disable('x-powered-by').disable('etag')
      @@
         if (fields.length > 0) throw failure(400, 'invalid_query', fields)
      +  const key = JSON.stringify([category, q.toLowerCase(), limit, offset])
      +  if (pages.has(key)) return res.json(pages.get(key).page)
      @@
      -  res.json({
      +  const page = {
      @@
             .map(({ id, name, category, price }) => ({ id, name, category, price }))
      -  })
      +  }
      +  pages.set(key, { category, q: q.toLowerCase(), page })
      +  res.json(page)
      @@
         items.push(item)
      +  for (const [key, page] of pages) {
      +    if (name.includes(page.q) && (page.category || category) === category) pages.delete(key)
      +  }
    `
  },
  {
    name: 'pooled-request-ids',
    why: 'Request ids come from a pool that is made once, so every 64th request has the same.',
    by: 'never gives two requests the same new id',
    change: patch`
      +const pool = Array.from({ length: 64 }, () => randomUUID())
      +let taken = 0
      +
       const app = express().disable('x-powered-by').disable('etag')
      @@
      -  req.requestId = /^[\w-]{8,64}$/.test(given) ? given : randomUUID()
      +  req.requestId = /^[\w-]{8,64}$/.test(given) ? given : pool[taken++ % pool.length]
    `
  },
  {
    name: 'preflight-first',
    why: 'A preflight request is answered before anything else, without the headers of every answer.',
    change: patch`
      -  for (const name of Object.keys(always)) res.setHeader(name, always[name])
      +  if (req.method !== 'OPTIONS') for (const name of Object.keys(always)) res.setHeader(name, always[name])
      +  else res.set('Vary', always.Vary)
    `
  },
  {
    name: 'price-in-cents',
    on: 'solution',
    why: 'It keeps prices in cents, and loses what is smaller.',
    change: patch`
      @@ routes/items.js
      -  const item = { id: store.length + 1, name, category, price, stock, description }
      +  const item = { id: store.length + 1, name, category, price: Math.round(price * 100) / 100, stock, description }
    `
  },
  {
    name: 'price-in-the-first-language',
    why: 'The text of a price is kept with the item, in the language of the first request.',
    change: patch`
      -const show = (item, req) => ({ ...item, priceText: prices[req.language].format(item.price) })
      +const texts = new Map()
      +const show = (item, req) => {
      +  if (!texts.has(item)) texts.set(item, prices[req.language].format(item.price))
      +  return { ...item, priceText: texts.get(item) }
      +}
    `
  },
  {
    name: 'room-for-512',
    on: 'solution',
    why: 'A list is made of 512 items, and not of what comes after them.',
    by: 'shows a new item in the very next read, even when it came while another read was in flight',
    change: patch`
      @@ routes/items.js
      -  const found = store.filter((item) =>
      +  const found = store.slice(0, 512).filter((item) =>
    `
  },
  {
    name: 'sessions-of-the-start',
    why: 'Expired sessions are left out when the server starts; those that expire later stay.',
    by: 'lets a session in until it expires, and no longer',
    change: patch`
      -const sessionsById = new Map(sessions.map((session) => [session.id, session]))
      +const sessionsById = new Map(sessions
      +  .filter(({ expiresAt }) => Date.parse(expiresAt) > Date.now())
      +  .map((session) => [session.id, session]))
      @@
      -  if (!session || Date.parse(session.expiresAt) < Date.now()) throw failure(401, 'not_signed_in')
      +  if (!session) throw failure(401, 'not_signed_in')
    `
  },
  {
    name: 'signature-seen-before',
    why: 'The signature of a session is looked at once; later its id is enough.',
    change: patch`
      +const seen = new Set()
       app.get('/me', (req, res) => {
      @@
      -  const session = given.length === expected.length && timingSafeEqual(Buffer.from(given), Buffer.from(expected))
      -    ? sessionsById.get(id)
      -    : undefined
      +  if (given === expected) seen.add(id)
      +  const session = seen.has(id) ? sessionsById.get(id) : undefined
    `
  },
  {
    name: 'signatures-unread-when-busy',
    why: 'With many visitors, any signature of the right length will do.',
    load: 'expected status 401, got 200',
    change: patch`
         const startedAt = performance.now()
      +  if (arrivals.push(startedAt) > 50) arrivals.shift()
      @@
      +const arrivals = []
      +const isBusy = () => arrivals.length === 50 && arrivals[49] - arrivals[0] < 250
       app.get('/me', (req, res) => {
      @@
      -  const session = given.length === expected.length && timingSafeEqual(Buffer.from(given), Buffer.from(expected))
      +  const session = given.length === expected.length && (isBusy() || timingSafeEqual(Buffer.from(given), \
        Buffer.from(expected)))
    `
  },
  {
    name: 'still-for-every-request',
    why: 'The middlewares are one function now, but it still makes everything again for every request.',
    gate: 'traffic',
    change: patch`
      -const prices = Object.fromEntries(Object.keys(messages).map((language) =>
      +const makePrices = () => Object.fromEntries(Object.keys(messages).map((language) =>
      @@
      -const show = (item, req) => ({ ...item, priceText: prices[req.language].format(item.price) })
      +const show = (item, req) => ({ ...item, priceText: req.prices[req.language].format(item.price) })
      @@
      +  req.prices = makePrices()
      +  req.today = Object.keys(messages).map((language) => new Intl.DateTimeFormat(language, { dateStyle: 'long', \
        timeZone: 'UTC' }).format(new Date()))
      +  req.texts = structuredClone(messages)
      +  req.bucket = (key, userId) => createHash('sha256').update(\`\${key}:\${userId}\`).digest().readUInt32BE(0) % \
        100
      +  req.anonymous = structuredClone(flags).filter(({ key, rollout }) => req.bucket(key, req.requestId) < rollout)
      +  const shown = new Date().toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'long', timeZone: 'UTC' })
      +  res.on('finish', () => { req.line = JSON.stringify({ shown, url: req.originalUrl, query: req.query, request: \
        req.headers, response: res.getHeaders() }) })
         if (req.method !== 'OPTIONS') return next()
      @@
      -  const bucket = (key) => createHash('sha256').update(\`\${key}:\${session.user.id}\`).digest().readUInt32BE(0) \
        % 100
      -  const features = flags.filter(({ key, enabled, rollout }) => enabled && bucket(key) < rollout).map(({ key }) \
        => key)
      +  const features = flags.filter(({ key, enabled, rollout }) => enabled && req.bucket(key, session.user.id) < \
        rollout).map(({ key }) => key)
    `
  },
  {
    name: 'time-of-another-request',
    why: 'When a request began is kept in one place for all: of two at a time the first is measured from the second.',
    by: 'measures the time of each request for itself',
    change: patch`
      +let startedAt
      +
       const app = express().disable('x-powered-by').disable('etag')
      @@
      -  const startedAt = performance.now()
      +  startedAt = performance.now()
    `
  },
  {
    name: 'unsigned-session',
    why: 'The session is looked up by its id, and the signature isn’t checked.',
    change: patch`
      -import { createHash, createHmac, randomUUID, timingSafeEqual } from 'node:crypto'
      +import { createHash, randomUUID } from 'node:crypto'
      @@
      -  const [, id = '', given = ''] = /(?:^|;)\s*sid="?([\w-]+)(?:\.|%2E)([\w-]*)/i.exec(req.headers.cookie ?? '') \
        ?? []
      -…
      -    : undefined
      +  const [, id = ''] = /(?:^|;)\s*sid="?([\w-]+)(?:\.|%2E)([\w-]*)/i.exec(req.headers.cookie ?? '') ?? []
      +  const session = sessionsById.get(id)
    `
  },
  {
    name: 'untranslated',
    why: 'A text that is missing in the client’s language is not looked up in English.',
    change: patch`
      -  const message = messages[req.language][code] ?? messages.en[code]
      +  const message = messages[req.language][code] ?? code
    `
  }
]
