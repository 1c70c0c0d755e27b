import { createHash, createHmac, randomUUID, timingSafeEqual } from 'node:crypto'
import { readFileSync } from 'node:fs'
import http from 'node:http'
import path from 'node:path'
import findMyWay from 'find-my-way'

const { PORT = 3000, HOST = '127.0.0.1', DATA_DIR = '.' } = process.env
const [config, flags, messages, items, sessions] = ['config', 'flags', 'messages', 'items', 'sessions']
  .map((name) => JSON.parse(readFileSync(path.join(DATA_DIR, `${name}.json`), 'utf8')))
const categories = new Set(items.map(({ category }) => category))
const sessionsById = new Map(sessions.map((session) => [session.id, session]))
const prices = new Map(Object.keys(messages).map((language) =>
  [language, new Intl.NumberFormat(language, { style: 'currency', currency: 'EUR' })]))
const origins = config.allowedOrigins.map((origin) => origin.split('*'))
const methods = 'OPTIONS, POST, GET'
const allowing = {
  'access-control-allow-credentials': 'true',
  'access-control-expose-headers': 'x-response-time,x-request-id,location'
}
const preflight = {
  'access-control-allow-methods': methods,
  'access-control-allow-headers': 'x-request-id,content-type',
  'access-control-max-age': '600'
}
const always = {
  'content-security-policy': "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(self)',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-site',
  vary: 'accept-language, origin, accept-encoding'
}
// eslint-disable-next-line no-control-regex
const clean = (value) => typeof value === 'string' ? value.replace(/[\u0000-\u001f\u007f]/g, '').trim() : value
const failure = (status, code, fields) => ({ status, code, fields })

function languageOf (header = '') {
  let best = { language: 'en', q: 0 }
  for (const range of header.split(',')) {
    const [tag, weight = 'q=1'] = range.split(';').map((part) => part.trim())
    const language = tag === '*' ? 'en' : tag.split('-')[0].toLowerCase()
    const q = Number(weight.slice(2))
    if (q > best.q && prices.has(language)) best = { language, q }
  }
  return best.language
}
function isAllowed (origin) {
  return origins.some(([before, after]) => after === undefined
    ? origin === before
    : origin.startsWith(before) && origin.endsWith(after) &&
      /^[a-z0-9-]+$/.test(origin.slice(before.length, origin.length - after.length)))
}

/** The connection ends with an error: whoever made it is a stranger. What was sent along is read, and thrown away. */
function reply (req, res, status, value, headers) {
  const { origin } = req.headers
  res.writeHead(status, {
    ...always,
    ...(origin && isAllowed(origin) && { 'access-control-allow-origin': origin, ...allowing }),
    ...(value !== undefined && { 'content-type': 'application/json' }),
    ...(status >= 400 && { connection: 'close' }),
    'x-request-id': req.id,
    'x-response-time': `${(performance.now() - req.since).toFixed(3)}ms`,
    'content-language': req.language,
    ...headers
  })
  res.end(value && JSON.stringify(value, null, 1))
  req.resume()
}
function fail (req, res, { status, code, fields }) {
  const message = messages[req.language][code] ?? messages.en[code]
  reply(req, res, status, { error: { requestId: req.id, message, code, fields } }, { allow: methods })
}
function show (req, item) {
  return { priceText: prices.get(req.language).format(item.price), ...item }
}

