'use strict'

const { fork } = require('node:child_process')
const { randomBytes, pbkdf2Sync, timingSafeEqual } = require('node:crypto')
const { readFileSync } = require('node:fs')
const { createServer } = require('node:http')
const { availableParallelism } = require('node:os')
const { join } = require('node:path')
const { parse } = require('node:querystring')

// The same file again: one process serves, the others hash one password at a time.
if (process.argv[2] === 'hash') {
  process.on('disconnect', () => process.exit())
  process.on('message', ({ password, salt }) => {
    process.send(pbkdf2Sync(password, Buffer.from(salt, 'hex'), 8000, 512, 'sha512').toString('hex'))
  })
} else {
  serve()
}

function serve () {
  const { PORT, HOST, DATA_DIR } = process.env
  const users = new Map(JSON.parse(readFileSync(join(DATA_DIR, 'users.json'), 'utf8'))
    .map(({ username, ...record }) => [username, record]))
  const hash = startHashers(Math.max(2, availableParallelism()))
  const routes = {
    '/newUser': async (username, password) => {
      if (users.has(username)) return 409
      const record = { salt: randomBytes(128).toString('hex'), hash: undefined }
      users.set(username, record)
      record.hash = await hash(password, record.salt).catch((error) => {
        users.delete(username)
        throw error
      })
      return 200
    },
    '/auth': async (username, password) => {
      const { salt, hash: stored } = users.get(username) ?? {}
      if (stored === undefined) return 401
      const derived = await hash(password, salt)
      return timingSafeEqual(Buffer.from(derived, 'hex'), Buffer.from(stored, 'hex')) ? 200 : 401
    }
  }
  const texts = { 200: 'OK', 400: 'Bad Request', 401: 'Unauthorized', 409: 'Conflict', 500: 'Internal Server Error' }

  createServer(async (req, res) => {
    // Nobody is kept waiting for a second request.
    res.setHeader('Connection', 'close')
    const [path, query] = req.url.split('?')
    if (path === '/healthz') return res.setHeader('Content-Type', 'application/json').end('{"status":"ok"}')
    if (!Object.hasOwn(routes, path)) return res.writeHead(404).end()
    const { username, password } = parse(query)
    const isWhole = [username, password].every((value) => typeof value === 'string' && value !== '')
    const status = isWhole ? await routes[path](username, password).catch(() => 500) : 400
    res.writeHead(status, { 'Content-Type': 'text/plain' }).end(texts[status])
  }).listen(Number(PORT), HOST)
}

function startHashers (count) {
  const waiting = []
  const idle = []
  const next = () => {
    if (idle.length === 0 || waiting.length === 0) return
    const hasher = idle.pop()
    const { job, resolve } = waiting.shift()
    hasher.once('message', (derived) => {
      idle.push(hasher)
      resolve(derived)
      next()
    })
    hasher.send(job)
  }
  for (let i = 0; i < count; i++) {
    const hasher = fork(__filename, ['hash'])
    // Without all of them logins would be lost: whoever watches this server should start it again.
    hasher.on('exit', () => process.exit(1))
    idle.push(hasher)
  }
  return (password, salt) => new Promise((resolve) => {
    waiting.push({ job: { password, salt }, resolve })
    next()
  })
}
