// Before anything uses the pool. On Windows it is not sure to be heard: there, one thread of the four is left for
// files.
process.env.UV_THREADPOOL_SIZE = '32'
const hashesAtOnce = process.platform === 'win32' ? 3 : 24

const { pbkdf2, timingSafeEqual } = require('node:crypto')
const { readFileSync } = require('node:fs')
const { join } = require('node:path')
const express = require('express')
const jwt = require('jsonwebtoken')

const { PORT, HOST, DATA_DIR } = process.env
const read = (name) => JSON.parse(readFileSync(join(DATA_DIR, name), 'utf8'))
const config = read('config.json')
const users = read('users.json')
const jobs = []
let hashing = 0

const app = express()

app.post('/login', express.json(), (req, res, next) => {
  const { email, password } = req.body ?? {}
  for (const [name, value] of Object.entries({ email, password })) {
    if (typeof value === 'string' && value !== '') continue
    return res.status(400).json({ error: 'missing_required_parameters', context: { body: [name] } })
  }
  const refuse = () => res.status(401).json({ error: 'bad_credentials', message: 'Please try again.' })
  const user = users.find((user) => user.email === email)
  hash(user ?? users[0], password, (error, right) => {
    if (error) return next(error)
    if (!user || !right) return refuse()
    const { id, firstName, lastName } = user
    const expiresIn = config.tokenTtlSeconds
    const token = jwt.sign({}, config.secret, { subject: id, expiresIn })
    res.json({ token, expiresIn, user: { id, firstName, lastName, avatar: `/avatar/${id}` } })
  })
})

app.get('/avatar/:id', (req, res) => {
  res.sendFile(`${req.params.id}.png`, { root: DATA_DIR }, (error) => {
    if (error && !res.headersSent) res.status(404).json({ error: 'not_found' })
  })
})

app.listen(PORT, HOST)

function hash (user, password, done) {
  jobs.push({ user, password, done })
  work()
}

function work () {
  if (hashing === hashesAtOnce || jobs.length === 0) return
  hashing++
  const { user, password, done } = jobs.shift()
  const stored = Buffer.from(user.hash, 'hex')
  pbkdf2(password, Buffer.from(user.salt, 'hex'), user.iterations, stored.length, user.digest, (error, derived) => {
    hashing--
    work()
    done(error, !error && timingSafeEqual(derived, stored))
  })
}
