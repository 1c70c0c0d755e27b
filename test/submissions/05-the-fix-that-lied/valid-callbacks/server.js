'use strict'

const crypto = require('node:crypto')
const fs = require('node:fs')
const path = require('node:path')
const express = require('express')

const users = Object.create(null)
for (const user of JSON.parse(fs.readFileSync(path.join(process.env.DATA_DIR, 'users.json'), 'utf8'))) {
  users[user.username] = { salt: Buffer.from(user.salt, 'hex'), hash: Buffer.from(user.hash, 'hex') }
}
const app = express()

app.get('/healthz', (req, res) => res.json({ status: 'ok' }))

app.get('/newUser', credentials, (req, res, next) => {
  const { username, password } = req.query
  if (users[username]) return res.sendStatus(409)
  crypto.randomBytes(128, (error, salt) => {
    if (error) return next(error)
    derive(password, salt, (error, hash) => {
      if (error) return next(error)
      // Somebody else may have been faster.
      if (users[username]) return res.sendStatus(409)
      users[username] = { salt, hash }
      res.sendStatus(200)
    })
  })
})

app.get('/auth', credentials, (req, res, next) => {
  const user = users[req.query.username]
  if (!user) return res.sendStatus(401)
  derive(req.query.password, user.salt, (error, hash) => {
    if (error) return next(error)
    res.sendStatus(crypto.timingSafeEqual(hash, user.hash) ? 200 : 401)
  })
})

app.listen(process.env.PORT, process.env.HOST)

function credentials (req, res, next) {
  const { username, password } = req.query
  const good = [username, password].every((value) => typeof value === 'string' && value.length > 0)
  return good ? next() : res.sendStatus(400)
}

function derive (password, salt, callback) {
  crypto.pbkdf2(password, salt, 8000, 512, 'sha512', callback)
}
