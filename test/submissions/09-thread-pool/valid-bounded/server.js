import crypto, { timingSafeEqual } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import express from 'express'
import jwt from 'jsonwebtoken'

const { PORT, HOST, DATA_DIR } = process.env
const read = (name) => JSON.parse(readFileSync(join(DATA_DIR, name), 'utf8'))
const config = read('config.json')
const users = new Map(read('users.json').map((user) => [user.email, user]))
const [anyone] = users.values()
const pbkdf2 = promisify(crypto.pbkdf2)
// Of libuv's four threads one is always left for files.
const LIMIT = 3

const app = express()

app.post('/login', express.json(), async (req, res) => {
  const { email, password } = req.body ?? {}
  const missing = Object.entries({ email, password }).find(([, value]) => typeof value !== 'string' || value === '')
  if (missing) return res.status(400).json({ error: 'missing_required_parameters', context: { body: [missing[0]] } })
  const user = users.get(email)
  const right = await isRight(user ?? anyone, password)
  if (!user || !right) {
    return res.status(401).json({ error: 'bad_credentials', message: 'No.' })
  }
  const { id, firstName, lastName } = user
  const expiresIn = config.tokenTtlSeconds
  const token = jwt.sign({}, config.secret, { subject: id, expiresIn })
  res.json({ token, expiresIn, user: { id, firstName, lastName, avatar: `/avatar/${id}` } })
})

app.get('/avatar/:id', (req, res) => {
  res.sendFile(`${req.params.id}.png`, { root: DATA_DIR }, (error) => {
    if (error && !res.headersSent) res.status(404).json({ error: 'not_found' })
  })
})

app.listen(PORT, HOST)

let running = 0
const waiting = []

async function isRight (user, password) {
  if (running >= LIMIT) await new Promise((resolve) => waiting.push(resolve))
  else running++
  try {
    const stored = Buffer.from(user.hash, 'hex')
    const derived = await pbkdf2(password, Buffer.from(user.salt, 'hex'), user.iterations, stored.length, user.digest)
    return timingSafeEqual(derived, stored)
  } finally {
    // The place goes to the one who waits longest; only without one it becomes free.
    const next = waiting.shift()
    if (next) next()
    else running--
  }
}
