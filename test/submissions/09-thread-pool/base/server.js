import crypto, { timingSafeEqual } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
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
const pictures = new Map()

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
  const picture = /^[\w-]+$/.test(req.params.id) ? pictureOf(req.params.id) : undefined
  if (!picture) return res.status(404).json({ error: 'not_found' })
  res.set({ ETag: picture.etag, 'Last-Modified': picture.modified, 'Cache-Control': 'public, max-age=0' })
  res.type('png').send(picture.bytes)
})

app.use((error, req, res, next) => res.status(error.status ?? 500).json({ error: 'error' }))

function pictureOf (id) {
  const file = join(DATA_DIR, `${id}.png`)
  const stats = statSync(file, { throwIfNoEntry: false })
  if (!stats) return undefined
  const known = pictures.get(id)
  if (known && ['mtimeMs', 'size', 'ino'].every((name) => known.stats[name] === stats[name])) return known
  return readPicture(id, file, stats)
}

function readPicture (id, file, stats) {
  const picture = {
    bytes: readFileSync(file),
    etag: `"${stats.size.toString(36)}-${stats.mtimeMs.toString(36)}"`,
    modified: stats.mtime.toUTCString(),
    stats
  }
  pictures.set(id, picture)
  return picture
}

app.listen(PORT, HOST)

async function isRight (user, password) {
  const stored = Buffer.from(user.hash, 'hex')
  const derived = await pbkdf2(password, Buffer.from(user.salt, 'hex'), user.iterations, stored.length, user.digest)
  return timingSafeEqual(derived, stored)
}
