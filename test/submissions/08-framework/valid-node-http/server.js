import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { readFileSync } from 'node:fs'
import http from 'node:http'
import path from 'node:path'

const { PORT = 3000, HOST = '127.0.0.1', DATA_DIR = '.' } = process.env
const [config, flags, messages, items, sessions] = ['config', 'flags', 'messages', 'items', 'sessions']
  .map((name) => JSON.parse(readFileSync(path.join(DATA_DIR, `${name}.json`), 'utf8')))
const categories = new Set(items.map(({ category }) => category))
const sign = (id) => createHmac('sha256', config.sessionSecret).update(id).digest('base64url')
const signedSessions = new Map(sessions.map((session) =>
  [session.id, { session, signature: Buffer.from(sign(session.id)) }]))
const prices = Object.fromEntries(Object.keys(messages).map((language) =>
  [language, new Intl.NumberFormat(language, { style: 'currency', currency: 'EUR' })]))
const always = [
  'Content-Security-Policy', "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'Strict-Transport-Security', 'max-age=31536000; includeSubDomains',
  'Permissions-Policy', 'camera=(), geolocation=(), microphone=(), payment=(self)',
  'X-Content-Type-Options', 'nosniff',
  'X-Frame-Options', 'DENY',
  'Referrer-Policy', 'no-referrer',
  'Cross-Origin-Opener-Policy', 'same-origin',
  'Cross-Origin-Resource-Policy', 'same-site',
  'Vary', 'Origin, Accept-Language'
]
// eslint-disable-next-line no-control-regex
const clean = (value) => typeof value === 'string' ? value.replace(/[\u0000-\u001f\u007f]/g, '').trim() : value
const failure = (status, code, fields) => Object.assign(new Error(code), { status, code, fields })
// A random half and a counter: unique, and cheaper than a random number for each request.
let count = 0
const prefix = randomBytes(8).toString('hex').replace(/^(.{8})(.{4})(.{4})$/, '$1-$2-4$3').slice(0, 18)
const uuid = () => `${prefix}-8000-${(++count).toString(16).padStart(12, '0')}`

