import { randomBytes, randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import express from 'express'
import jwt from 'jsonwebtoken'

const read = (name) => JSON.parse(readFileSync(join(process.env.DATA_DIR, name), 'utf8'))
const { jwt: { secret, issuer, audience }, accessTokenTtlSeconds, refreshTokenTtlSeconds } = read('config.json')
const users = Object.fromEntries(read('users.json').map((user) => [user.email, user]))
const refreshTokens = new Map()
const waiting = new Map()
let lastJob = 0

const workers = Array.from({ length: Math.max(2, availableParallelism()) }, () => {
  const worker = new Worker(new URL('hasher.js', import.meta.url))
  worker.on('message', ({ job, right }) => {
    waiting.get(job)(right)
    waiting.delete(job)
  })
  return worker
})

const app = express()
app.use(express.json())
app.get('/healthz', (req, res) => res.json({ status: 'ok' }))

app.post('/login', async (req, res) => {
  const { email, password } = req.body
  for (const [name, value] of Object.entries({ email, password })) {
    if (typeof value !== 'string' || !value) {
      return res.status(400).json({ context: { body: [name] }, error: 'missing_required_parameters' })
    }
  }
  const user = Object.hasOwn(users, email) ? users[email] : undefined
  if (!user || !await isRight(user, password)) {
    return res.status(401).json({ message: 'Unknown.', error: 'bad_credentials' })
  }
  const refreshToken = randomBytes(128).toString('hex')
  refreshTokens.set(refreshToken, user)
  res.cookie('refresh_token', refreshToken, { path: '/token', httpOnly: true, secure: true })
  res.json({
    xsrfToken: giveAccess(res, user),
    accessTokenExpiresIn: accessTokenTtlSeconds,
    refreshTokenExpiresIn: refreshTokenTtlSeconds
  })
})

app.post('/token', (req, res) => {
  const token = req.get('Cookie')?.match(/(?:^|; ?)refresh_token=(\w+)/)?.[1]
  const user = refreshTokens.get(token)
  if (!user) return res.sendStatus(401)
  refreshTokens.delete(token)
  res.json({ xsrfToken: giveAccess(res, user), accessTokenExpiresIn: accessTokenTtlSeconds })
})

app.listen(process.env.PORT, process.env.HOST)

function isRight ({ salt, hash, iterations, digest }, password) {
  const job = ++lastJob
  return new Promise((resolve) => {
    waiting.set(job, resolve)
    workers[job % workers.length].postMessage({ job, password, salt, hash, iterations, digest })
  })
}

function giveAccess (res, { id, firstName, lastName }) {
  const xsrfToken = randomUUID()
  const token = jwt.sign({ firstName, lastName, xsrfToken }, secret, {
    issuer,
    audience,
    subject: id,
    expiresIn: accessTokenTtlSeconds
  })
  res.cookie('access_token', token, { httpOnly: true, secure: true })
  return xsrfToken
}
