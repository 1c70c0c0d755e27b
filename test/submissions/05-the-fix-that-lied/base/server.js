import crypto, { randomBytes, timingSafeEqual } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import express from 'express'

const pbkdf2 = promisify(crypto.pbkdf2)
const users = new Map(JSON.parse(readFileSync(join(process.env.DATA_DIR, 'users.json'), 'utf8'))
  .map((user) => [user.username, user]))
const reserved = new Set()
const app = express()

app.get('/healthz', (req, res) => res.json({ status: 'ok' }))

app.get('/newUser', async (req, res) => {
  const { username, password } = req.query
  if (!isText(username) || !isText(password)) return res.sendStatus(400)
  if (users.has(username) || reserved.has(username)) return res.sendStatus(409)
  reserved.add(username)
  const salt = randomBytes(128).toString('hex')
  const derived = await derive(password, salt)
  users.set(username, { salt, hash: derived.toString('hex') })
  reserved.delete(username)
  res.sendStatus(200)
})

app.get('/auth', async (req, res) => {
  const { username, password } = req.query
  if (!isText(username) || !isText(password)) return res.sendStatus(400)
  const user = users.get(username)
  if (user === undefined) return res.sendStatus(401)
  res.sendStatus(await isRight(user, password) ? 200 : 401)
})

app.listen(process.env.PORT, process.env.HOST)

function derive (password, salt) {
  return pbkdf2(password, Buffer.from(salt, 'hex'), 8000, 512, 'sha512')
}

async function isRight ({ salt, hash }, password) {
  return timingSafeEqual(await derive(password, salt), Buffer.from(hash, 'hex'))
}

function isText (value) {
  return typeof value === 'string' && value !== ''
}
