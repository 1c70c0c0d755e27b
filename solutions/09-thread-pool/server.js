import { timingSafeEqual } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import express from 'express'
import jwt from 'jsonwebtoken'
import { pbkdf2 } from './hashing.js'

const { PORT = 3000, HOST = '127.0.0.1', DATA_DIR = '.' } = process.env

const config = readJson('config.json')
const users = readJson('users.json')
const usersByEmail = new Map(users.map((user) => [user.email, user]))

const app = express()
app.disable('x-powered-by')

app.post('/login', express.json(), async (req, res) => {
  const { email, password } = req.body ?? {}
  const missing = Object.entries({ email, password }).filter(([, value]) => !isText(value)).map(([name]) => name)
  if (missing.length > 0) {
    return res.status(400).json({ error: 'missing_required_parameters', context: { body: missing } })
  }

  const user = usersByEmail.get(email)
  // An unknown address costs a hash as well: a quicker 401 would tell which addresses exist.
  const isRight = await isRightPassword(user ?? users[0], password)
  if (user === undefined || !isRight) {
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
  const derived = await pbkdf2(password, salt, user.iterations, stored.length, user.digest)
  return timingSafeEqual(derived, stored)
}

function readJson (name) {
  return JSON.parse(readFileSync(join(DATA_DIR, name), 'utf8'))
}

function isText (value) {
  return typeof value === 'string' && value !== ''
}
