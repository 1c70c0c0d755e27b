// Threads of its own for the hashes, as many as cores, each replaced when it ends.
import { timingSafeEqual } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import express from 'express'
import jwt from 'jsonwebtoken'
import { hash } from './pool.js'

const { PORT = 3000, HOST = '127.0.0.1', DATA_DIR = '.' } = process.env

const config = readJson('config.json')
const usersByEmail = new Map(readJson('users.json').map((user) => [user.email, user]))

const app = express()
app.disable('x-powered-by')

app.post('/login', express.json(), async (req, res) => {
  const { email, password } = req.body ?? {}
  const missing = Object.entries({ email, password }).filter(([, value]) => !isText(value)).map(([name]) => name)
  if (missing.length > 0) {
    return res.status(400).json({ error: 'missing_required_parameters', context: { body: missing } })
  }

  const user = usersByEmail.get(email)
  if (user === undefined || !await isRightPassword(user, password)) {
    return res.status(401).json({ error: 'bad_credentials', message: 'E-mail or password is wrong.' })
  }

  const { id, firstName, lastName } = user
  const expiresIn = config.tokenTtlSeconds
  const token = jwt.sign({}, config.secret, { algorithm: 'HS256', subject: id, expiresIn })
  res.json({ token, expiresIn, user: { id, firstName, lastName, avatar: `/avatar/${id}` } })
})

app.get('/avatar/:id', (req, res) => {
  res.sendFile(`${req.params.id}.png`, { root: DATA_DIR }, (error) => {
    if (error && !res.headersSent) res.status(404).json({ error: 'not_found' })
  })
})

app.use((error, req, res, next) => {
  if (res.headersSent) return next(error)
  res.status(error.status ?? 500).json({ error: error.type ?? 'internal_error' })
})

app.listen(Number(PORT), HOST)

async function isRightPassword (user, password) {
  const stored = Buffer.from(user.hash, 'hex')
  const salt = Buffer.from(user.salt, 'hex')
  const { iterations, digest } = user
  const derived = await hash({ password, salt, iterations, length: stored.length, digest })
  return timingSafeEqual(derived, stored)
}

function readJson (name) {
  return JSON.parse(readFileSync(join(DATA_DIR, name), 'utf8'))
}

function isText (value) {
  return typeof value === 'string' && value !== ''
}