function languageOf (header = '') {
  const ranges = header.split(',').map((range) => ({
    language: range.trim().split(/[-;]/)[0],
    q: Number(/;\s*q=([\d.]+)/.exec(range)?.[1] ?? 1)
  }))
  const best = ranges
    .sort((a, b) => b.q - a.q)
    .find(({ language, q }) => q > 0 && (language === '*' || messages[language]))
  return messages[best?.language] ? best.language : 'en'
}
function isAllowed (origin) {
  return config.allowedOrigins.some((allowed) => {
    const [before, after] = allowed.split('*')
    if (after === undefined) return origin === allowed
    return origin.startsWith(before) &&
      origin.endsWith(after) &&
      /^[a-z0-9-]+$/.test(origin.slice(before.length, -after.length))
  })
}
async function bodyOf (req) {
  if (!/^application\/json\s*(;|$)/i.test(req.headers['content-type'] ?? '')) {
    throw failure(415, 'unsupported_media_type')
  }
  const chunks = []
  let bytes = 0
  for await (const chunk of req) if ((bytes += chunk.length) <= config.bodyLimit) chunks.push(chunk)
  if (bytes > config.bodyLimit) throw failure(413, 'body_too_large')
  try {
    return JSON.parse(Buffer.concat(chunks).toString()) ?? {}
  } catch {
    throw failure(400, 'invalid_json')
  }
}
function list (search) {
  const query = new URLSearchParams(search)
  const [category, q, limit, offset] = [['category', ''], ['q', ''], ['limit', '10'], ['offset', '0']]
    .map(([name, other]) => clean(query.get(name) ?? other))
  const fields = [
    /^([1-9]|[1-4]\d|50)$/.test(limit) ? '' : 'limit',
    /^\d{1,6}$/.test(offset) ? '' : 'offset'
  ].filter(Boolean)
  if (fields.length > 0) throw failure(400, 'invalid_query', fields)
  const found = items.filter((item) =>
    (!category || item.category === category) && item.name.toLowerCase().includes(q.toLowerCase()))
  return {
    total: found.length,
    items: found
      .slice(+offset, +offset + +limit)
      .map(({ id, name, category, price }) => ({ id, name, category, price }))
  }
}
function create (body) {
  const [name, category, price, stock, description = ''] = ['name', 'category', 'price', 'stock', 'description']
    .map((field) => clean(body[field]))
  const valid = {
    name: typeof name === 'string' && name.length > 0 && name.length <= 80,
    category: categories.has(category),
    price: typeof price === 'number' && price > 0 && price <= 1e5,
    stock: Number.isInteger(stock) && stock >= 0,
    description: typeof description === 'string'
  }
  const fields = Object.keys(valid).filter((field) => !valid[field])
  if (fields.length > 0) throw failure(422, 'invalid_item', fields)
  items.push({ id: items.length + 1, name, category, price, stock, description })
  return items.at(-1)
}
function me ({ cookie = '' }) {
  const sid = cookie
    .split(';')
    .map((pair) => pair.trim())
    .find((pair) => pair.startsWith('sid='))
    ?.slice(4)
    .replace(/^"|"$/g, '')
    .replace('%2E', '.') ?? ''
  const [id, given = ''] = sid.split('.')
  const { session, signature } = signedSessions.get(id) ?? {}
  if (
    !session ||
    given.length !== signature.length ||
    !timingSafeEqual(Buffer.from(given), signature) ||
    Date.parse(session.expiresAt) < Date.now()
  ) throw failure(401, 'not_signed_in')
  const { id: userId, name, email } = session.user
  const bucket = (key) => createHash('sha256').update(`${key}:${userId}`).digest().readUInt32BE(0) % 100
  session.features ??= flags
    .filter(({ key, enabled, rollout }) => enabled && bucket(key) < rollout)
    .map(({ key }) => key)
  return { id: userId, name, email, features: session.features }
}
async function answer (req, language) {
  const [pathname, search] = req.url.split('?')
  const show = (item) => ({ ...item, priceText: prices[language].format(item.price) })
  if (req.method === 'GET' && pathname === '/items') return [200, list(search)]
  if (req.method === 'GET' && pathname === '/me') return [200, me(req.headers), 'Cache-Control', 'private, no-store']
  if (req.method === 'GET' && /^\/items\/[^/]+$/.test(pathname)) {
    const item = items[Number(pathname.slice(7)) - 1]
    if (item) return [200, show(item)]
    throw failure(404, 'item_not_found')
  }
  if (req.method !== 'POST' || pathname !== '/items') throw failure(404, 'route_not_found')
  const item = create(await bodyOf(req))
  return [201, show(item), 'Location', `/items/${item.id}`]
}
http.createServer(async (req, res) => {
  const startedAt = performance.now()
  const { origin, 'x-request-id': given = '' } = req.headers
  const requestId = /^[\w-]{8,64}$/.test(given) ? given : uuid()
  const language = languageOf(req.headers['accept-language'])
  const headers = [...always, 'X-Request-Id', requestId, 'Content-Language', language]
  if (origin && isAllowed(origin)) {
    headers.push(
      'Access-Control-Allow-Origin', origin,
      'Access-Control-Allow-Credentials', 'true',
      'Access-Control-Expose-Headers', 'X-Request-Id, X-Response-Time'
    )
  }
  const time = () => ['X-Response-Time', `${(performance.now() - startedAt).toFixed(3)}ms`]
  if (req.method === 'OPTIONS') {
    return res.writeHead(204, [
      ...headers,
      ...time(),
      'Access-Control-Allow-Methods', 'GET, POST',
      'Access-Control-Allow-Headers', 'Content-Type, X-Request-Id',
      'Access-Control-Max-Age', '600'
    ]).end()
  }
  const [status, value, ...more] = await answer(req, language).catch(({ status = 500, code, fields }) => {
    const known = status < 500 ? code : 'internal_error'
    const message = messages[language][known] ?? messages.en[known]
    return [status, { error: { code: known, message, requestId, fields } }]
  })
  const body = Buffer.from(JSON.stringify(value))
  res.writeHead(status, [
    ...headers,
    ...time(),
    'Content-Type', 'application/json; charset=utf-8',
    'Content-Length', String(body.length),
    ...more
  ]).end(body)
}).listen(Number(PORT), HOST)
