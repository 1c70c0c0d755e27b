import crypto, { timingSafeEqual } from 'node:crypto'
import { readFileSync, promises as fs } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import express from 'express'
import jwt from 'jsonwebtoken'

const { PORT, HOST, DATA_DIR } = process.env
const read = (name) => JSON.parse(readFileSync(join(DATA_DIR, name), 'utf8'))
const config = read('config.json')
const users = new Map(read('users.json').map((user) => [user.email, user]))
const pbkdf2 = promisify(crypto.pbkdf2)
const LIMIT = 3

const app = express()

app.post('/login', express.json(), async (req, res) => {
  const { email, password } = req.body ?? {}
  const missing = Object.entries({ email, password }).find(([, value]) => typeof value !== 'string' || value === '')
  if (missing) return res.status(400).json({ error: 'missing_required_parameters', context: { body: [missing[0]] } })
  const user = users.get(email)
  if (!user || !await isRight(user, password)) {
    return res.status(401).json({ error: 'bad_credentials', message: 'No.' })
  }
  const { id, firstName, lastName } = user
  const expiresIn = config.tokenTtlSeconds
  const token = jwt.sign({}, config.secret, { subject: id, expiresIn })
  res.json({ token, expiresIn, user: { id, firstName, lastName, avatar: `/avatar/${id}` } })
})

app.get('/avatar/:id', async (req, res) => {
  try {
    const file = join(DATA_DIR, `${req.params.id}.png`)
    const [bytes, { mtime }] = await Promise.all([fs.readFile(file), fs.stat(file)])
    res.set({ 'Last-Modified': mtime.toUTCString(), 'Cache-Control': 'public, max-age=0' })
    res.type('png').send(bytes)
  } catch {
    res.status(404).json({ error: 'not_found' })
  }
})

app.use((error, req, res, next) => res.status(error.status ?? 500).json({ error: 'error' }))

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
