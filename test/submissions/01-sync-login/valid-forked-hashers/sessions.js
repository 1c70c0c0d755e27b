'use strict'

const { randomBytes } = require('node:crypto')
const cookie = require('cookie')
const jwt = require('jsonwebtoken')
const { config } = require('./data')

const { secret, issuer, audience } = config.jwt
const flags = { httpOnly: true, secure: true, sameSite: 'strict' }
const sessions = new Map()

exports.giveAccess = ({ id, firstName, lastName }) => {
  const xsrfToken = randomBytes(24).toString('base64url')
  const maxAge = config.accessTokenTtlSeconds
  const token = jwt.sign({ firstName, lastName, xsrfToken }, secret, {
    issuer,
    audience,
    subject: id,
    expiresIn: maxAge
  })
  return { xsrfToken, cookie: cookie.serialize('access_token', token, { ...flags, maxAge }) }
}

exports.open = (user) => {
  const token = randomBytes(128).toString('base64url')
  const maxAge = config.refreshTokenTtlSeconds
  sessions.set(token, { user, expiresAt: Date.now() + maxAge * 1000 })
  return cookie.serialize('refresh_token', token, { ...flags, path: '/token', maxAge })
}

exports.redeem = (header = '') => {
  const token = cookie.parse(header).refresh_token
  const session = sessions.get(token)
  sessions.delete(token)
  return session && session.expiresAt > Date.now() ? session.user : undefined
}
