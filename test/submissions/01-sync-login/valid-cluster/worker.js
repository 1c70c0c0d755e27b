import crypto, { randomBytes, timingSafeEqual } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import express from 'express'
import jwt from 'jsonwebtoken'
import { keep, redeem } from './tokens.js'

const pbkdf2 = promisify(crypto.pbkdf2)
const { PORT, HOST, DATA_DIR } = process.env
const [config, users] = ['config.json', 'users.json']
  .map((name) => JSON.parse(readFileSync(join(DATA_DIR, name), 'utf8')))
const flags = { httpOnly: true, secure: true, sameSite: 'strict' }
const app = express()

// Each connection is closed when it was answered, so that the next one may go to another process.
app.use((req, res, next) => {
  res.set('Connection', 'close')
  next()
})

app.get('/healthz', (req, res) => res.json({ status: 'ok' }))

app.post('/login', express.json(), async (req, res) => {
  const { email, password } = req.body ?? {}
  const isMissing = (value) => typeof value !== 'string' || value === ''
  if (isMissing(email) || isMissing(password)) return res.status(400).json({ error: 'missing_required_parameters' })
  const user = users.find((user) => user.email === email)
  if (!user || !await isRight(user, password)) {
    return res.status(401).json({ error: 'bad_credentials', message: 'Not like this.' })
  }
  const token = randomBytes(128).toString('base64url')
  await keep(token, user.id)
  res.cookie('refresh_token', token, { ...flags, path: '/token', maxAge: config.refreshTokenTtlSeconds * 1000 })
  res.json({ ...giveAccess(res, user), refreshTokenExpiresIn: config.refreshTokenTtlSeconds })
})

app.post('/token', async (req, res) => {
  const [, token] = /(?:^|; ?)refresh_token=([^;]+)/.exec(req.headers.cookie) ?? []
  const id = token && await redeem(token)
  if (!id) return res.status(401).json({ error: 'bad_refresh_token' })
  res.json(giveAccess(res, users.find((user) => user.id === id)))
})

app.listen(PORT, HOST)

async function isRight ({ salt, hash, iterations, digest }, password) {
  const stored = Buffer.from(hash, 'hex')
  return timingSafeEqual(await pbkdf2(password, Buffer.from(salt, 'hex'), iterations, stored.length, digest), stored)
}

function giveAccess (res, { id: subject, firstName, lastName }) {
  const xsrfToken = randomBytes(32).toString('base64url')
  const { secret, issuer, audience } = config.jwt
  const expiresIn = config.accessTokenTtlSeconds
  const token = jwt.sign({ firstName, lastName, xsrfToken }, secret, { issuer, audience, subject, expiresIn })
  res.cookie('access_token', token, flags)
  return { accessTokenExpiresIn: expiresIn, xsrfToken }
}
