import { pbkdf2 as pbkdf2WithCallback, randomBytes, timingSafeEqual } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import express from 'express'

const pbkdf2 = promisify(pbkdf2WithCallback)
const { PORT = 3000, HOST = '127.0.0.1', DATA_DIR = '.' } = process.env
const ITERATIONS = 8000
const SALT_BYTES = 128
const HASH_BYTES = 512
const DIGEST = 'sha512'

const users = new Map(readJson('users.json').map((user) => [user.username, user]))
// Names whose first hash is still being computed: they're taken, but can't log in yet.
const reserved = new Set()

const app = express()

app.get('/healthz', (req, res) => {
  res.json({ status: 'ok' })
})

app.get('/newUser', async (req, res) => {
  const { username, password } = req.query
  if (!isText(username) || !isText(password)) return res.sendStatus(400)
  if (users.has(username) || reserved.has(username)) return res.sendStatus(409)

  reserved.add(username)
  try {
    const salt = randomBytes(SALT_BYTES)
    const derived = await hash(password, salt)
    users.set(username, { salt: salt.toString('hex'), hash: derived.toString('hex') })
  } finally {
    reserved.delete(username)
  }
  res.sendStatus(200)
})

app.get('/auth', async (req, res) => {
  const { username, password } = req.query
  if (!isText(username) || !isText(password)) return res.sendStatus(400)
  const user = users.get(username)
  if (user === undefined) return res.sendStatus(401)

  const derived = await hash(password, Buffer.from(user.salt, 'hex'))
  res.sendStatus(timingSafeEqual(derived, Buffer.from(user.hash, 'hex')) ? 200 : 401)
})

app.listen(PORT, HOST)

function hash (password, salt) {
  return pbkdf2(password, salt, ITERATIONS, HASH_BYTES, DIGEST)
}

function readJson (name) {
  return JSON.parse(readFileSync(join(DATA_DIR, name), 'utf8'))
}

function isText (value) {
  return typeof value === 'string' && value !== ''
}
