import crypto, { randomBytes, timingSafeEqual } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import express from 'express'
import jwt from 'jsonwebtoken'

const pbkdf2 = promisify(crypto.pbkdf2)
const read = (name) => JSON.parse(readFileSync(join(process.env.DATA_DIR, name), 'utf8'))
const config = read('config.json')
const users = new Map(read('users.json').map((user) => [user.email, user]))
const refreshTokens = new Map()
const app = express()
app.use(express.json())

app.get('/healthz', (req, res) => res.json({ status: 'ok' }))

app.post('/login', async (req, res) => {
  for (const name of ['email', 'password']) {
    const value = req.body?.[name]
    if (typeof value !== 'string' || value === '') {
      return res.status(400).json({ error: 'missing_required_parameters', context: { body: [name] } })
    }
  }
  const { email, password } = req.body
  const user = users.get(email)
  if (user === undefined || !await isRight(user, password)) {
    return res.status(401).json({ error: 'bad_credentials', message: 'Who are you?' })
  }
  const refreshToken = randomBytes(128).toString('hex')
  refreshTokens.set(refreshToken, user)
  res.cookie('refresh_token', refreshToken, { httpOnly: true, secure: true, path: '/token' })
  res.json({
    accessTokenExpiresIn: config.accessTokenTtlSeconds,
    refreshTokenExpiresIn: config.refreshTokenTtlSeconds,
    xsrfToken: setAccessToken(res, user)
  })
})

app.post('/token', (req, res) => {
  const refreshToken = /(?:^|; ?)refresh_token=(\w+)/.exec(req.headers.cookie)?.[1]
  const user = refreshTokens.get(refreshToken)
  refreshTokens.delete(refreshToken)
  if (user === undefined) return res.status(401).json({ error: 'bad_refresh_token' })
  res.json({ accessTokenExpiresIn: config.accessTokenTtlSeconds, xsrfToken: setAccessToken(res, user) })
})

app.listen(process.env.PORT, process.env.HOST)

async function isRight (user, password) {
  const stored = Buffer.from(user.hash, 'hex')
  const derived = await pbkdf2(password, Buffer.from(user.salt, 'hex'), user.iterations, stored.length, user.digest)
  return timingSafeEqual(derived, stored)
}

function setAccessToken (res, user) {
  const xsrfToken = randomBytes(32).toString('hex')
  const { id, firstName, lastName } = user
  const token = jwt.sign({ firstName, lastName, xsrfToken }, config.jwt.secret, {
    issuer: config.jwt.issuer, audience: config.jwt.audience, subject: id, expiresIn: config.accessTokenTtlSeconds
  })
  res.cookie('access_token', token, { httpOnly: true, secure: true })
  return xsrfToken
}
