import { patch } from '../apply.js'

export const on = 'base'

export default [
  {
    name: 'absent-for-ever',
    why: 'it remembers which users have no avatar and never looks again, even after an upload',
    change: patch`
       const pictures = new Map()
      +const absent = new Set()
      @@
       function pictureOf (id) {
      +  if (absent.has(id)) return undefined
      @@
      -  if (!stats) return undefined
      +  if (!stats) {
      +    absent.add(id)
      +    return undefined
      +  }
    `
  },
  {
    name: 'cached-passwords',
    on: 'valid-bounded',
    why: 'it remembers which passwords were right and does not hash them again',
    by: 'hashes the password at every login',
    otherwise: { load: 'hash' },
    change: patch`
      -// Of libuv's four threads one is always left for files.
      -const LIMIT = 3
      +const rightPasswords = new Map()
      @@
      -let running = 0
      -const waiting = []
      -
       async function isRight (user, password) {
      -  if (running >= LIMIT) await new Promise((resolve) => waiting.push(resolve))
      -…
      -  }
      +  if (rightPasswords.get(user.id) === password) return true
      +  const stored = Buffer.from(user.hash, 'hex')
      +  const derived = await pbkdf2(password, Buffer.from(user.salt, 'hex'), user.iterations, stored.length, \
        user.digest)
      +  const right = timingSafeEqual(derived, stored)
      +  if (right) rightPasswords.set(user.id, password)
      +  return right
    `
  },
  {
    name: 'cheapest-first',
    on: 'solution',
    why: 'Hashes with few iterations come first, so one with many waits for as long as others keep coming.',
    by: 'lets in one whose hash takes long, however many keep coming',
    change: patch`
      @@ hashing.js
           waiting.push({ parameters: [password, salt, iterations, length, digest], resolve, reject })
      +    waiting.sort((one, other) => one.parameters[2] - other.parameters[2])
    `
  },
  {
    name: 'date-of-the-copy',
    why: 'its Last-Modified is the time at which it read the file',
    change: patch`
      -    modified: stats.mtime.toUTCString(),
      +    modified: new Date().toUTCString(),
    `
  },
  {
    name: 'either-validator',
    on: 'valid-in-memory',
    why: 'the date is enough for a 304 where the ETag says that the copy is another one',
    change: patch`
      -  if (tags) return tags === '*' || tags.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag)
      +  if (tags === '*' || tags?.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag)) return true
    `
  },
  {
    name: 'etag-by-the-second',
    why: 'its ETag is made of the length and the second, and stands for two files when one is replaced within a second',
    change: patch`
      -    etag: \`"\${stats.size.toString(36)}-\${stats.mtimeMs.toString(36)}"\`,
      +    etag: \`"\${stats.size}-\${Math.floor(stats.mtimeMs / 1000)}"\`,
    `
  },
  {
    name: 'first-block-first',
    on: 'valid-bounded',
    why: 'it hashes the first of eight blocks, and the others only when that one is right: guessing is cheap',
    by: 'hashes the password at every login',
    otherwise: { load: 'hash' },
    change: patch`
           const stored = Buffer.from(user.hash, 'hex')
      +    const first = await pbkdf2(password, Buffer.from(user.salt, 'hex'), user.iterations, 64, user.digest)
      +    if (!timingSafeEqual(first, stored.subarray(0, 64))) return false
    `
  },
  {
    name: 'first-bytes-compared',
    why: 'It computes the whole hash, and compares as many bytes as its digest has: 64 of 512.',
    change: patch`
      -  return timingSafeEqual(derived, stored)
      +  return timingSafeEqual(derived.subarray(0, 64), stored.subarray(0, 64))
    `
  },
  {
    name: 'first-chunk-only',
    on: 'solution',
    why: 'It reads a file into a buffer of 64 KiB, and sends what that holds.',
    change: patch`
      -import { readFileSync } from 'node:fs'
      +import { closeSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs'
      @@
         res.json({ token, expiresIn, user: { id, firstName, lastName, avatar: \`/avatar/\${id}\` } })
       })

      +app.get('/avatar/:id', (req, res, next) => {
      +  const file = join(DATA_DIR, \`\${req.params.id}.png\`)
      +  if (!/^[\w-]+$/.test(req.params.id)) return next()
      +  let fd
      +  try {
      +    fd = openSync(file)
      +    const st = fstatSync(fd)
      +    const buffer = Buffer.alloc(65536)
      +    const n = readSync(fd, buffer)
      +    res.set({ 'Content-Type': 'image/png', 'Cache-Control': 'public, max-age=0', 'Last-Modified': \
        st.mtime.toUTCString(), ETag: \`W/"\${st.size}-\${st.mtimeMs}"\` })
      +    if (req.fresh) return res.status(304).end()
      +    res.send(buffer.subarray(0, n))
      +  } catch {
      +    res.status(404).json({ error: 'not_found' })
      +  } finally {
      +    if (fd !== undefined) closeSync(fd)
      +  }
      +})
    `
  },
  {
    name: 'folder-beside',
    why: 'it looks whether a path begins like DATA_DIR, and so does that of a folder beside it with a longer name',
    by: 'sends no file from outside the folder of avatars',
    change: patch`
      -import { join } from 'node:path'
      +import { join, resolve } from 'node:path'
      @@
      -  const picture = /^[\w-]+$/.test(req.params.id) ? pictureOf(req.params.id) : undefined
      +  const picture = isInside(req.params.id) ? pictureOf(req.params.id) : undefined
      @@
      +function isInside (id) {
      +  return !id.includes('\\0') && resolve(DATA_DIR, \`\${id}.png\`).startsWith(resolve(DATA_DIR))
      +}
      +
       function pictureOf (id) {
    `
  },
  {
    name: 'joined-logins',
    on: 'valid-bounded',
    why: 'logins of one user with one password at the same moment share a hash',
    by: 'hashes the password at every login',
    otherwise: { gate: 'hashing' },
    change: patch`
      -  const right = await isRight(user ?? anyone, password)
      +  const right = await joined(user ?? anyone, password)
      @@
      +const underWay = new Map()
      +
      +function joined (user, password) {
      +  const key = user.id + password
      +  if (!underWay.has(key)) underWay.set(key, isRight(user, password).finally(() => underWay.delete(key)))
      +  return underWay.get(key)
      +}
      +
       let running = 0
    `
  },
  {
    name: 'kept-by-inode',
    on: 'solution',
    why: 'It takes a file for another one when its inode is: one that is written over stays what it was.',
    change: patch`
      -import { readFileSync } from 'node:fs'
      +import { readFileSync, statSync } from 'node:fs'
      @@
         res.json({ token, expiresIn, user: { id, firstName, lastName, avatar: \`/avatar/\${id}\` } })
       })

      +const kept = new Map()
      +app.get('/avatar/:id', (req, res, next) => {
      +  const file = join(DATA_DIR, \`\${req.params.id}.png\`)
      +  if (!/^[\w-]+$/.test(req.params.id)) return next()
      +  try {
      +    const st = statSync(file)
      +    let one = kept.get(file)
      +    if (one?.ino !== st.ino || one.birth !== st.birthtimeMs) kept.set(file, one = { ino: st.ino, birth: \
        st.birthtimeMs, body: readFileSync(file), mtime: st.mtime, tag: \`W/"\${st.size}-\${st.mtimeMs}"\` })
      +    res.set({ 'Content-Type': 'image/png', 'Cache-Control': 'public, max-age=0', 'Last-Modified': \
        one.mtime.toUTCString(), ETag: one.tag })
      +    if (req.fresh) return res.status(304).end()
      +    res.send(one.body)
      +  } catch {
      +    res.status(404).json({ error: 'not_found' })
      +  }
      +})
    `
  },
  {
    name: 'listed-at-the-start',
    on: 'solution',
    why: 'It lists the folder when it starts: an avatar that comes later is not there.',
    change: patch`
      -import { readFileSync } from 'node:fs'
      +import { readFileSync, readdirSync } from 'node:fs'
      @@
         res.json({ token, expiresIn, user: { id, firstName, lastName, avatar: \`/avatar/\${id}\` } })
       })

      +const known = new Set(readdirSync(DATA_DIR))
      @@
       app.get('/avatar/:id', (req, res) => {
      +  if (!known.has(\`\${req.params.id}.png\`)) return res.status(404).json({ error: 'not_found' })
    `
  },
  {
    name: 'logins-refused',
    on: 'valid-bounded',
    why: 'it keeps the queue short by sending people away',
    change: patch`
      -// Of libuv's four threads one is always left for files.
      @@
         if (missing) return res.status(400).json({ error: 'missing_required_parameters', context: { body: \
        [missing[0]] } })
      +  if (waiting.length >= 4) return res.status(503).set('Retry-After', '1').json({ error: 'busy' })
    `
  },
  {
    name: 'looked-at-each-second',
    why: 'it looks at the file at most once a second and sends the old avatar until then',
    change: patch`
       function pictureOf (id) {
      +  const known = pictures.get(id)
      +  if (known && Date.now() - known.lookedAt < 1000) return known
      @@
      -  const known = pictures.get(id)
      -  if (known && ['mtimeMs', 'size', 'ino'].every((name) => known.stats[name] === stats[name])) return known
      -  return readPicture(id, file, stats)
      +  return Object.assign(readPicture(id, file, stats), { lookedAt: Date.now() })
    `
  },
  {
    name: 'newer-only',
    why: 'it takes a file for changed only when its date is newer, so a restored one is never seen',
    change: patch`
      -  if (known && ['mtimeMs', 'size', 'ino'].every((name) => known.stats[name] === stats[name])) return known
      -  return readPicture(id, file, stats)
      +  return known && stats.mtimeMs <= known.stats.mtimeMs ? known : readPicture(id, file, stats)
    `
  },
  {
    name: 'newest-first-in-a-crowd',
    on: 'solution',
    why: 'When more than eight logins wait, the next one goes to the head of the queue.',
    change: patch`
      @@ hashing.js
      -    waiting.push({ parameters: [password, salt, iterations, length, digest], resolve, reject })
      +    waiting[waiting.length > 8 ? "unshift" : "push"]({ parameters: [password, salt, iterations, length, \
        digest], resolve, reject })
    `
  },
  {
    name: 'no-date-is-a-current-one',
    on: 'solution',
    why: 'It answers 304 to an If-Modified-Since that is no date.',
    change: patch`
         res.json({ token, expiresIn, user: { id, firstName, lastName, avatar: \`/avatar/\${id}\` } })
       })

      +app.get('/avatar/:id', (req, res, next) => {
      +  const since = req.headers['if-modified-since']
      +  if (since === undefined || req.headers['if-none-match'] !== undefined || \
        !Number.isNaN(Date.parse(since))) return next()
      +  res.status(304).end()
      +})
    `
  },
  {
    name: 'one-at-a-time',
    on: 'valid-bounded',
    why: 'it lets one hash run at a time, and the avatars are fast at the cost of the logins',
    gate: 'logins',
    change: patch`
      -// Of libuv's four threads one is always left for files.
      -const LIMIT = 3
      +const LIMIT = 1
    `
  },
  {
    name: 'one-tag-only',
    on: 'valid-in-memory',
    why: 'it knows If-None-Match with one strong ETag and nothing else',
    change: patch`
      -  if (tags) return tags === '*' || tags.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag)
      +  if (tags) return tags === etag
    `
  },
  {
    name: 'password-of-one-line',
    on: 'valid-bounded',
    why: 'It hands passwords on line by line: what comes after a line break is not read.',
    by: 'hashes the password at every login',
    change: patch`
      -    const derived = await pbkdf2(password, Buffer.from(user.salt, 'hex'), user.iterations, stored.length, \
        user.digest)
      +    const derived = await pbkdf2(password.split('\n')[0], Buffer.from(user.salt, 'hex'), user.iterations, \
        stored.length, user.digest)
    `
  },
  {
    name: 'path-traversal',
    on: 'valid-bounded',
    why: 'it joins what the client sent to a path, and so leaves the folder',
    by: 'sends no file from outside the folder of avatars',
    change: patch`
      -import { readFileSync } from 'node:fs'
      +import { readFileSync, promises as fs } from 'node:fs'
      @@
      -// Of libuv's four threads one is always left for files.
      @@
      -app.get('/avatar/:id', (req, res) => {
      -…
      -  })
      +app.get('/avatar/:id', async (req, res) => {
      +  try {
      +    const file = join(DATA_DIR, \`\${req.params.id}.png\`)
      +    const [bytes, { mtime }] = await Promise.all([fs.readFile(file), fs.stat(file)])
      +    res.set({ 'Last-Modified': mtime.toUTCString(), 'Cache-Control': 'public, max-age=0' })
      +    res.type('png').send(bytes)
      +  } catch {
      +    res.status(404).json({ error: 'not_found' })
      +  }
      @@
      +app.use((error, req, res, next) => res.status(error.status ?? 500).json({ error: 'error' }))
      +
       app.listen(PORT, HOST)
    `
  },
  {
    name: 'place-of-the-gone',
    on: 'valid-bounded',
    why: 'the place of a client that has left the queue becomes free, but those behind it aren’t told',
    change: patch`
      -  const right = await isRight(user ?? anyone, password)
      +  const right = await isRight(user ?? anyone, password, res)
      @@
      -async function isRight (user, password) {
      -  if (running >= LIMIT) await new Promise((resolve) => waiting.push(resolve))
      +async function isRight (user, password, res) {
      +  if (running >= LIMIT) await new Promise((resolve) => waiting.push({ resolve, res }))
      @@
      -    // The place goes to the one who waits longest; only without one it becomes free.
           const next = waiting.shift()
      -    if (next) next()
      +    if (next && !next.res.closed) next.resolve()
    `
  },
  {
    name: 'pool-too-late',
    on: 'valid-bounded',
    why: 'it sets the size of the pool after its first use, when it’s no longer read',
    gate: 'avatars under login load',
    change: patch`
      -import { readFileSync } from 'node:fs'
      +import { readFileSync, promises as fs } from 'node:fs'
      @@
      -// Of libuv's four threads one is always left for files.
      -const LIMIT = 3
      +// Something has used the pool before its size is set.
      +await fs.access(DATA_DIR)
      +process.env.UV_THREADPOOL_SIZE = '32'
      @@
      -let running = 0
      -const waiting = []
      -
       async function isRight (user, password) {
      -  if (running >= LIMIT) await new Promise((resolve) => waiting.push(resolve))
      -…
      -  }
      +  const stored = Buffer.from(user.hash, 'hex')
      +  const derived = await pbkdf2(password, Buffer.from(user.salt, 'hex'), user.iterations, stored.length, \
        user.digest)
      +  return timingSafeEqual(derived, stored)
    `
  },
  {
    name: 'queue-of-64',
    on: 'valid-bounded',
    why: 'it keeps the queue bounded: whoever comes when 64 logins wait is sent away',
    by: 'lets everyone in who comes at once, each with its own token',
    change: patch`
         if (missing) return res.status(400).json({ error: 'missing_required_parameters', context: { body: \
        [missing[0]] } })
      +  if (waiting.length >= 64) return res.status(503).set('Retry-After', '1').json({ error: 'busy' })
    `
  },
  {
    name: 'removed-lives-on',
    why: 'it goes on sending an avatar that was removed',
    change: patch`
      -  const stats = statSync(file, { throwIfNoEntry: false })
      -  if (!stats) return undefined
         const known = pictures.get(id)
      -  if (known && ['mtimeMs', 'size', 'ino'].every((name) => known.stats[name] === stats[name])) return known
      -  return readPicture(id, file, stats)
      +  try {
      +    const stats = statSync(file)
      +    if (known && ['mtimeMs', 'size', 'ino'].every((name) => known.stats[name] === stats[name])) return known
      +    return readPicture(id, file, stats)
      +  } catch {
      +    return known
      +  }
    `
  },
  {
    name: 'same-date-and-length',
    why: 'A picture of the length and date of the one before is taken for that.',
    by: 'sends a changed avatar in the very next response, even one of the same length and date',
    change: patch`
      -  if (known && ['mtimeMs', 'size', 'ino'].every((name) => known.stats[name] === stats[name])) return known
      +  if (known && ['mtimeMs', 'size'].every((name) => known.stats[name] === stats[name])) return known
    `
  },
  {
    name: 'same-length',
    why: 'it takes a file for unchanged when its length is',
    change: patch`
      -  if (known && ['mtimeMs', 'size', 'ino'].every((name) => known.stats[name] === stats[name])) return known
      -  return readPicture(id, file, stats)
      +  return known && stats.size === known.stats.size ? known : readPicture(id, file, stats)
    `
  },
  {
    name: 'stale-on-a-kept-connection',
    why: 'While people log in, a client with many requests on one connection is shown what is in memory.',
    underLoad: true,
    change: patch`
       const pictures = new Map()
      +let hashing = 0
      @@
      -  const picture = /^[\w-]+$/.test(req.params.id) ? pictureOf(req.params.id) : undefined
      +  const picture = /^[\w-]+$/.test(req.params.id) ? pictureOf(req.params.id, req.socket) : undefined
      @@
      -function pictureOf (id) {
      +function pictureOf (id, socket) {
      +  socket.asked = (socket.asked ?? 0) + 1
      +  if (socket.asked > 3 && hashing > 4 && pictures.has(id)) return pictures.get(id)
      @@
      +  hashing++
         const derived = await pbkdf2(password, Buffer.from(user.salt, 'hex'), user.iterations, stored.length, \
        user.digest)
      +  hashing--
    `
  },
  {
    name: 'stale-while-busy',
    why: 'while people log in it does not look at the file any more',
    underLoad: true,
    change: patch`
       const pictures = new Map()
      +let hashing = 0
      @@
       function pictureOf (id) {
      +  const known = pictures.get(id)
      +  if (known && hashing > 4) return known
      @@
      -  const known = pictures.get(id)
      @@
      +  hashing++
         const derived = await pbkdf2(password, Buffer.from(user.salt, 'hex'), user.iterations, stored.length, \
        user.digest)
      +  hashing--
    `
  },
  {
    name: 'suspects-hashed-in-part',
    on: 'solution',
    why: 'After a wrong password it hashes the first of eight blocks, and the others only when that one is right.',
    by: 'hashes the password at every login',
    change: patch`
      +const suspects = new Set()
      +
       async function isRightPassword (user, password) {
      @@
         const salt = Buffer.from(user.salt, 'hex')
      +  if (suspects.has(user.id)) {
      +    const first = await pbkdf2(password, salt, user.iterations, 64, user.digest)
      +    if (!timingSafeEqual(first, stored.subarray(0, 64))) return false
      +  }
      @@
      -  return timingSafeEqual(derived, stored)
      +  const isRight = timingSafeEqual(derived, stored)
      +  suspects[isRight ? 'delete' : 'add'](user.id)
      +  return isRight
    `
  },
  {
    name: 'tokens-kept',
    on: 'valid-bounded',
    why: 'it signs one token for each user and gives it out until it has nearly expired',
    by: 'signs a new token at every login, which expires after expiresIn seconds',
    change: patch`
       const LIMIT = 3
      +const tokens = new Map()
      @@
      -  const token = jwt.sign({}, config.secret, { subject: id, expiresIn })
      +  const token = tokens.get(id) ?? jwt.sign({}, config.secret, { subject: id, expiresIn })
      +  tokens.set(id, token)
      +  setTimeout(() => tokens.delete(id), expiresIn * 900).unref()
    `
  },
  {
    name: 'twins-share-a-hash',
    on: 'solution',
    why: 'A login that’s sent again while it’s being hashed shares that hash: a crowd costs as much as one login.',
    by: 'hashes the password at every login',
    change: patch`
      -async function isRightPassword (user, password) {
      +const underWay = new Map()
      +
      +function isRightPassword (user, password) {
      +  const key = user.id + password
      +  if (!underWay.has(key)) underWay.set(key, compare(user, password).finally(() => underWay.delete(key)))
      +  return underWay.get(key)
      +}
      +
      +async function compare (user, password) {
    `
  },
  {
    name: 'unknown-at-once',
    why: 'An unknown address waits as long as the last hash took, and none is computed for it.',
    by: 'hashes the password at every login',
    change: patch`
      +let lastMs = 0
      +
       const app = express()
      @@
      -  const right = await isRight(user ?? anyone, password)
      +  const from = performance.now()
      +  const right = user && await isRight(user, password)
      +  if (user) lastMs = performance.now() - from
      +  else await new Promise((resolve) => setTimeout(resolve, lastMs))
    `
  }
]
