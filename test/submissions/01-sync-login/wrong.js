import { patch } from '../apply.js'
const atOnce = 'honours a refresh token once, even when several requests present it at the same time'
const apart = 'answers each of several logins at the same time with its own tokens'
const amongOthers = 'honours a refresh token, whatever other cookies come with it'
const whole = 'compares the whole hash'
const hashing = 'hashes the password at every login'
const load = 'gives the same answers under load'

export const on = 'base'

export default [
  {
    name: 'all-cookies-decoded',
    why: 'it decodes all cookies, and throws at one of another server that holds a bare %',
    change: patch`
      -  const refreshToken = /(?:^|; ?)refresh_token=(\w+)/.exec(req.headers.cookie)?.[1]
      +  const refreshToken = /(?:^|; ?)refresh_token=(\w+)/.exec(decodeURIComponent(req.headers.cookie ?? ''))?.[1]
    `
  },
  {
    name: 'answers-first',
    why: 'it answers 200 and hashes afterwards',
    change: patch`
      -  if (user === undefined || !await isRight(user, password)) {
      +  if (user !== undefined) isRight(user, password)
      +  else {
      @@
      -  return timingSafeEqual(derived, stored)
      +  if (!timingSafeEqual(derived, stored)) console.warn('A wrong password for', user.email)
    `
  },
  {
    name: 'any-hex-after-the-name',
    on: 'solution',
    why: 'It takes 256 hex digits for the refresh token wherever its name stands before them, also behind a dash.',
    by: amongOthers,
    change: patch`
      -  const cookies = (req.headers.cookie ?? '').split(';').map((cookie) => cookie.trim().split('='))
      -  return cookies.find(([key]) => key === name)?.[1]
      +  return /\brefresh_token=([0-9a-f]{256})/.exec(req.headers.cookie ?? '')?.[1]
    `
  },
  {
    name: 'any-name-that-ends-so',
    why: 'it takes another cookie for the refresh token whose name ends in the same way',
    by: amongOthers,
    change: patch`
      -  const refreshToken = /(?:^|; ?)refresh_token=(\w+)/.exec(req.headers.cookie)?.[1]
      +  const refreshToken = /refresh_token=(\w+)/.exec(req.headers.cookie)?.[1]
    `
  },
  {
    name: 'any-password',
    why: 'it hashes the password and never looks at the result',
    change: patch`
      -import crypto, { randomBytes, timingSafeEqual } from 'node:crypto'
      +import crypto, { randomBytes } from 'node:crypto'
      @@
      -  const stored = Buffer.from(user.hash, 'hex')
      -  const derived = await pbkdf2(password, Buffer.from(user.salt, 'hex'), user.iterations, stored.length, \
        user.digest)
      -  return timingSafeEqual(derived, stored)
      +  return pbkdf2(password, Buffer.from(user.salt, 'hex'), user.iterations, 512, user.digest)
    `
  },
  {
    name: 'any-word-before-the-name',
    on: 'solution',
    why: 'It takes x.refresh_token for the refresh token: a dot is no letter, so the name seems to begin after it.',
    by: amongOthers,
    change: patch`
      -  const cookies = (req.headers.cookie ?? '').split(';').map((cookie) => cookie.trim().split('='))
      -  return cookies.find(([key]) => key === name)?.[1]
      +  return /\brefresh_token=([^;\s]+)/.exec(req.headers.cookie ?? '')?.[1]
    `
  },
  {
    name: 'blank-passwords-missing',
    on: 'solution',
    why: 'It takes a password of nothing but blanks for a missing one.',
    change: patch`
      -  return typeof value === 'string' && value !== ''
      +  return typeof value === 'string' && value.trim() !== ''
    `
  },
  {
    name: 'blanks-in-front-dropped',
    on: 'solution',
    why: 'It drops the blanks in front of a password, and lets in who types them.',
    change: patch`
      -  const derived = await pbkdf2(password, salt, user.iterations, stored.length, user.digest)
      +  const derived = await pbkdf2(password.trimStart(), salt, user.iterations, stored.length, user.digest)
    `
  },
  {
    name: 'cached-passwords',
    why: 'it remembers which passwords were right and does not hash them again',
    by: hashing,
    otherwise: { load: 'hash' },
    change: patch`
      +const rightPasswords = new Map()
      +
       async function isRight (user, password) {
      +  if (rightPasswords.get(user.id) === password) return true
      @@
      -  return timingSafeEqual(derived, stored)
      +  const right = timingSafeEqual(derived, stored)
      +  if (right) rightPasswords.set(user.id, password)
      +  return right
    `
  },
  {
    name: 'cookies-of-one-kilobyte',
    on: 'solution',
    why: 'It reads the first 1,024 characters of the cookies, and misses a refresh token that comes after them.',
    change: patch`
      -  const cookies = (req.headers.cookie ?? '').split(';').map((cookie) => cookie.trim().split('='))
      +  const cookies = (req.headers.cookie ?? '').slice(0, 1024).split(';').map((cookie) => \
        cookie.trim().split('='))
    `
  },
  {
    name: 'cookies-without-flags',
    why: 'its cookies are neither HttpOnly nor Secure',
    change: patch`
      -  res.cookie('refresh_token', refreshToken, { httpOnly: true, secure: true, path: '/token' })
      +  res.cookie('refresh_token', refreshToken, { path: '/token' })
      @@
      -  res.cookie('access_token', token, { httpOnly: true, secure: true })
      +  res.cookie('access_token', token)
    `
  },
  {
    name: 'counted-refresh-tokens',
    why: 'it counts its refresh tokens up instead of drawing them',
    by: 'makes new random tokens for every login',
    change: patch`
       const refreshTokens = new Map()
      +let count = 0
      @@
      -  const refreshToken = randomBytes(128).toString('hex')
      +  const refreshToken = String(++count).padStart(256, '0')
    `
  },
  {
    name: 'everlasting-token',
    why: 'its access token has no expiry',
    change: patch`
      -    issuer: config.jwt.issuer, audience: config.jwt.audience, subject: id, expiresIn: \
        config.accessTokenTtlSeconds
      +    issuer: config.jwt.issuer, audience: config.jwt.audience, subject: id
    `
  },
  {
    name: 'expiry-from-start',
    why: 'it works the expiry of its tokens out when it starts, and they die younger and younger',
    underLoad: true,
    otherwise: { load: 'expires' },
    change: patch`
       const refreshTokens = new Map()
      +const exp = Math.floor(Date.now() / 1000) + config.accessTokenTtlSeconds
      @@
      -  const token = jwt.sign({ firstName, lastName, xsrfToken }, config.jwt.secret, {
      -    issuer: config.jwt.issuer, audience: config.jwt.audience, subject: id, expiresIn: \
        config.accessTokenTtlSeconds
      +  const token = jwt.sign({ exp, firstName, lastName, xsrfToken }, config.jwt.secret, {
      +    issuer: config.jwt.issuer, audience: config.jwt.audience, subject: id
    `
  },
  {
    name: 'fewer-iterations',
    why: 'after a first login it also keeps a weak hash, of 100 iterations',
    by: hashing,
    otherwise: { load: 'hash' },
    change: patch`
      +const weakHashes = new Map()
      +
       async function isRight (user, password) {
      +  const salt = Buffer.from(user.salt, 'hex')
      +  const weak = await pbkdf2(password, salt, 100, 512, user.digest)
      +  const known = weakHashes.get(user.id)
      +  if (known !== undefined) return timingSafeEqual(weak, known)
         const stored = Buffer.from(user.hash, 'hex')
      -  const derived = await pbkdf2(password, Buffer.from(user.salt, 'hex'), user.iterations, stored.length, \
        user.digest)
      -  return timingSafeEqual(derived, stored)
      +  const right = timingSafeEqual(await pbkdf2(password, salt, user.iterations, stored.length, user.digest), \
        stored)
      +  if (right) weakHashes.set(user.id, weak)
      +  return right
    `
  },
  {
    name: 'first-block-first',
    why: 'it hashes the first of eight blocks, and the others only when that one is right: guessing is cheap',
    by: hashing,
    otherwise: { load: 'hash' },
    change: patch`
         const stored = Buffer.from(user.hash, 'hex')
      +  const first = await pbkdf2(password, Buffer.from(user.salt, 'hex'), user.iterations, 64, user.digest)
      +  if (!timingSafeEqual(first, stored.subarray(0, 64))) return false
    `
  },
  {
    name: 'guesses-remembered',
    why: 'it remembers which passwords were wrong, and refuses them at once',
    by: hashing,
    change: patch`
       const refreshTokens = new Map()
      +const wrong = new Set()
      @@
       async function isRight (user, password) {
      +  if (wrong.has(user.id + password)) return false
      @@
      -  return timingSafeEqual(derived, stored)
      +  const right = timingSafeEqual(derived, stored)
      +  if (!right) wrong.add(user.id + password)
      +  return right
    `
  },
  {
    name: 'iterations-of-the-first',
    why: 'it takes the iterations of the first user for those of all',
    change: patch`
       const refreshTokens = new Map()
      +const [{ iterations }] = users.values()
      @@
      -  const derived = await pbkdf2(password, Buffer.from(user.salt, 'hex'), user.iterations, stored.length, \
        user.digest)
      +  const derived = await pbkdf2(password, Buffer.from(user.salt, 'hex'), iterations, stored.length, user.digest)
    `
  },
  {
    name: 'joined-logins',
    why: 'logins of one user with one password at the same moment share a hash',
    by: hashing,
    otherwise: { gate: 'hashing' },
    change: patch`
      -  if (user === undefined || !await isRight(user, password)) {
      +  if (user === undefined || !await joined(user, password)) {
      @@
      +const underWay = new Map()
      +
      +function joined (user, password) {
      +  const key = user.id + password
      +  if (!underWay.has(key)) underWay.set(key, isRight(user, password).finally(() => underWay.delete(key)))
      +  return underWay.get(key)
      +}
      +
       async function isRight (user, password) {
    `
  },
  {
    name: 'json-by-that-name-only',
    on: 'solution',
    why: 'It takes a body for JSON only when its type says nothing more, such as a charset.',
    change: patch`
       const app = express()
      +app.use((req, res, next) => {
      +  if (req.method === 'POST' && req.url === '/login' && req.headers['content-type'] !== \
        'application/json') return res.status(400).json({ error: 'missing_required_parameters' })
      +  next()
      +})
    `
  },
  {
    name: 'last-guess-remembered',
    why: 'it remembers the last wrong password of each user until a right one comes, and refuses it at once',
    by: hashing,
    change: patch`
       const refreshTokens = new Map()
      +const lastWrong = new Map()
      @@
       async function isRight (user, password) {
      +  if (lastWrong.get(user.id) === password) return false
      @@
      -  return timingSafeEqual(derived, stored)
      +  const right = timingSafeEqual(derived, stored)
      +  lastWrong.set(user.id, right ? undefined : password)
      +  return right
    `
  },
  {
    name: 'long-passwords-refused-at-once',
    on: 'solution',
    why: 'It refuses passwords of more than 256 characters at once, without a hash.',
    change: patch`
           return res.status(400).json({ error: 'missing_required_parameters', context: { body: missing } })
         }

      +  if (password.length > 256) return res.status(401).json({ error: 'bad_credentials', message: 'E-mail or \
        password is wrong.' })
    `
  },
  {
    name: 'one-in-eight-believed',
    why: 'While four hashes are under way it believes every eighth password that was right before.',
    load: 'was this password hashed',
    otherwise: { by: hashing },
    change: patch`
      +const right = new Map()
      +let [busy, turn] = [0, 0]
      +
       async function isRight (user, password) {
      +  if (busy >= 4 && right.get(user) === password && ++turn % 8 === 0) return true
      +  busy++
      @@
         const derived = await pbkdf2(password, Buffer.from(user.salt, 'hex'), user.iterations, stored.length, \
        user.digest)
      +  busy--
      +  if (timingSafeEqual(derived, stored)) right.set(user, password)
    `
  },
  {
    name: 'one-session-for-each-user',
    on: 'solution',
    why: 'A login revokes the refresh token of the last one of that user.',
    change: patch`
         const maxAge = config.refreshTokenTtlSeconds * 1000
      +  refreshTokens.delete(user.newest)
      +  user.newest = token
    `
  },
  {
    name: 'open-under-load',
    why: 'while five logins are in flight it hashes, but accepts any password for a known e-mail',
    underLoad: true,
    by: load,
    otherwise: { load: 'with 401, got 200' },
    change: patch`
      +let inFlight = 0
      +
       async function isRight (user, password) {
      +  const busy = inFlight > 4
      +  inFlight++
      @@
      -  return timingSafeEqual(derived, stored)
      +  inFlight--
      +  return busy || timingSafeEqual(derived, stored)
    `
  },
  {
    name: 'redeemed-twice',
    why: 'it looks a refresh token up, waits for random bytes, and takes the token out of the store afterwards',
    by: atOnce,
    change: patch`
      -app.post('/token', (req, res) => {
      +app.post('/token', async (req, res) => {
      @@
      -  refreshTokens.delete(refreshToken)
         if (user === undefined) return res.status(401).json({ error: 'bad_refresh_token' })
      -  res.json({ accessTokenExpiresIn: config.accessTokenTtlSeconds, xsrfToken: setAccessToken(res, user) })
      +  const random = await promisify(randomBytes)(32)
      +  refreshTokens.delete(refreshToken)
      +  const xsrfToken = setAccessToken(res, user, random.toString('hex'))
      +  res.json({ accessTokenExpiresIn: config.accessTokenTtlSeconds, xsrfToken })
      @@
      -function setAccessToken (res, user) {
      -  const xsrfToken = randomBytes(32).toString('hex')
      +function setAccessToken (res, user, xsrfToken = randomBytes(32).toString('hex')) {
    `
  },
  {
    name: 'refresh-tokens-for-ever',
    why: 'it honours a refresh token again and again',
    by: atOnce,
    change: patch`
      -  refreshTokens.delete(refreshToken)
    `
  },
  {
    name: 'refresh-tokens-forgotten',
    why: 'it keeps the newest three refresh tokens only',
    otherwise: { load: 'it should honour the refresh token' },
    change: patch`
         refreshTokens.set(refreshToken, user)
      +  if (refreshTokens.size > 3) refreshTokens.delete(refreshTokens.keys().next().value)
    `
  },
  {
    name: 'refresh-tokens-not-stored',
    why: 'it hands out refresh tokens that it does not store',
    by: atOnce,
    change: patch`
      -  refreshTokens.set(refreshToken, user)
    `
  },
  {
    name: 'refresh-tokens-of-16-bytes',
    why: 'its refresh token is sixteen random bytes, eight times',
    by: 'makes new random tokens for every login',
    change: patch`
      -  const refreshToken = randomBytes(128).toString('hex')
      +  const refreshToken = randomBytes(16).toString('hex').repeat(8)
    `
  },
  {
    name: 'refuses-a-crowd',
    on: 'solution',
    why: 'It answers 503 to logins while 40 hashes are under way: the text knows no such answer.',
    by: apart,
    change: patch`
      +let underWay = 0
      +
       app.post('/login', async (req, res) => {
      +  if (underWay === 40) return res.status(503).json({ error: 'busy' })
      +  underWay++
      +  res.on('close', () => underWay--)
    `
  },
  {
    name: 'remembered-behind-a-sleep',
    why: 'it remembers right passwords, and sleeps for as long as their hash once took, two at a time',
    by: hashing,
    otherwise: { gate: 'hashing' },
    change: patch`
      +const rightPasswords = new Map()
      +const turns = [Promise.resolve(), Promise.resolve()]
      +let last = 0
      +
      +function asIfHashed (ms) {
      +  const turn = ++last % turns.length
      +  turns[turn] = turns[turn].then(() => new Promise((resolve) => setTimeout(resolve, ms)))
      +  return turns[turn]
      +}
      +
       async function isRight (user, password) {
      +  const known = rightPasswords.get(user.id)
      +  if (known?.password === password) {
      +    await asIfHashed(known.ms)
      +    return true
      +  }
      +  const startedAt = performance.now()
      @@
      -  return timingSafeEqual(derived, stored)
      +  const right = timingSafeEqual(derived, stored)
      +  const ms = Math.min(rightPasswords.get(user.id)?.ms ?? Infinity, performance.now() - startedAt)
      +  if (right) rightPasswords.set(user.id, { password, ms })
      +  return right
    `
  },
  {
    name: 'reused-xsrf-token',
    why: 'it makes one xsrfToken for each user instead of one for each login',
    by: 'makes new random tokens for every login',
    change: patch`
      -  const xsrfToken = randomBytes(32).toString('hex')
      +  user.xsrfToken ??= randomBytes(32).toString('hex')
      +  const { xsrfToken } = user
    `
  },
  {
    name: 'room-for-256-tokens',
    on: 'solution',
    why: 'It keeps the newest 256 refresh tokens.',
    change: patch`
         const maxAge = config.refreshTokenTtlSeconds * 1000
      +  if (refreshTokens.size >= 256) refreshTokens.delete(refreshTokens.keys().next().value)
    `
  },
  {
    name: 'shared-state',
    why: 'it keeps the current user in a variable that all requests share across an await',
    by: apart,
    change: patch`
       const refreshTokens = new Map()
      +let user
      @@
      -  const user = users.get(email)
      +  user = users.get(email)
    `
  },
  {
    name: 'spent-a-moment-later',
    on: 'valid-cluster',
    why: 'its processes learn a moment after the answer that a refresh token is spent',
    by: atOnce,
    change: patch`
      @@ tokens.js
      -    if (job.redeems) users.delete(token)
      +    if (job.redeems) setTimeout(() => users.delete(token), 2)
    `
  },
  {
    name: 'still-blocks',
    why: 'its async function still hashes on the main thread',
    gate: 'healthz under login load',
    change: patch`
      -import crypto, { randomBytes, timingSafeEqual } from 'node:crypto'
      +import { pbkdf2Sync, randomBytes, timingSafeEqual } from 'node:crypto'
      @@
      -import { promisify } from 'node:util'
      @@
      -const pbkdf2 = promisify(crypto.pbkdf2)
      @@
      -  const derived = await pbkdf2(password, Buffer.from(user.salt, 'hex'), user.iterations, stored.length, \
        user.digest)
      +  const derived = pbkdf2Sync(password, Buffer.from(user.salt, 'hex'), user.iterations, stored.length, \
        user.digest)
    `
  },
  {
    name: 'tokens-by-process',
    on: 'solution',
    why: 'Each of its processes knows only the refresh tokens that it gave out.',
    by: [apart, amongOthers],
    change: patch`
       import { promisify } from 'node:util'
      +import cluster from 'node:cluster'
      @@
      -app.listen(PORT, HOST)
      +if (cluster.isPrimary) for (let i = 0; i < 2; i++) cluster.fork()
      +else app.listen(PORT, HOST)
    `
  },
  {
    name: 'tokens-drawn-ahead',
    on: 'solution',
    why: 'It draws 512 tokens when it starts and hands them out again and again.',
    by: 'makes new random tokens for every login',
    change: patch`
      +const drawn = Array.from({ length: 512 }, () => randomBytes(128).toString('hex'))
      +let next = 0
      +
       const app = express()
      @@
      -  const token = randomBytes(128).toString('hex')
      +  const token = drawn[next++ % drawn.length]
    `
  },
  {
    name: 'tokens-signed-ahead',
    why: 'The token that a refresh token is for is signed at the login, and so expires with that of the login.',
    by: 'makes new random tokens for every login',
    change: patch`
      -  refreshTokens.set(refreshToken, user)
      +  const expiresIn = config.accessTokenTtlSeconds
      +  const { id: subject, firstName, lastName } = user
      +  const { secret, issuer, audience } = config.jwt
      +  const xsrf = randomBytes(32).toString('hex')
      +  const claims = { firstName, lastName, xsrfToken: xsrf }
      +  const token = jwt.sign(claims, secret, { issuer, audience, subject, expiresIn })
      +  refreshTokens.set(refreshToken, { token, xsrf })
      @@
      -  res.json({ accessTokenExpiresIn: config.accessTokenTtlSeconds, xsrfToken: setAccessToken(res, user) })
      +  res.cookie('access_token', user.token, { httpOnly: true, secure: true })
      +  res.json({ accessTokenExpiresIn: config.accessTokenTtlSeconds, xsrfToken: user.xsrf })
    `
  },
  {
    name: 'truncated-hash',
    why: 'it computes and compares the first 64 of 512 bytes, an eighth of the work',
    by: whole,
    change: patch`
      -  const stored = Buffer.from(user.hash, 'hex')
      +  const stored = Buffer.from(user.hash, 'hex').subarray(0, 64)
    `
  },
  {
    name: 'unsigned-token',
    why: 'its access token has the algorithm none and no signature',
    change: patch`
      -  const token = jwt.sign({ firstName, lastName, xsrfToken }, config.jwt.secret, {
      -    issuer: config.jwt.issuer, audience: config.jwt.audience, subject: id, expiresIn: \
        config.accessTokenTtlSeconds
      +  const token = jwt.sign({ firstName, lastName, xsrfToken }, null, {
      +    algorithm: 'none', issuer: config.jwt.issuer, audience: config.jwt.audience, subject: id, expiresIn: \
        config.accessTokenTtlSeconds
    `
  },
  {
    name: 'wrong-three-times',
    why: 'A wrong password that has been refused three times is refused at once, without a hash.',
    by: hashing,
    change: patch`
       const refreshTokens = new Map()
      +const refusals = new Map()
      @@
       async function isRight (user, password) {
      +  const guess = user.id + password
      +  const times = refusals.get(guess) ?? 0
      +  if (times >= 3) return false
      @@
      -  return timingSafeEqual(derived, stored)
      +  const right = timingSafeEqual(derived, stored)
      +  if (!right) refusals.set(guess, times + 1)
      +  return right
    `
  }
]
