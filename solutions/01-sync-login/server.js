import { pbkdf2 as pbkdf2WithCallback, randomBytes, timingSafeEqual } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import express from 'express'
import jwt from 'jsonwebtoken'

const pbkdf2 = promisify(pbkdf2WithCallback)
const { PORT = 3000, HOST = '127.0.0.1', DATA_DIR = '.' } = process.env

const config = readJson('config.json')
const usersByEmail = new Map(readJson('users.json').map((user) => [user.email, user]))
const usersById = new Map(readJson('users.json').map((user) => [user.id, user]))
const refreshTokens = new Map()

const app = express()
app.use(express.json())

app.get('/healthz', (req, res) => {
  res.json({ status: 'ok' })
})

app.post('/login', async (req, res) => {
  const { email, password } = req.body ?? {}
  const missing = Object.entries({ email, password }).filter(([, value]) => !isText(value)).map(([name]) => name)
  if (missing.length > 0) {
    return res.status(400).json({ error: 'missing_required_parameters', context: { body: missing } })
  }

  const user = usersByEmail.get(email)
  if (user === undefined || !await isRightPassword(user, password)) {
    return res.status(401).json({ error: 'bad_credentials', message: 'E-mail or password is wrong.' })
  }

  const xsrfToken = setAccessToken(res, user)
  setRefreshToken(res, user)
  res.json({
    accessTokenExpiresIn: config.accessTokenTtlSeconds,
    refreshTokenExpiresIn: config.refreshTokenTtlSeconds,
    xsrfToken
  })
})

app.post('/token', (req, res) => {
  const refreshToken = readCookie(req, 'refresh_token')
  const session = refreshTokens.get(refreshToken)
  refreshTokens.delete(refreshToken)
  if (session === undefined || session.expiresAt < Date.now()) {
    return res.status(401).json({ error: 'bad_refresh_token', message: 'Log in again.' })
  }

  const xsrfToken = setAccessToken(res, usersById.get(session.userId))
  res.json({ accessTokenExpiresIn: config.accessTokenTtlSeconds, xsrfToken })
})

app.listen(PORT, HOST)

async function isRightPassword (user, password) {
  const stored = Buffer.from(user.hash, 'hex')
  const salt = Buffer.from(user.salt, 'hex')
  const derived = await pbkdf2(password, salt, user.iterations, stored.length, user.digest)
  return timingSafeEqual(derived, stored)
}

function setAccessToken (res, user) {
  const xsrfToken = randomBytes(32).toString('hex')
  const { id, firstName, lastName } = user
  const token = jwt.sign({ firstName, lastName, xsrfToken }, config.jwt.secret, {
    algorithm: 'HS256',
    issuer: config.jwt.issuer,
    audience: config.jwt.audience,
    subject: id,
    expiresIn: config.accessTokenTtlSeconds
  })
  res.cookie('access_token', token, {
    httpOnly: true,
    secure: true,
    maxAge: config.accessTokenTtlSeconds * 1000
  })
  return xsrfToken
}

function setRefreshToken (res, user) {
  const token = randomBytes(128).toString('hex')
  const maxAge = config.refreshTokenTtlSeconds * 1000
  refreshTokens.set(token, { userId: user.id, expiresAt: Date.now() + maxAge })
  res.cookie('refresh_token', token, { httpOnly: true, secure: true, path: '/token', maxAge })
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
