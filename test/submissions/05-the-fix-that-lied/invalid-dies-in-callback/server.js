import { pbkdf2, randomBytes, timingSafeEqual } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import express from 'express'

const users = new Map(JSON.parse(readFileSync(join(process.env.DATA_DIR, 'users.json'), 'utf8')).map((user) => [user.username, user]))
const reserved = new Set()
const app = express()

app.get('/healthz', (req, res) => res.json({ status: 'ok' }))

app.get('/newUser', async (req, res) => {
  const { username, password } = req.query
  if (!username || !password || Array.isArray(username)) return res.sendStatus(400)
  if (users.has(username) || reserved.has(username)) return res.sendStatus(409)
  reserved.add(username)
  const { salt, derived } = await newHash(password)
  users.set(username, { salt, hash: derived.toString('hex') })
  reserved.delete(username)
  res.sendStatus(200)
})

app.get('/auth', async (req, res) => {
  const { username, password } = req.query
  if (!username || !password || Array.isArray(username)) return res.sendStatus(400)
  const user = users.get(username)
  if (user === undefined) return res.sendStatus(401)
  res.sendStatus(await isRight(user, password) ? 200 : 401)
})

app.listen(process.env.PORT, process.env.HOST)

function newHash (password) {
  return new Promise((resolve, reject) => {
    randomBytes(128, (error, salt) => {
      if (error) return reject(error)
      pbkdf2(password, salt, 8000, 512, 'sha512', (error, derived) => {
        if (error) reject(error)
        else resolve({ salt: salt.toString('hex'), derived })
      })
    })
  })
}

function derive (password, salt) {
  return new Promise((resolve, reject) => {
    pbkdf2(password, Buffer.from(salt, 'hex'), 8000, 512, 'sha512', (error, derived) => error ? reject(error) : resolve(derived))
  })
}

async function isRight ({ salt, hash }, password) {
  return timingSafeEqual(await derive(password, salt), Buffer.from(hash, 'hex'))
}
