import { createHmac, randomBytes, timingSafeEqual, webcrypto } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import express from 'express'

const { subtle } = webcrypto
const config = JSON.parse(readFileSync(join(process.env.DATA_DIR, 'config.json')))
const users = new Map(JSON.parse(readFileSync(join(process.env.DATA_DIR, 'users.json')))
  .map((user) => [user.email, user]))
const refreshTokens = new Map()
const flags = { httpOnly: true, secure: true }

const app = express()
app.disable('x-powered-by')
app.use(express.json())
app.get('/healthz', (req, res) => res.json({ status: 'ok' }))

app.post('/login', requireText('email', 'password'), async (req, res) => {
  const user = users.get(req.body.email)
  const right = user !== undefined && await verify(req.body.password, user)
  if (!right) return res.status(401).json({ error: 'bad_credentials', message: 'Wrong.' })
  const refreshToken = randomBytes(128).toString('base64')
  refreshTokens.set(refreshToken, user)
  res.cookie('refresh_token', refreshToken, { ...flags, path: '/token', maxAge: config.refreshTokenTtlSeconds * 1000 })
  res.json({ ...access(res, user), refreshTokenExpiresIn: config.refreshTokenTtlSeconds })
})

app.post('/token', (req, res) => {
  const token = decodeURIComponent(req.headers.cookie?.match(/(?:^|; ?)refresh_token=([^;]+)/)?.[1] ?? '')
  const user = refreshTokens.get(token)
  refreshTokens.delete(token)
  if (user === undefined) return res.status(401).end()
  res.json(access(res, user))
})

app.listen(process.env.PORT, process.env.HOST)

function requireText (...names) {
  return (req, res, next) => {
    const body = names.filter((name) => typeof req.body?.[name] !== 'string' || req.body[name] === '')
    if (body.length === 0) return next()
    res.status(400).json({ error: 'missing_required_parameters', context: { body } })
  }
}

async function verify (password, { salt, hash, iterations }) {
  const key = await subtle.importKey('raw', new TextEncoder().encode(password), 'PBKDF2', false, ['deriveBits'])
  const algorithm = { name: 'PBKDF2', hash: 'SHA-512', salt: Buffer.from(salt, 'hex'), iterations }
  const bits = await subtle.deriveBits(algorithm, key, 4096)
  return timingSafeEqual(Buffer.from(bits), Buffer.from(hash, 'hex'))
}

function access (res, { id: sub, firstName, lastName }) {
  const xsrfToken = randomBytes(20).toString('hex')
  const exp = Math.floor(Date.now() / 1000) + config.accessTokenTtlSeconds
  const { issuer: iss, audience: aud, secret } = config.jwt
  const part = (value) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const claims = { iss, aud: [aud], sub, exp, firstName, lastName, xsrfToken }
  const signed = `${part({ alg: 'HS256', typ: 'JWT' })}.${part(claims)}`
  const signature = createHmac('sha256', secret).update(signed).digest('base64url')
  res.cookie('access_token', `${signed}.${signature}`, { ...flags, sameSite: 'lax' })
  return { accessTokenExpiresIn: config.accessTokenTtlSeconds, xsrfToken }
}