async function bodyOf (req) {
  if (!/^application\/json\s*(;|$)/i.test(req.headers['content-type'] ?? '')) {
    throw failure(415, 'unsupported_media_type')
  }
  const chunks = []
  let bytes = 0
  for await (const chunk of req) {
    bytes += chunk.length
    if (bytes <= config.bodyLimit) chunks.push(chunk)
  }
  if (bytes > config.bodyLimit) throw failure(413, 'body_too_large')
  try {
    return JSON.parse(Buffer.concat(chunks).toString()) ?? {}
  } catch {
    throw failure(400, 'invalid_json')
  }
}
function userOf ({ cookie = '' }) {
  const pair = cookie.split(';').map((part) => part.trim()).find((part) => part.startsWith('sid=')) ?? ''
  const [id, given = ''] = decodeURIComponent(pair.slice(4).replace(/^"(.*)"$/, '$1')).split('.')
  const expected = createHmac('sha256', config.sessionSecret).update(id).digest('base64url')
  if (given.length !== expected.length || !timingSafeEqual(Buffer.from(given), Buffer.from(expected))) return undefined
  const session = sessionsById.get(id)
  return session && Date.parse(session.expiresAt) > Date.now() ? session.user : undefined
}
function isOn ({ key, enabled, rollout }, { id }) {
  return enabled && createHash('sha256').update(`${key}:${id}`).digest().readUInt32BE(0) % 100 < rollout
}

const router = findMyWay({ defaultRoute: () => { throw failure(404, 'route_not_found') } })
router.on('GET', '/items', (req, res) => {
  const query = new URL(req.url, 'http://shop').searchParams
  const [category, q, limit, offset] = [['category', ''], ['q', ''], ['limit', '10'], ['offset', '0']]
    .map(([name, other]) => clean(query.get(name) ?? other))
  const fields = []
  if (!/^\d{1,6}$/.test(offset)) fields.push('offset')
  if (!/^\d{1,2}$/.test(limit) || +limit < 1 || +limit > 50) fields.push('limit')
  if (fields.length > 0) throw failure(400, 'invalid_query', fields)
  const found = items.filter((item) =>
    (category === '' || item.category === category) && item.name.toLowerCase().includes(q.toLowerCase()))
  const page = found.slice(+offset, +offset + +limit)
  reply(req, res, 200, {
    items: page.map(({ id, name, category, price }) => ({ id, name, category, price })),
    total: found.length
  })
})
router.on('GET', '/items/:id', (req, res, { id }) => {
  const item = items[Number(id) - 1]
  if (item === undefined) throw failure(404, 'item_not_found')
  reply(req, res, 200, show(req, item))
})
router.on('POST', '/items', async (req, res) => {
  const body = await bodyOf(req)
  const [name, category, price, stock, description = ''] = ['name', 'category', 'price', 'stock', 'description']
    .map((field) => clean(body[field]))
  const fields = Object.entries({
    stock: Number.isInteger(stock) && stock >= 0,
    price: typeof price === 'number' && price > 0 && price <= 100000,
    category: categories.has(category),
    name: typeof name === 'string' && name.length > 0 && name.length <= 80,
    description: typeof description === 'string'
  }).flatMap(([field, isRight]) => isRight ? [] : [field])
  if (fields.length > 0) throw failure(422, 'invalid_item', fields)
  const item = { id: items.length + 1, name, category, price, stock, description }
  items.push(item)
  reply(req, res, 201, show(req, item), { location: `http://${req.headers.host}/items/${item.id}` })
})
router.on('GET', '/me', (req, res) => {
  const user = userOf(req.headers)
  if (user === undefined) throw failure(401, 'not_signed_in')
  const { id, name, email } = user
  const features = flags.filter((flag) => isOn(flag, user)).map(({ key }) => key)
  reply(req, res, 200, { id, name, email, features }, { 'cache-control': 'no-store, private' })
})

http.createServer(async (req, res) => {
  const given = req.headers['x-request-id'] ?? ''
  req.since = performance.now()
  req.id = /^[\w-]{8,64}$/.test(given) ? given : randomUUID()
  req.language = languageOf(req.headers['accept-language'])
  if (req.method === 'OPTIONS') return reply(req, res, 204, undefined, { ...preflight, allow: methods })
  try {
    await router.lookup(req, res)
  } catch (error) {
    // The client has left.
    if (error.code !== 'ECONNRESET') fail(req, res, error)
  }
}).listen(Number(PORT), HOST)
