// Plain node:http with a parser of query strings, and one place that catches.
import { pbkdf2, randomBytes, timingSafeEqual } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer, STATUS_CODES } from 'node:http'
import { join } from 'node:path'
import { parse } from 'node:querystring'
import { promisify } from 'node:util'

const { PORT = 3000, HOST = '127.0.0.1', DATA_DIR = '.' } = process.env
const ITERATIONS = 8000
const SALT_BYTES = 128
const HASH_BYTES = 512
const DIGEST = 'sha512'

const derive = promisify(pbkdf2)
const users = new Map(
  JSON.parse(readFileSync(join(DATA_DIR, 'users.json'), 'utf8')).map(({ username, salt, hash }) => [
    username,
    { salt: Buffer.from(salt, 'hex'), hash: Buffer.from(hash, 'hex') }
  ])
)
/** Names that are being registered. */
const pending = new Set()

const routes = new Map([['/newUser', register], ['/auth', authenticate]])

const server = createServer(async (req, res) => {
  try {
    await handle(req, res)
  } catch (error) {
    console.error(error)
    if (!res.headersSent) sendStatus(req, res, 500)
  }
})

server.listen(Number(PORT), HOST)

async function handle (req, res) {
  const mark = req.url.indexOf('?')
  const path = mark === -1 ? req.url : req.url.slice(0, mark)
  if (path !== '/healthz' && !routes.has(path)) return sendStatus(req, res, 404)
  if (req.method !== 'GET' && req.method !== 'HEAD') return sendStatus(req, res, 405, { Allow: 'GET, HEAD' })
  if (path === '/healthz') {
    return send(req, res, 200, 'application/json; charset=utf-8', JSON.stringify({ status: 'ok' }))
  }

  // A key that was sent twice is a list. maxKeys 0: no parameter is overlooked because many came before it.
  const { username, password } = parse(mark === -1 ? '' : req.url.slice(mark + 1), '&', '=', { maxKeys: 0 })
  if (!isText(username) || !isText(password)) return sendStatus(req, res, 400)
  sendStatus(req, res, await routes.get(path)(username, password))
}

async function register (username, password) {
  if (users.has(username) || pending.has(username)) return 409
  pending.add(username)
  try {
    const salt = randomBytes(SALT_BYTES)
    users.set(username, { salt, hash: await hash(password, salt) })
    return 200
  } finally {
    pending.delete(username)
  }
}

async function authenticate (username, password) {
  const user = users.get(username)
  if (user === undefined) return 401
  return timingSafeEqual(await hash(password, user.salt), user.hash) ? 200 : 401
}

function hash (password, salt) {
  return derive(password, salt, ITERATIONS, HASH_BYTES, DIGEST)
}

function isText (value) {
  return typeof value === 'string' && value !== ''
}

function sendStatus (req, res, status, headers = {}) {
  send(req, res, status, 'text/plain; charset=utf-8', STATUS_CODES[status] ?? String(status), headers)
}

function send (req, res, status, type, text, headers = {}) {
  res.writeHead(status, { ...headers, 'Content-Type': type, 'Content-Length': Buffer.byteLength(text) })
  res.end(req.method === 'HEAD' ? undefined : text)
}
