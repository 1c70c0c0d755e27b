import { createHash, createHmac, randomUUID, timingSafeEqual } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import express from 'express'

const { PORT = 3000, HOST = '127.0.0.1', DATA_DIR = '.' } = process.env
const [config, flags, messages, items, sessions] = ['config', 'flags', 'messages', 'items', 'sessions']
  .map((name) => JSON.parse(readFileSync(path.join(DATA_DIR, `${name}.json`), 'utf8')))
const categories = new Set(items.map(({ category }) => category))
const sessionsById = new Map(sessions.map((session) => [session.id, session]))
const prices = Object.fromEntries(Object.keys(messages).map((language) =>
  [language, new Intl.NumberFormat(language, { style: 'currency', currency: 'EUR' })]))
const allowed = config.allowedOrigins.map((origin) =>
  new RegExp(`^${origin.replaceAll('.', '\\.').replace('*', '[a-z0-9-]+')}$`))
const always = {
  'Content-Security-Policy': "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'Strict-Transport-Security': 'max-age=31536000; includeSubDomains',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=(self)',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-site',
  Vary: 'Origin, Accept-Language'
}
// eslint-disable-next-line no-control-regex
const clean = (value) => typeof value === 'string' ? value.replace(/[\u0000-\u001f\u007f]/g, '').trim() : value
const show = (item, req) => ({ ...item, priceText: prices[req.language].format(item.price) })
const failure = (status, code, fields) => Object.assign(new Error(code), { status, code, fields })

const app = express().disable('x-powered-by').disable('etag')
app.use((req, res, next) => {
  const startedAt = performance.now()
  const { writeHead } = res
  res.writeHead = (...args) => {
    res.setHeader('X-Response-Time', `${(performance.now() - startedAt).toFixed(3)}ms`)
    return writeHead.apply(res, args)
  }
  const { origin, 'x-request-id': given = '' } = req.headers
  req.requestId = /^[\w-]{8,64}$/.test(given) ? given : randomUUID()
  req.language = req.acceptsLanguages(...Object.keys(messages)) || 'en'
  for (const name of Object.keys(always)) res.setHeader(name, always[name])
  res.set({ 'X-Request-Id': req.requestId, 'Content-Language': req.language })
  if (origin && allowed.some((pattern) => pattern.test(origin))) {
    res.set({
      'Access-Control-Allow-Origin': origin,
      'Access-Control-Allow-Credentials': 'true',
      'Access-Control-Expose-Headers': 'X-Request-Id, X-Response-Time'
    })
  }
  if (req.method !== 'OPTIONS') return next()
  res.set({
    'Access-Control-Allow-Methods': 'GET, POST',
    'Access-Control-Allow-Headers': 'Content-Type, X-Request-Id',
    'Access-Control-Max-Age': '600'
  })
  res.status(204).end()
})
app.get('/items', (req, res) => {
  const query = new URLSearchParams(req.url.split('?')[1])
  const [category, q, limit, offset] = [['category', ''], ['q', ''], ['limit', '10'], ['offset', '0']]
    .map(([name, other]) => clean(query.get(name) ?? other))
  const fields = [
    /^([1-9]|[1-4]\d|50)$/.test(limit) ? '' : 'limit',
    /^\d{1,6}$/.test(offset) ? '' : 'offset'
  ].filter(Boolean)
  if (fields.length > 0) throw failure(400, 'invalid_query', fields)
  const found = items.filter((item) =>
    (!category || item.category === category) && item.name.toLowerCase().includes(q.toLowerCase()))
  res.json({
    total: found.length,
    items: found
      .slice(+offset, +offset + +limit)
      .map(({ id, name, category, price }) => ({ id, name, category, price }))
  })
})
app.get('/items/:id', (req, res) => {
  const item = items[Number(req.params.id) - 1]
  if (!item) throw failure(404, 'item_not_found')
  res.json(show(item, req))
})
app.post('/items', express.json({ limit: config.bodyLimit }), (req, res) => {
  if (!req.is('application/json')) throw failure(415, 'unsupported_media_type')
  const [name, category, price, stock, description = ''] = ['name', 'category', 'price', 'stock', 'description']
    .map((field) => clean(req.body?.[field]))
  const valid = {
    name: typeof name === 'string' && name.length > 0 && name.length <= 80,
    category: categories.has(category),
    price: typeof price === 'number' && price > 0 && price <= 1e5,
    stock: Number.isInteger(stock) && stock >= 0,
    description: typeof description === 'string'
  }
  const fields = Object.keys(valid).filter((field) => !valid[field])
  if (fields.length > 0) throw failure(422, 'invalid_item', fields)
  const item = { id: items.length + 1, name, category, price, stock, description }
  items.push(item)
  res.status(201).location(`/items/${item.id}`).json(show(item, req))
})
app.get('/me', (req, res) => {
  const [, id = '', given = ''] = /(?:^|;)\s*sid="?([\w-]+)(?:\.|%2E)([\w-]*)/i.exec(req.headers.cookie ?? '') ?? []
  const expected = createHmac('sha256', config.sessionSecret).update(id).digest('base64url')
  const session = given.length === expected.length && timingSafeEqual(Buffer.from(given), Buffer.from(expected))
    ? sessionsById.get(id)
    : undefined
  if (!session || Date.parse(session.expiresAt) < Date.now()) throw failure(401, 'not_signed_in')
  const { name, email } = session.user
  const bucket = (key) => createHash('sha256').update(`${key}:${session.user.id}`).digest().readUInt32BE(0) % 100
  const features = flags.filter(({ key, enabled, rollout }) => enabled && bucket(key) < rollout).map(({ key }) => key)
  res.set('Cache-Control', 'private, no-store').json({ id: session.user.id, name, email, features })
})
app.use(() => { throw failure(404, 'route_not_found') })
app.use((error, req, res, next) => {
  const code = { 'entity.parse.failed': 'invalid_json', 'entity.too.large': 'body_too_large' }[error.type] ??
    (error.status < 500 ? error.code ?? 'bad_request' : 'internal_error')
  const message = messages[req.language][code] ?? messages.en[code]
  res.status(error.status ?? 500).json({
    error: { code, message, requestId: req.requestId, fields: error.fields }
  })
})
app.listen(Number(PORT), HOST)
