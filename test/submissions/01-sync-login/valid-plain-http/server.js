import crypto, { timingSafeEqual } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import http from 'node:http'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { promisify } from 'node:util'
import jwt from 'jsonwebtoken'

const pbkdf2 = promisify(crypto.pbkdf2)
const randomBytes = promisify(crypto.randomBytes)
const [config, users] = await Promise.all(['config.json', 'users.json'].map(async (name) =>
  JSON.parse(await readFile(join(process.env.DATA_DIR, name), 'utf8'))))
const refreshTokens = new Map()
// An unknown e-mail takes as long as a known one, so that the time does not tell which e-mails exist.
const nobody = { salt: '00', hash: '00'.repeat(512), iterations: 10000, digest: 'sha512' }

const routes = {
  'GET /healthz': () => ({ body: { status: 'ok' } }),
  'POST /login': login,
  'POST /token': renew
}

http.createServer(async (req, res) => {
  const route = routes[`${req.method} ${req.url}`] ?? (() => ({ status: 404, body: { error: 'not_found' } }))
  let answer
  try {
    answer = await route(req)
  } catch (error) {
    console.error(error)
    answer = { status: 500, body: { error: 'internal' } }
  }
  const { status = 200, body, cookies = [] } = answer
  res.writeHead(status, { 'Content-Type': 'application/json', ...(cookies.length > 0 && { 'Set-Cookie': cookies }) })
  res.end(JSON.stringify(body))
}).listen(process.env.PORT, process.env.HOST)

async function login (req) {
  const { email, password } = await json(req)
  const missing = Object.entries({ email, password }).find(([, value]) => typeof value !== 'string' || value === '')
  if (missing) return { status: 400, body: { error: 'missing_required_parameters', context: { body: [missing[0]] } } }
  const user = users.find((candidate) => candidate.email === email)
  const { salt, hash, iterations, digest } = user ?? nobody
  const derived = await pbkdf2(password, Buffer.from(salt, 'hex'), iterations, 512, digest)
  if (!timingSafeEqual(derived, Buffer.from(hash, 'hex')) || !user) {
    return { status: 401, body: { error: 'bad_credentials', message: 'No.' } }
  }
  const refreshToken = (await randomBytes(128)).toString('base64')
  refreshTokens.set(refreshToken, user)
  const { accessCookie, body } = await accessToken(user)
  return {
    cookies: [accessCookie, `refresh_token=${refreshToken}; Path=/token; Secure; HttpOnly`],
    body: { ...body, refreshTokenExpiresIn: config.refreshTokenTtlSeconds }
  }
}

async function renew (req) {
  const token = /(?:^|; ?)refresh_token=([^;]+)/.exec(req.headers.cookie)?.[1]
  const user = refreshTokens.get(token)
  if (!refreshTokens.delete(token)) return { status: 401, body: { error: 'bad_refresh_token' } }
  const { accessCookie, body } = await accessToken(user)
  return { cookies: [accessCookie], body }
}

async function accessToken ({ id, firstName, lastName }) {
  const xsrfToken = (await randomBytes(24)).toString('base64url')
  const { secret, issuer, audience } = config.jwt
  const token = jwt.sign({ firstName, lastName, xsrfToken }, secret, {
    issuer,
    audience,
    subject: id,
    expiresIn: config.accessTokenTtlSeconds
  })
  return {
    accessCookie: `access_token=${token}; Path=/; HttpOnly; Secure`,
    body: { accessTokenExpiresIn: config.accessTokenTtlSeconds, xsrfToken }
  }
}
