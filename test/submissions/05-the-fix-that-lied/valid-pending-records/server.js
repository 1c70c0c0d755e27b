import crypto, { randomBytes, timingSafeEqual } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import express from 'express'

const pbkdf2 = promisify(crypto.pbkdf2)
const derive = (password, salt) => pbkdf2(password, Buffer.from(salt, 'hex'), 8000, 512, 'sha512')

// Name → promise of a record: a login that comes during its own registration waits for it.
const records = new Map()
for (const user of JSON.parse(readFileSync(join(process.env.DATA_DIR, 'users.json'), 'utf8'))) {
  records.set(user.username, Promise.resolve(user))
}

const app = express()
app.get('/healthz', (req, res) => res.json({ status: 'ok' }))

app.use((req, res, next) => {
  const { username, password } = req.query
  for (const value of [username, password]) {
    if (typeof value !== 'string' || value === '') return res.sendStatus(400)
  }
  res.locals = { username, password }
  next()
})

app.get('/newUser', async (req, res) => {
  const { username, password } = res.locals
  if (records.has(username)) return res.sendStatus(409)
  const record = createRecord(password)
  records.set(username, record)
  try {
    await record
  } catch (error) {
    records.delete(username)
    throw error
  }
  res.sendStatus(200)
})

app.get('/auth', async (req, res) => {
  const { username, password } = res.locals
  const record = await records.get(username)
  if (!record) return res.sendStatus(401)
  const derived = await derive(password, record.salt)
  res.sendStatus(timingSafeEqual(derived, Buffer.from(record.hash, 'hex')) ? 200 : 401)
})

app.listen(process.env.PORT, process.env.HOST)

async function createRecord (password) {
  const salt = randomBytes(128).toString('hex')
  return { salt, hash: (await derive(password, salt)).toString('hex') }
}
