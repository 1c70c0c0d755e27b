// restify, and Web Crypto for the hash.
import { randomBytes, timingSafeEqual, webcrypto } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import jwt from 'jsonwebtoken'
import restify from 'restify'

const { PORT = '3000', HOST = '127.0.0.1', DATA_DIR = '.' } = process.env
const digests = { sha1: 'SHA-1', sha256: 'SHA-256', sha384: 'SHA-384', sha512: 'SHA-512' }
const { subtle } = webcrypto

const config = readJson('config.json')
const users = readJson('users.json').map((user) => ({
  ...user,
  hash: Buffer.from(user.hash, 'hex'),
  salt: Buffer.from(user.salt, 'hex')
}))
const usersByEmail = new Map(users.map((user) => [user.email, user]))
const usersById = new Map(users.map((user) => [user.id, user]))
const refreshTokens = new Map()

const server = restify.createServer({ name: 'login' })
// Only JSON is a body here: what a form sends has no e-mail.
server.use(restify.plugins.jsonBodyParser({ maxBodySize: 100 * 1024 }))

server.get('/healthz', async (req, res) => {
  res.send({ status: 'ok' })
})

server.post('/login', async (req, res) => {
  const { email, password } = typeof req.body === 'object' && req.body !== null ? req.body : {}
  const missing = Object.entries({ email, password }).filter(([, value]) => !isText(value)).map(([name]) => name)
  if (missing.length > 0) {
    res.send(400, { error: 'missing_required_parameters', context: { body: missing } })
    return
  }
  const user = usersByEmail.get(email)
  if (user === undefined || !await isRightPassword(user, password)) {
    res.send(401, { error: 'bad_credentials', message: 'E-mail or password is wrong.' })
    return
  }
  const access = createAccessToken(user)
  res.setHeader('Set-Cookie', [access.cookie, createRefreshCookie(user)])
  res.send({
    accessTokenExpiresIn: config.accessTokenTtlSeconds,
    refreshTokenExpiresIn: config.refreshTokenTtlSeconds,
    xsrfToken: access.xsrfToken
  })
})

server.post('/token', async (req, res) => {
  const refreshToken = readCookie(req, 'refresh_token')
  const session = refreshTokens.get(refreshToken)
  refreshTokens.delete(refreshToken)
  if (session === undefined || session.expiresAt < Date.now()) {
    res.send(401, { error: 'bad_refresh_token', message: 'Log in again.' })
    return
  }
  const { xsrfToken, cookie } = createAccessToken(usersById.get(session.userId))
  res.setHeader('Set-Cookie', [cookie])
  res.send({ accessTokenExpiresIn: config.accessTokenTtlSeconds, xsrfToken })
})

server.listen(Number(PORT), HOST)

/** Web Crypto derives on a thread of libuv's pool. */
async function isRightPassword ({ hash, salt, iterations, digest }, password) {
  const key = await subtle.importKey('raw', Buffer.from(password), 'PBKDF2', false, ['deriveBits'])
  const algorithm = { name: 'PBKDF2', hash: digests[digest.toLowerCase()], salt, iterations }
  const derived = await subtle.deriveBits(algorithm, key, hash.length * 8)
  return timingSafeEqual(Buffer.from(derived), hash)
}

function createAccessToken ({ id, firstName, lastName }) {
  const xsrfToken = randomBytes(32).toString('hex')
  const token = jwt.sign({ firstName, lastName, xsrfToken }, config.jwt.secret, {
    algorithm: 'HS256',
    issuer: config.jwt.issuer,
    audience: config.jwt.audience,
    subject: id,
    expiresIn: config.accessTokenTtlSeconds
  })
  return { xsrfToken, cookie: cookieOf('access_token', token, '/', config.accessTokenTtlSeconds) }
}

function createRefreshCookie ({ id }) {
  const token = randomBytes(128).toString('hex')
  refreshTokens.set(token, { userId: id, expiresAt: Date.now() + config.refreshTokenTtlSeconds * 1000 })
  return cookieOf('refresh_token', token, '/token', config.refreshTokenTtlSeconds)
}

function cookieOf (name, value, path, seconds) {
  const expires = new Date(Date.now() + seconds * 1000).toUTCString()
  return `${name}=${value}; Max-Age=${seconds}; Path=${path}; Expires=${expires}; HttpOnly; Secure`
}

function readCookie (req, name) {
  const cookies = (req.headers.cookie ?? '').split(';').map((cookie) => cookie.trim().split('='))
  return cookies.find(([key]) => key === name)?.[1]
}

function readJson (name) {
  return JSON.parse(readFileSync(join(DATA_DIR, name), 'utf8'))
}

function isText (value) {
  return typeof value === 'string' && value !== ''
}
