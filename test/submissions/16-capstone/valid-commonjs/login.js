'use strict'
const { pbkdf2, timingSafeEqual } = require('node:crypto')
const { promisify } = require('node:util')
const jwt = require('jsonwebtoken')
const { read } = require('./data.js')

const { users, secret } = read('users.json')
const byEmail = new Map(users.map((user) => [user.email, user]))

exports.logIn = async function (email, password) {
  const user = byEmail.get(email)
  if (!user) return
  const hash = await promisify(pbkdf2)(password, Buffer.from(user.salt, 'hex'), user.iterations, 512, user.digest)
  if (!timingSafeEqual(hash, Buffer.from(user.hash, 'hex'))) return
  return jwt.sign({ name: `${user.firstName} ${user.lastName}` }, secret, { subject: user.id, expiresIn: '1h' })
}

exports.userOf = function ({ headers: { authorization = '' } }) {
  try {
    return jwt.verify(/^Bearer (\S+)$/.exec(authorization)?.[1], secret, { algorithms: ['HS256'] })
  } catch {}
}
