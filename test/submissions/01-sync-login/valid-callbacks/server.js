'use strict'

const crypto = require('node:crypto')
const fs = require('node:fs')
const path = require('node:path')
const express = require('express')
const jwt = require('jsonwebtoken')

const read = (name) => JSON.parse(fs.readFileSync(path.join(process.env.DATA_DIR, name), 'utf8'))
const config = read('config.json')
const users = read('users.json')
const sessions = {}
const app = express()

app.get('/healthz', (req, res) => res.json({ status: 'ok' }))

app.post('/login', express.json(), (req, res, next) => {
  const { email, password } = req.body || {}
  const missing = [['email', email], ['password', password]].filter(([, value]) => !value || typeof value !== 'string')
  if (missing.length > 0) {
    return res.status(400).send({
      error: 'missing_required_parameters',
      context: { body: missing.map(([name]) => name) }
    })
  }
  const user = users.find((candidate) => candidate.email === email)
  if (!user) return refuse(res)
  crypto.pbkdf2(password, Buffer.from(user.salt, 'hex'), user.iterations, 512, user.digest, (error, derived) => {
    if (error) return next(error)
    if (!crypto.timingSafeEqual(derived, Buffer.from(user.hash, 'hex'))) return refuse(res)
    crypto.randomBytes(160, (error, random) => {
      if (error) return next(error)
      const refreshToken = random.subarray(0, 128).toString('base64url')
      sessions[refreshToken] = user
      res.cookie('refresh_token', refreshToken, { httpOnly: true, secure: true, path: '/token', sameSite: 'strict' })
      answer(res, user, random.subarray(128).toString('base64url'), next)
    })
  })
})

app.post('/token', (req, res, next) => {
  const [, token] = /(?:^|; ?)refresh_token=([\w-]+)/.exec(req.headers.cookie) || []
  const user = Object.hasOwn(sessions, token) && sessions[token]
  if (!user) return res.sendStatus(401)
  delete sessions[token]
  answer(res, user, crypto.randomUUID(), next)
})

app.listen(process.env.PORT, process.env.HOST)

function refuse (res) {
  res.status(401).send({ error: 'bad_credentials', message: 'Try again.' })
}

function answer (res, { id: subject, firstName, lastName }, xsrfToken, next) {
  const { secret, issuer, audience } = config.jwt
  const options = { issuer, audience, subject, expiresIn: config.accessTokenTtlSeconds }
  jwt.sign({ firstName, lastName, xsrfToken }, secret, options, (error, token) => {
    if (error) return next(error)
    res.cookie('access_token', token, { httpOnly: true, secure: true, sameSite: 'strict' })
    res.send({
      accessTokenExpiresIn: config.accessTokenTtlSeconds,
      refreshTokenExpiresIn: config.refreshTokenTtlSeconds,
      xsrfToken
    })
  })
}
