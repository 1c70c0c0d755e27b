import crypto, { timingSafeEqual } from 'node:crypto'
import { fork } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import express from 'express'
import jwt from 'jsonwebtoken'

// The same file twice: one process serves, the other one hashes, and each has a pool of its own.
if (process.argv[2] === 'hash') hashForTheServer()
else serve()

function hashForTheServer () {
  process.on('message', ({ id, password, salt, iterations, length, digest }) => {
    crypto.pbkdf2(password, Buffer.from(salt, 'hex'), iterations, length, digest, (error, derived) => {
      process.send({ id, error: error?.message, derived: derived?.toString('hex') })
    })
  })
  process.on('disconnect', () => process.exit())
}

function serve () {
  const { PORT, HOST, DATA_DIR } = process.env
  const [config, users] = ['config.json', 'users.json']
    .map((name) => JSON.parse(readFileSync(join(DATA_DIR, name), 'utf8')))
  const hasher = fork(fileURLToPath(import.meta.url), ['hash'])
  const asked = new Map()
  let lastId = 0
  hasher.on('message', ({ id, error, derived }) => {
    const { resolve, reject } = asked.get(id)
    asked.delete(id)
    if (error) reject(new Error(error))
    else resolve(Buffer.from(derived, 'hex'))
  })
  // Without it nobody can log in: whoever watches this server should start it again.
  hasher.on('exit', () => process.exit(1))

  const isRight = async ({ hash, salt, iterations, digest }, password) => {
    const derived = await new Promise((resolve, reject) => {
      asked.set(++lastId, { resolve, reject })
      hasher.send({ id: lastId, password, salt, iterations, length: hash.length / 2, digest })
    })
    return timingSafeEqual(derived, Buffer.from(hash, 'hex'))
  }

  const app = express()
  app.post('/login', express.json(), async (req, res) => {
    const { email, password } = req.body ?? {}
    const missing = Object.entries({ email, password }).find(([, value]) => typeof value !== 'string' || value === '')
    if (missing) return res.status(400).json({ error: 'missing_required_parameters', context: { body: [missing[0]] } })
    const user = users.find((user) => user.email === email)
    const right = await isRight(user ?? users[0], password)
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
}
