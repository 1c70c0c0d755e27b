import { randomBytes, timingSafeEqual } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import express from 'express'

const users = new Map()
for (const { username, salt, hash } of JSON.parse(readFileSync(join(process.env.DATA_DIR, 'users.json'), 'utf8'))) {
  users.set(username, { salt, hash: Buffer.from(hash, 'hex') })
}
const waiting = new Map()
let lastJob = 0

const workers = Array.from({ length: Math.max(2, availableParallelism()) }, () => {
  const worker = new Worker(new URL('hasher.js', import.meta.url))
  worker.on('message', ({ job, hash }) => {
    waiting.get(job)(hash)
    waiting.delete(job)
  })
  return worker
})

const app = express()
app.get('/healthz', (req, res) => res.json({ status: 'ok' }))

app.get('/newUser', async (req, res) => {
  const { username, password } = req.query
  if (!isText(username) || !isText(password)) return res.sendStatus(400)
  if (users.has(username)) return res.sendStatus(409)
  const salt = randomBytes(128).toString('hex')
  const hash = await derive(password, salt)
  if (users.has(username)) return res.sendStatus(409)
  users.set(username, { salt, hash })
  res.sendStatus(200)
})

app.get('/auth', async (req, res) => {
  const { username, password } = req.query
  if (!isText(username) || !isText(password)) return res.sendStatus(400)
  if (!users.has(username)) return res.sendStatus(401)
  const { salt, hash } = users.get(username)
  res.sendStatus(timingSafeEqual(await derive(password, salt), hash) ? 200 : 401)
})

app.listen(process.env.PORT, process.env.HOST)

function derive (password, salt) {
  const job = ++lastJob
  return new Promise((resolve) => {
    waiting.set(job, resolve)
    workers[job % workers.length].postMessage({ job, password, salt })
  })
}

function isText (value) {
  return typeof value === 'string' && value !== ''
}
