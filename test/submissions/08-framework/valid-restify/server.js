import { createHash, createHmac, randomUUID, timingSafeEqual } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import restify from 'restify'

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

function reply (req, res, status, value, headers = {}) {
  const body = JSON.stringify(value)
  res.writeHead(status, {
    ...always,
    ...req.cors,
    'X-Request-Id': req.requestId,
    'Content-Language': req.language,
    'X-Response-Time': `${(performance.now() - req.startedAt).toFixed(3)}ms`,
    ...(body && { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': Buffer.byteLength(body) }),
    ...headers
  })
  res.end(body)
}
function fail (req, res, { status = 500, code, fields }) {
  const known = status < 500 ? code : 'internal_error'
  const message = messages[req.language][known] ?? messages.en[known]
  reply(req, res, status, { error: { code: known, message, requestId: req.requestId, fields } })
}
const route = (handler) => async (req, res) => {
  try {
    await handler(req, res)
  } catch (error) {
    fail(req, res, error)
  }
}
const ranges = (header) => header.split(',')
  .map((range) => /^\s*([a-z]+|\*)[^;]*(?:;\s*q=([\d.]+))?/i.exec(range)).filter(Boolean)
  .map(([, language, q = 1]) => ({ language, q: Number(q) })).filter(({ q }) => q > 0).sort((a, b) => b.q - a.q)
async function read (req) {
  const chunks = []
  let bytes = 0
  for await (const chunk of req) if ((bytes += chunk.length) <= config.bodyLimit) chunks.push(chunk)
  if (bytes > config.bodyLimit) throw failure(413, 'body_too_large')
  try {
    return JSON.parse(Buffer.concat(chunks).toString())
  } catch {
    throw failure(400, 'invalid_json')
  }
}

const server = restify.createServer({ name: 'shop' })
server.pre((req, res, next) => {
  req.startedAt = performance.now()
  const { origin, 'x-request-id': given = '', 'accept-language': languages = '' } = req.headers
  req.requestId = /^[\w-]{8,64}$/.test(given) ? given : randomUUID()
  const best = ranges(languages).find(({ language }) => language === '*' || messages[language])?.language
  req.language = messages[best] ? best : 'en'
  if (origin && allowed.some((pattern) => pattern.test(origin))) {
    req.cors = {
      'Access-Control-Allow-Origin': origin,
      'Access-Control-Allow-Credentials': 'true',
      'Access-Control-Expose-Headers': 'X-Request-Id, X-Response-Time'
    }
  }
  if (req.method !== 'OPTIONS') return next()
  reply(req, res, 204, undefined, {
    'Access-Control-Allow-Methods': 'GET, POST',
    'Access-Control-Allow-Headers': 'Content-Type, X-Request-Id',
    'Access-Control-Max-Age': '600'
  })
  next(false)
})
server.get('/items', route((req, res) => {
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
  reply(req, res, 200, {
    total: found.length,
    items: found
      .slice(+offset, +offset + +limit)
      .map(({ id, name, category, price }) => ({ id, name, category, price }))
  })
}))
server.get('/items/:id', route((req, res) => {
  const item = items[Number(req.params.id) - 1]
  if (!item) throw failure(404, 'item_not_found')
  reply(req, res, 200, show(item, req))
}))
server.post('/items', route(async (req, res) => {
  if (!/^application\/json\s*(;|$)/i.test(req.headers['content-type'] ?? '')) {
    throw failure(415, 'unsupported_media_type')
  }
  const body = await read(req)
  const [name, category, price, stock, description = ''] = ['name', 'category', 'price', 'stock', 'description']
    .map((field) => clean(body?.[field]))
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
  reply(req, res, 201, show(item, req), { Location: `/items/${item.id}` })
}))
server.get('/me', route((req, res) => {
  const [, id = '', given = ''] = /(?:^|;)\s*sid="?([\w-]+)(?:\.|%2E)([\w-]*)/i.exec(req.headers.cookie ?? '') ?? []
  const expected = createHmac('sha256', config.sessionSecret).update(id).digest('base64url')
  const session = given.length === expected.length && timingSafeEqual(Buffer.from(given), Buffer.from(expected))
    ? sessionsById.get(id)
    : undefined
  if (!session || Date.parse(session.expiresAt) < Date.now()) throw failure(401, 'not_signed_in')
  const { name, email } = session.user
  const bucket = (key) => createHash('sha256').update(`${key}:${session.user.id}`).digest().readUInt32BE(0) % 100
  const features = flags.filter(({ key, enabled, rollout }) => enabled && bucket(key) < rollout).map(({ key }) => key)
  reply(req, res, 200, { id: session.user.id, name, email, features }, { 'Cache-Control': 'private, no-store' })
}))
for (const name of ['NotFound', 'MethodNotAllowed']) {
  server.on(name, (req, res) => fail(req, res, failure(404, 'route_not_found')))
}
server.listen(Number(PORT), HOST)
