import { pbkdf2Sync, randomBytes, timingSafeEqual } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import express from 'express'

const { PORT = 3000, HOST = '127.0.0.1', DATA_DIR = '.' } = process.env
const ITERATIONS = 8000
const SALT_BYTES = 128
const HASH_BYTES = 512
const DIGEST = 'sha512'

const users = new Map(readJson('users.json').map((user) => [user.username, user]))

const app = express()

app.get('/healthz', (req, res) => {
  res.json({ status: 'ok' })
})

app.get('/newUser', (req, res) => {
  const { username, password } = req.query
  if (!isText(username) || !isText(password)) return res.sendStatus(400)
  if (users.has(username)) return res.sendStatus(409)

  const salt = randomBytes(SALT_BYTES)
  users.set(username, { salt: salt.toString('hex'), hash: hash(password, salt).toString('hex') })
  res.sendStatus(200)
})

app.get('/auth', (req, res) => {
  const { username, password } = req.query
  if (!isText(username) || !isText(password)) return res.sendStatus(400)
  const user = users.get(username)
  if (user === undefined) return res.sendStatus(401)

  const derived = hash(password, Buffer.from(user.salt, 'hex'))
  res.sendStatus(timingSafeEqual(derived, Buffer.from(user.hash, 'hex')) ? 200 : 401)
})

app.listen(PORT, HOST)

function hash (password, salt) {
  return pbkdf2Sync(password, salt, ITERATIONS, HASH_BYTES, DIGEST)
}

function readJson (name) {
  return JSON.parse(readFileSync(join(DATA_DIR, name), 'utf8'))
}

function isText (value) {
  return typeof value === 'string' && value !== ''
}
