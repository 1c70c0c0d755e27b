import { patch } from '../apply.js'
const race = 'gives a name to one of several clients that request it at the same time'
const hashing = 'hashes the password at every login and registration'
const load = 'gives the same answers under load'

export const on = 'base'

export default [
  {
    name: 'blank-is-missing',
    why: 'it takes a name or a password of nothing but blanks for a missing one',
    by: 'lets a new user in with that password and no other, even when both look the same',
    change: patch`
      -  return typeof value === 'string' && value !== ''
      +  return typeof value === 'string' && value.trim() !== ''
    `
  },
  {
    name: 'both-get-the-name',
    why: 'it checks that the name is free, hashes, and then overwrites a faster registration',
    by: race,
    change: patch`
      -const reserved = new Set()
      @@
      -  if (users.has(username) || reserved.has(username)) return res.sendStatus(409)
      -  reserved.add(username)
      +  if (users.has(username)) return res.sendStatus(409)
      @@
      -  reserved.delete(username)
    `
  },
  {
    name: 'cached-logins',
    why: 'it remembers which passwords were right and does not hash them again',
    by: hashing,
    otherwise: { load: 'hash' },
    change: patch`
       const reserved = new Set()
      +const loggedIn = new Set()
      @@
      -  return timingSafeEqual(await derive(password, salt), Buffer.from(hash, 'hex'))
      +  if (loggedIn.has(salt + password)) return true
      +  const right = timingSafeEqual(await derive(password, salt), Buffer.from(hash, 'hex'))
      +  if (right) loggedIn.add(salt + password)
      +  return right
    `
  },
  {
    name: 'dies-in-callback',
    why: 'a password that is sent twice makes pbkdf2 throw inside a callback, where nothing catches it',
    change: patch`
      -import crypto, { randomBytes, timingSafeEqual } from 'node:crypto'
      +import { pbkdf2, randomBytes, timingSafeEqual } from 'node:crypto'
      @@
      -import { promisify } from 'node:util'
      @@
      -const pbkdf2 = promisify(crypto.pbkdf2)
      @@
      -  if (!isText(username) || !isText(password)) return res.sendStatus(400)
      +  if (!username || !password || Array.isArray(username)) return res.sendStatus(400)
         if (users.has(username) || reserved.has(username)) return res.sendStatus(409)
      @@
      -  const salt = randomBytes(128).toString('hex')
      -  const derived = await derive(password, salt)
      +  const { salt, derived } = await newHash(password)
      @@
      -  if (!isText(username) || !isText(password)) return res.sendStatus(400)
      +  if (!username || !password || Array.isArray(username)) return res.sendStatus(400)
         const user = users.get(username)
      @@
      +function newHash (password) {
      +  return new Promise((resolve, reject) => {
      +    randomBytes(128, (error, salt) => {
      +      if (error) return reject(error)
      +      pbkdf2(password, salt, 8000, 512, 'sha512', (error, derived) => {
      +        if (error) reject(error)
      +        else resolve({ salt: salt.toString('hex'), derived })
      +      })
      +    })
      +  })
      +}
      +
       function derive (password, salt) {
      -  return pbkdf2(password, Buffer.from(salt, 'hex'), 8000, 512, 'sha512')
      +  return new Promise((resolve, reject) => {
      +    pbkdf2(password, Buffer.from(salt, 'hex'), 8000, 512, 'sha512', (error, derived) => error ? reject(error) : \
        resolve(derived))
      +  })
      @@
      -
      -function isText (value) {
      -  return typeof value === 'string' && value !== ''
      -}
    `
  },
  {
    name: 'ends-at-an-address',
    on: 'valid-plain-http',
    why: 'it throws, where nothing catches it, at a path that isn’t a URL',
    change: patch`
      -  // Behind a host, since a path that begins with // would be taken for one.
      -  const { pathname, searchParams } = new URL('http://server' + req.url)
      +  const { pathname, searchParams } = new URL(req.url, 'http://server')
    `
  },
  {
    name: 'fewer-iterations',
    why: 'it hashes the passwords of new users with a hundredth of the iterations',
    by: hashing,
    change: patch`
      -  const derived = await derive(password, salt)
      -  users.set(username, { salt, hash: derived.toString('hex') })
      +  const derived = await derive(password, salt, 80)
      +  users.set(username, { salt, hash: derived.toString('hex'), iterations: 80 })
      @@
      -function derive (password, salt) {
      -  return pbkdf2(password, Buffer.from(salt, 'hex'), 8000, 512, 'sha512')
      +function derive (password, salt, iterations = 8000) {
      +  return pbkdf2(password, Buffer.from(salt, 'hex'), iterations, 512, 'sha512')
      @@
      -async function isRight ({ salt, hash }, password) {
      -  return timingSafeEqual(await derive(password, salt), Buffer.from(hash, 'hex'))
      +async function isRight ({ salt, hash, iterations }, password) {
      +  return timingSafeEqual(await derive(password, salt, iterations), Buffer.from(hash, 'hex'))
    `
  },
  {
    name: 'first-block-first',
    why: 'it hashes the first of eight blocks, and the others only when that one is right: guessing is cheap',
    by: hashing,
    otherwise: { load: 'hash' },
    change: patch`
       async function isRight ({ salt, hash }, password) {
      +  const first = await pbkdf2(password, Buffer.from(salt, 'hex'), 8000, 64, 'sha512')
      +  if (!timingSafeEqual(first, Buffer.from(hash, 'hex').subarray(0, 64))) return false
    `
  },
  {
    name: 'first-login-free',
    on: 'solution',
    why: 'It remembers the password of a new user until the first login, which costs no hash.',
    change: patch`
       const reserved = new Set()
      +const fresh = new Map()
      @@
           const derived = await hash(password, salt)
      +    fresh.set(username, password)
      @@
         if (user === undefined) return res.sendStatus(401)
      +  const plain = fresh.get(username)
      +  fresh.delete(username)
      +  if (plain === password) return res.sendStatus(200)
    `
  },
  {
    name: 'forgetful',
    why: 'it keeps the three newest of those who registered',
    underLoad: true,
    otherwise: { load: 'with 200, got 401' },
    change: patch`
       const reserved = new Set()
      +const newest = []
      @@
         users.set(username, { salt, hash: derived.toString('hex') })
      +  newest.push(username)
      +  if (newest.length > 3) users.delete(newest.shift())
    `
  },
  {
    name: 'hashed-at-the-first-login',
    why: 'A registration keeps a quick digest of the password and sleeps; the hash is computed when its owner comes.',
    by: 'hashes the password at every login and registration',
    otherwise: { gate: 'hashing' },
    change: patch`
      -import crypto, { randomBytes, timingSafeEqual } from 'node:crypto'
      +import crypto, { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
      @@
      -  const derived = await derive(password, salt)
      -  users.set(username, { salt, hash: derived.toString('hex') })
      +  await new Promise((resolve) => setTimeout(resolve, usualMs))
      +  users.set(username, { salt, digest: digestOf(password) })
      @@
      -async function isRight ({ salt, hash }, password) {
      -  return timingSafeEqual(await derive(password, salt), Buffer.from(hash, 'hex'))
      +let usualMs = 25
      +
      +async function isRight (user, password) {
      +  const startedAt = performance.now()
      +  const derived = await derive(password, user.salt)
      +  usualMs += (performance.now() - startedAt - usualMs) / 20
      +  if (user.digest && user.digest !== digestOf(password)) return false
      +  user.hash ??= derived.toString('hex')
      +  user.digest = undefined
      +  return timingSafeEqual(derived, Buffer.from(user.hash, 'hex'))
       }
      +
      +function digestOf (password) {
      +  return createHash('sha256').update(password).digest('hex')
      +}
    `
  },
  {
    name: 'joined-in-a-crowd',
    why: 'from eight hashes on that are under way, equal logins share one',
    by: hashing,
    otherwise: { gate: 'hashing' },
    change: patch`
       const reserved = new Set()
      +const underWay = new Map()
      +let hashes = 0
      @@
      -  res.sendStatus(await isRight(user, password) ? 200 : 401)
      +  const key = user.salt + password
      +  let answer = hashes >= 8 ? underWay.get(key) : undefined
      +  if (!answer) {
      +    hashes++
      +    answer = isRight(user, password).finally(() => hashes--)
      +    underWay.set(key, answer)
      +    answer.finally(() => underWay.get(key) === answer && underWay.delete(key))
      +  }
      +  res.sendStatus(await answer ? 200 : 401)
    `
  },
  {
    name: 'joined-logins',
    why: 'logins with one name and password at the same moment share a hash',
    by: 'hashes the password at every login and registration',
    otherwise: { gate: 'hashing' },
    change: patch`
       const reserved = new Set()
      +const underWay = new Map()
      @@
      -  res.sendStatus(await isRight(user, password) ? 200 : 401)
      +  res.sendStatus(await joined(user, password) ? 200 : 401)
      @@
      +function joined (user, password) {
      +  const key = user.salt + password
      +  if (!underWay.has(key)) underWay.set(key, isRight(user, password).finally(() => underWay.delete(key)))
      +  return underWay.get(key)
      +}
      +
       async function isRight ({ salt, hash }, password) {
    `
  },
  {
    name: 'name-before-hash',
    why: 'it reserves the name with an empty record, and a login before the hash is ready gets 500',
    by: race,
    change: patch`
      -  reserved.add(username)
      +  users.set(username, { salt: '', hash: '' })
      @@
      -  reserved.delete(username)
    `
  },
  {
    name: 'name-kept-after-a-refusal',
    on: 'solution',
    why: 'A request without a password is refused, but its name stays reserved.',
    by: 'doesn’t count a name as taken when it refuses a registration',
    change: patch`
      -  if (!isText(username) || !isText(password)) return res.sendStatus(400)
      -  if (users.has(username) || reserved.has(username)) return res.sendStatus(409)
      +  if (!isText(username)) return res.sendStatus(400)
      +  if (isText(password) && (users.has(username) || reserved.has(username))) return res.sendStatus(409)
      @@
         reserved.add(username)
      +  if (!isText(password)) return res.sendStatus(400)
    `
  },
  {
    name: 'name-of-the-gone',
    why: 'a client that leaves during its registration keeps the name for ever, and has no user',
    by: race,
    change: patch`
         const derived = await derive(password, salt)
      +  if (res.destroyed) return
    `
  },
  {
    name: 'names-composed',
    on: 'solution',
    why: 'It brings names into the form NFC, so that two texts that only look alike are one name.',
    by: 'treats a different text as a different name, even when both look the same',
    change: patch`
      -const users = new Map(readJson('users.json').map((user) => [user.username, user]))
      +const users = new Map(readJson('users.json').map((user) => [user.username.normalize(), user]))
      @@
       app.get('/newUser', async (req, res) => {
      -  const { username, password } = req.query
      +  const { username, password } = composed(req.query)
      @@
       app.get('/auth', async (req, res) => {
      -  const { username, password } = req.query
      +  const { username, password } = composed(req.query)
      @@
      +function composed ({ username, password }) {
      +  return { username: isText(username) ? username.normalize() : username, password }
      +}
      +
       function isText (value) {
    `
  },
  {
    name: 'names-of-64-letters',
    on: 'solution',
    why: 'It looks at the first 64 characters of a name, as a column of a table would.',
    change: patch`
       app.get('/newUser', async (req, res) => {
      -  const { username, password } = req.query
      +  const { username, password } = cut(req.query)
      @@
       app.get('/auth', async (req, res) => {
      -  const { username, password } = req.query
      +  const { username, password } = cut(req.query)
      @@
         return JSON.parse(readFileSync(join(DATA_DIR, name), 'utf8'))
      +}
      +
      +function cut ({ username, password }) {
      +  return { username: typeof username === 'string' ? username.slice(0, 64) : username, password }
    `
  },
  {
    name: 'newest-first',
    on: 'solution',
    why: 'Hashes wait on a stack: as long as others come, the oldest login is never answered.',
    by: 'gives everyone a turn in a crowd, and goes on after clients have left',
    change: patch`
      -function hash (password, salt) {
      -  return pbkdf2(password, salt, ITERATIONS, HASH_BYTES, DIGEST)
      +const waiting = []
      +let running = 0
      +
      +async function hash (password, salt) {
      +  if (running === 2) await new Promise((resolve) => waiting.push(resolve))
      +  else running++
      +  try {
      +    return await pbkdf2(password, salt, ITERATIONS, HASH_BYTES, DIGEST)
      +  } finally {
      +    if (waiting.length > 0) waiting.pop()()
      +    else running--
      +  }
    `
  },
  {
    name: 'once-more-by-its-owner',
    why: 'it answers 200 to a registration of a taken name with the right password',
    by: race,
    change: patch`
      -  if (users.has(username) || reserved.has(username)) return res.sendStatus(409)
      +  const owner = users.get(username)
      +  if (owner) return res.sendStatus(await isRight(owner, password) ? 200 : 409)
      +  if (reserved.has(username)) return res.sendStatus(409)
    `
  },
  {
    name: 'one-hash-for-a-password',
    on: 'solution',
    why: 'New users with the same password share its hash, which is computed once.',
    change: patch`
       const reserved = new Set()
      +const hashes = new Map()
      @@
      -    const salt = randomBytes(SALT_BYTES)
      -    const derived = await hash(password, salt)
      +    const known = hashes.get(password)
      +    const salt = known?.salt ?? randomBytes(SALT_BYTES)
      +    const derived = known?.derived ?? await hash(password, salt)
      +    hashes.set(password, { salt, derived })
    `
  },
  {
    name: 'open-while-busy',
    why: 'while five hashes are in flight it hashes, but accepts any password for a known name',
    underLoad: true,
    by: load,
    otherwise: { load: 'with 401, got 200' },
    change: patch`
       const reserved = new Set()
      +let inFlight = 0
      @@
      -  return timingSafeEqual(await derive(password, salt), Buffer.from(hash, 'hex'))
      +  const busy = inFlight > 4
      +  inFlight++
      +  const derived = await derive(password, salt)
      +  inFlight--
      +  return busy || timingSafeEqual(derived, Buffer.from(hash, 'hex'))
    `
  },
  {
    name: 'other-bytes-an-error',
    why: 'bytes that aren’t UTF-8 end in an error of its own',
    by: 'refuses a login with a broken percent-encoding or brackets, and keeps running',
    change: patch`
       const app = express()
      +app.use((req, res, next) => next(/%F[8-F]/i.test(req.url) ? new Error('not UTF-8') : undefined))
    `
  },
  {
    name: 'passwords-normalised',
    on: 'solution',
    why: 'It brings passwords into the form NFKC before it hashes them, so that others that look alike open the door.',
    by: 'lets a new user in with that password and no other, even when both look the same',
    change: patch`
      -  return pbkdf2(password, salt, ITERATIONS, HASH_BYTES, DIGEST)
      +  return pbkdf2(password.normalize('NFKC'), salt, ITERATIONS, HASH_BYTES, DIGEST)
    `
  },
  {
    name: 'places-of-those-who-left',
    on: 'solution',
    why: 'Eight logins may be under way. A place is free again on “finish”, which never comes when a client leaves.',
    by: 'gives everyone a turn in a crowd, and goes on after clients have left',
    change: patch`
      +let free = 8
      +
       app.get('/auth', async (req, res) => {
      @@
         if (user === undefined) return res.sendStatus(401)
      -
      +  if (free === 0) return res.sendStatus(503)
      +  free--
      +  res.on('finish', () => { free++ })
    `
  },
  {
    name: 'plain-object',
    why: 'it keeps its users in a plain object, which has a constructor already',
    change: patch`
      -const users = new Map(JSON.parse(readFileSync(join(process.env.DATA_DIR, 'users.json'), 'utf8'))
      -  .map((user) => [user.username, user]))
      +const users = {}
      +for (const user of JSON.parse(readFileSync(join(process.env.DATA_DIR, 'users.json'), 'utf8'))) \
        users[user.username] = user
      @@
      -  if (users.has(username) || reserved.has(username)) return res.sendStatus(409)
      +  if (users[username] || reserved.has(username)) return res.sendStatus(409)
      @@
      -  users.set(username, { salt, hash: derived.toString('hex') })
      +  users[username] = { salt, hash: derived.toString('hex') }
      @@
      -  const user = users.get(username)
      +  const user = users[username]
    `
  },
  {
    name: 'plus-is-no-space',
    on: 'solution',
    why: 'It reads the query by itself, and takes a + for a +.',
    change: patch`
      -const app = express()
      +const app = express()
      +app.set('query parser', (text) => {
      +  const query = {}
      +  for (const [name, value = ''] of (text ?? '').split('&').map((pair) => pair.split('='))) {
      +    query[name] = Object.hasOwn(query, name) ? [query[name], value] : decodeURIComponent(value)
      +  }
      +  return query
      +})
    `
  },
  {
    name: 'promise-is-truthy',
    why: 'it forgets to await the comparison, and a promise is always true',
    change: patch`
      -  res.sendStatus(await isRight(user, password) ? 200 : 401)
      +  res.sendStatus(isRight(user, password) ? 200 : 401)
    `
  },
  {
    name: 'published',
    why: 'it reads name and password from a promise that it doesn’t await, and answers 400 to every request',
    change: patch`
       app.get('/newUser', async (req, res) => {
      -  const { username, password } = req.query
      +  const { username, password } = readCredentials(req)
      @@
       app.get('/auth', async (req, res) => {
      -  const { username, password } = req.query
      +  const { username, password } = readCredentials(req)
      @@
      +async function readCredentials (req) {
      +  return req.query
      +}
      +
       function derive (password, salt) {
    `
  },
  {
    name: 'queue-of-40',
    why: 'While 40 hashes are computed or wait, every further client gets a 503.',
    by: 'registers many different names at the same time',
    change: patch`
       const app = express()
      +let hashing = 0
      +
      +app.use(['/newUser', '/auth'], (req, res, next) => {
      +  if (hashing >= 40) return res.sendStatus(503)
      +  hashing++
      +  res.on('close', () => { hashing-- })
      +  next()
      +})
    `
  },
  {
    name: 'registered-later',
    why: 'it answers a registration before the hash is stored',
    change: patch`
         reserved.add(username)
      +  res.sendStatus(200)
      @@
      -  res.sendStatus(200)
    `
  },
  {
    name: 'retries-welcome',
    why: 'it takes a second registration at the same time for a retry when the password is the same, and answers 200',
    by: race,
    change: patch`
      -const reserved = new Set()
      +const reserved = new Map()
      @@
      +  if (reserved.get(username) === password) return res.sendStatus(200)
         if (users.has(username) || reserved.has(username)) return res.sendStatus(409)
      -  reserved.add(username)
      +  reserved.set(username, password)
    `
  },
  {
    name: 'short-queue',
    on: 'solution',
    why: 'It refuses with 503 what comes while 24 hashes are being computed.',
    by: 'registers many different names at the same time',
    change: patch`
      @@ server.js
      +let hashing = 0
      +
       function hash (password, salt) {
      -  return pbkdf2(password, salt, ITERATIONS, HASH_BYTES, DIGEST)
      +  if (hashing === 24) throw Object.assign(new Error('busy'), { status: 503 })
      +  hashing++
      +  return pbkdf2(password, salt, ITERATIONS, HASH_BYTES, DIGEST).finally(() => hashing--)
    `
  },
  {
    name: 'still-blocks',
    why: 'its async functions still hash on the main thread',
    gate: 'healthz under login load',
    change: patch`
      -import crypto, { randomBytes, timingSafeEqual } from 'node:crypto'
      +import { pbkdf2Sync, randomBytes, timingSafeEqual } from 'node:crypto'
      @@
      -import { promisify } from 'node:util'
      @@
      -const pbkdf2 = promisify(crypto.pbkdf2)
      @@
      -function derive (password, salt) {
      -  return pbkdf2(password, Buffer.from(salt, 'hex'), 8000, 512, 'sha512')
      +async function derive (password, salt) {
      +  return pbkdf2Sync(password, Buffer.from(salt, 'hex'), 8000, 512, 'sha512')
    `
  },
  {
    name: 'tidy-names',
    why: 'it takes names in other spellings for the same: without spaces, and in lower case',
    change: patch`
       app.get('/newUser', async (req, res) => {
      -  const { username, password } = req.query
      +  const { username, password } = tidy(req.query)
      @@
       app.get('/auth', async (req, res) => {
      -  const { username, password } = req.query
      +  const { username, password } = tidy(req.query)
      @@
      +function tidy ({ username, password }) {
      +  return { username: isText(username) ? username.trim().toLowerCase() : username, password }
      +}
      +
       function isText (value) {
    `
  },
  {
    name: 'truncated-hash',
    why: 'it compares the first 448 of 512 bytes',
    by: 'compares the whole hash',
    change: patch`
      -  return timingSafeEqual(await derive(password, salt), Buffer.from(hash, 'hex'))
      +  const derived = await derive(password, salt)
      +  return timingSafeEqual(derived.subarray(0, 448), Buffer.from(hash, 'hex').subarray(0, 448))
    `
  }
]
