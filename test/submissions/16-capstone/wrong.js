import { patch } from '../apply.js'
const callsEachTime = 'calls both services for every film page, once each, and for nothing else'

export const on = 'solution'

export default [
  {
    name: 'bodies-unread',
    why: 'It doesn’t read what a service says when it fails, and each such answer keeps one of 64 connections.',
    by: 'answers as before after many failures',
    change: patch`
      @@ offers.js
      -      res.resume()
    `
  },
  {
    name: 'claims-remembered',
    why: 'It remembers tokens that it has verified by what they say, and lets a forged one with the same claims in.',
    change: patch`
      @@ login.js
       const hashPassword = promisify(pbkdf2)
      +const verified = new Map()
      @@
      +  const claims = token?.split('.')[1]
      +  const known = verified.get(claims)
      +  if (known && known.exp > Date.now() / 1000) return known
         try {
      -    return jwt.verify(token, secret, { algorithms: ['HS256'] })
      +    const user = jwt.verify(token, secret, { algorithms: ['HS256'] })
      +    verified.set(claims, user)
      +    return user
    `
  },
  {
    name: 'every-review-a-person',
    why: 'Its report counts a person again for every review that is written while it runs.',
    change: patch`
      @@ reviews.js
      -  .map((genre) => [genre, { reviews: 0, sum: 0, people: new Set() }]))
      +  .map((genre) => [genre, { reviews: 0, sum: 0, people: 0 }]))
      @@
      -for (const review of JSON.parse(readFileSync(path.join(DATA_DIR, 'reviews.json'), 'utf8'))) keep(review)
      +const stored = JSON.parse(readFileSync(path.join(DATA_DIR, 'reviews.json'), 'utf8'))
      +for (const review of stored) keep(review)
      +for (const [name, genre] of genres) {
      +  const ofGenre = stored.filter(({ film }) => genresOfFilm.get(film).includes(genres.get(name)))
      +  genre.people = new Set(ofGenre.map(({ user }) => user)).size
      +}
      @@
      -    people: people.size,
      +    people,
      @@
      -    genre.people.add(review.user)
      +    genre.people++
    `
  },
  {
    name: 'fewer-bytes-hashed',
    why: 'It derives and compares the first 64 bytes of a hash of 512: pbkdf2 makes them block by block, so that is ' +
      'an eighth of the work.',
    change: patch`
      @@ login.js
       const hashPassword = promisify(pbkdf2)
      +const hashBytes = 64
      @@
      -  const hash = await hashPassword(password, Buffer.from(user.salt, 'hex'), user.iterations, 512, user.digest)
      -  if (!timingSafeEqual(hash, Buffer.from(user.hash, 'hex'))) return
      +  const hash = await hashPassword(password, Buffer.from(user.salt, 'hex'), user.iterations, hashBytes, \
        user.digest)
      +  if (!timingSafeEqual(hash, Buffer.from(user.hash, 'hex').subarray(0, hashBytes))) return
    `
  },
  {
    name: 'films-by-any-number',
    why: 'It looks a film up by Number(id): 1.0 and +1 are film 1.',
    change: patch`
      @@ catalogue.js
      -const byId = new Map(films.map((film) => [String(film.id), film]))
      +const byId = new Map(films.map((film) => [film.id, film]))
      @@
      -  return byId.get(id)
      +  return byId.get(Number(id))
    `
  },
  {
    name: 'found-for-any-limit',
    why: 'It remembers what it found by the text alone, as many as were asked for the first time.',
    change: patch`
      @@ catalogue.js
      +const kept = new Map()
      +
       export function search (text, limit) {
      +  if (kept.has(text)) return kept.get(text).slice(0, limit)
      @@
      +  kept.set(text, found)
         return found
    `
  },
  {
    name: 'iterations-of-the-first',
    why: 'It takes the iterations of the first user for those of all.',
    change: patch`
      @@ login.js
      -  const hash = await hashPassword(password, Buffer.from(user.salt, 'hex'), user.iterations, 512, user.digest)
      +  const hash = await hashPassword(password, Buffer.from(user.salt, 'hex'), users[0].iterations, 512, \
        user.digest)
    `
  },
  {
    name: 'key-without-separator',
    why: 'It keeps what it found by text and limit with nothing in between: x1 with 5 is x with 15.',
    change: patch`
      @@ catalogue.js
      +const kept = new Map()
      +
       export function search (text, limit) {
      +  const key = text + limit
      +  if (kept.has(key)) return kept.get(key)
      @@
      +  kept.set(key, found)
         return found
    `
  },
  {
    name: 'last-lines-wait-for-clients',
    why: 'After SIGTERM the lines wait until every client has closed its connection.',
    by: 'loses no line when it is stopped',
    change: patch`
      @@ access-log.js
      -const flushMs = 100
      +const flushMs = 500
      @@
      -    close (done) {
      +    hold () {
      +      clearTimeout(timer)
      +    },
      +    close (done) {
      @@ server.js
      -  server.close(() => log.close(() => process.exit()))
      -  setTimeout(() => server.closeAllConnections(), 200).unref()
      +  log.hold()
      +  server.close(() => log.close(() => process.exit()))
    `
  },
  {
    name: 'lines-lost-at-the-end',
    why: 'It ends without writing the lines that it still holds.',
    by: 'loses no line when it is stopped',
    change: patch`
      -  server.close(() => log.close(() => process.exit()))
      +  server.close(() => process.exit())
    `
  },
  {
    name: 'log-sampled-when-busy',
    why: 'When many requests are open it logs one in ten.',
    underLoad: true,
    change: patch`
      @@ access-log.js
      +  let open = 0
      +  let count = 0
         return (req, res, next) => {
      +    open++
      @@
           res.on('close', () => {
      +      const busy = open > 3
      +      open--
      +      if (busy && ++count % 10 > 0) return
    `
  },
  {
    name: 'nothing-found-when-busy',
    why: 'With many requests open a search finds nothing.',
    load: 'got []',
    change: patch`
      -import { catalogue, catalogueGzipped, filmById, search } from './catalogue.js'
      +import { busy, catalogue, catalogueGzipped, filmById, search } from './catalogue.js'
      @@
       app.use(logRequests(log))
      +app.use((req, res, next) => {
      +  busy.open++
      +  res.on('close', () => { busy.open-- })
      +  next()
      +})
      @@ catalogue.js
      +export const busy = { open: 0 }
      +
       export function filmById (id) {
      @@
       export function search (text, limit) {
      +  if (busy.open > 4) return []
    `
  },
  {
    name: 'numbered-by-the-clock',
    why: 'The id of a review is the time of its arrival in hundredths of a second: two within one have the same.',
    by: 'counts each of many reviews, sent at the same time',
    change: patch`
      @@ reviews.js
      -  const added = { id: count + 1, ...review }
      +  const added = { id: Math.floor(Date.now() / 10), ...review }
    `
  },
  {
    name: 'offer-of-before-when-late',
    why: 'When a service takes longer than 60 ms, the page shows what was said for the page before.',
    by: 'calls both services for every page, even for pages of one film at the same moment',
    change: patch`
      @@ offers.js
      +const last = new Map()
      +
       export async function offerFor (film) {
      -  const [{ price }, { stock }] = await Promise.all([ask('prices', film), ask('stock', film)])
      -  return { price, stock }
      +  const asked = Promise.all([ask('prices', film), ask('stock', film)])
      +    .then(([{ price }, { stock }]) => ({ price, stock }))
      +  const late = new Promise((resolve) => setTimeout(resolve, 60, last.get(film)))
      +  asked.then((offer) => last.set(film, offer), () => {})
      +  return last.has(film) ? Promise.race([asked, late]) : asked
    `
  },
  {
    name: 'offers-of-before-in-a-crowd',
    why: 'It asks both services for every page. In a crowd a page shows what an earlier one of its film got.',
    change: patch`
      @@ offers.js
      +const last = new Map()
      +let waiting = 0
      +
       export async function offerFor (film) {
      +  waiting++
      +  const asked = askBoth(film).finally(() => waiting--)
      +  asked.then((offer) => last.set(film, offer), () => {})
      +  return waiting > 3 && last.has(film) ? last.get(film) : asked
      +}
      +
      +async function askBoth (film) {
    `
  },
  {
    name: 'offers-one-behind',
    why: 'It asks both services for every page, and does not wait: the page shows what the page before has asked for.',
    by: [callsEachTime, 'keeps concurrent requests apart'],
    change: patch`
      @@ offers.js
      +const kept = new Map()
      +
       export async function offerFor (film) {
      +  const fresh = askBoth(film)
      +  fresh.then((offer) => kept.set(film, offer), () => kept.delete(film))
      +  return kept.get(film) ?? fresh
      +}
      +
      +async function askBoth (film) {
    `
  },
  {
    name: 'offers-remembered',
    why: 'Prices and stock are kept for a second.',
    change: patch`
      @@ offers.js
      -export async function offerFor (film) {
      +const kept = new Map()
      +
      +export function offerFor (film) {
      +  if (!kept.has(film)) {
      +    kept.set(film, askBoth(film))
      +    setTimeout(() => kept.delete(film), 1000).unref()
      +  }
      +  return kept.get(film)
      +}
      +
      +async function askBoth (film) {
    `
  },
  {
    name: 'offers-shared',
    why: 'Pages of one film that are asked for at the same moment share one pair of calls.',
    by: 'calls both services for every page, even for pages of one film at the same moment',
    change: patch`
      @@ offers.js
      -export async function offerFor (film) {
      +const underWay = new Map()
      +
      +export function offerFor (film) {
      +  if (!underWay.has(film)) underWay.set(film, askBoth(film).finally(() => underWay.delete(film)))
      +  return underWay.get(film)
      +}
      +
      +async function askBoth (film) {
    `
  },
  {
    name: 'only-500s-fail',
    why: 'It takes a 404 or a 429 of a service for an offer.',
    change: patch`
      @@ offers.js
      -      if (res.statusCode === 200) return json(res).then(resolve, fail)
      +      if (res.statusCode < 500) return json(res).then(resolve, fail)
    `
  },
  {
    name: 'only-the-suspects',
    on: 'slow',
    why: 'What looks expensive is gone: the copy of the settings and the long pattern. What is expensive is still ' +
      'there.',
    gate: 'shop',
    change: patch`
      -  res.locals.settings = structuredClone(settings)
      +  res.locals.settings = settings
      @@ access-log.js
      -        headers: req.headers,
      @@ login.js
      -const emailPattern = new RegExp(
      -…
      -)
      @@
      -  if (!emailPattern.test(email)) return
    `
  },
  {
    name: 'passwords-remembered',
    why: 'A user who has logged in once is let in without a hash.',
    by: 'hashes the password at every login',
    otherwise: { load: 'hash' },
    change: patch`
      @@ login.js
      +const known = new Map()
       const hashPassword = promisify(pbkdf2)
      @@
         const user = users.find((user) => user.email === email) ?? noOne
      +  if (known.get(email) === password) return tokenFor(user)
      @@
         if (!timingSafeEqual(hash, Buffer.from(user.hash, 'hex'))) return
      +  known.set(email, password)
      +  return tokenFor(user)
      +}
      +
      +function tokenFor (user) {
    `
  },
  {
    name: 'passwords-remembered-in-a-mix',
    why: 'After forty other requests it lets in without a hash those who have logged in before.',
    // On a busy machine the one answer that comes too fast may come late.
    underLoad: true,
    by: 'hashes the password at every login',
    change: patch`
       app.use(logRequests(log))
      +app.use((req, res, next) => {
      +  if (req.path !== '/login') mix.visits++
      +  next()
      +})
      @@
      -import { logIn, userOf } from './login.js'
      +import { logIn, mix, userOf } from './login.js'
      @@ login.js
       const hashPassword = promisify(pbkdf2)
      +export const mix = { visits: 0 }
      +const right = new Map()
      @@
      -  const hash = await hashPassword(password, Buffer.from(user.salt, 'hex'), user.iterations, 512, user.digest)
      -  if (!timingSafeEqual(hash, Buffer.from(user.hash, 'hex'))) return
      +  const isMixed = mix.visits > 40
      +  mix.visits = 0
      +  if (!isMixed || right.get(email) !== password) {
      +    const hash = await hashPassword(password, Buffer.from(user.salt, 'hex'), user.iterations, 512, user.digest)
      +    if (!timingSafeEqual(hash, Buffer.from(user.hash, 'hex'))) return
      +    right.set(email, password)
      +  }
    `
  },
  {
    name: 'people-by-id-and-by-name',
    why: 'It counts who has written before once more: by name in the file, by id now.',
    change: patch`
      @@ reviews.js
      -export function addReview (review) {
      +export function addReview (review, by) {
      @@
      -  keep(added)
      +  keep(added, by)
      @@
      -function keep (review) {
      +function keep (review, by = review.user) {
      @@
      -    genre.people.add(review.user)
      +    genre.people.add(by)
      @@ server.js
      -  res.status(201).json(addReview({ film: film.id, user: user.name, stars, text }))
      +  res.status(201).json(addReview({ film: film.id, user: user.name, stars, text }, user.sub))
    `
  },
  {
    name: 'people-of-each-film',
    why: 'Its report counts a person again who writes about another film of the genre while it runs.',
    change: patch`
      @@ reviews.js
      -let count = 0
      +let count = 0
      +let isRunning = false
      @@
      -for (const review of JSON.parse(readFileSync(path.join(DATA_DIR, 'reviews.json'), 'utf8'))) keep(review)
      +for (const review of JSON.parse(readFileSync(path.join(DATA_DIR, 'reviews.json'), 'utf8'))) keep(review)
      +isRunning = true
      @@
      -    genre.people.add(review.user)
      +    genre.people.add(isRunning ? \`\${review.film} \${review.user}\` : review.user)
    `
  },
  {
    name: 'plus-is-no-space',
    on: 'solution',
    why: 'It reads the query by itself, and takes a + for a +.',
    change: patch`
      -const app = express()
      +const app = express()
      +app.set('query parser', (text) => Object.fromEntries((text ?? '').split('&').map((pair) => {
      +  const [name, value = ''] = pair.split('=')
      +  return [name, decodeURIComponent(value)]
      +})))
    `
  },
  {
    name: 'report-of-before',
    on: 'solution',
    why: 'A review empties what it keeps, and a report that was under way is kept afterwards, without that review.',
    change: patch`
      +let kept
       app.get('/report', (req, res) => {
      -  res.json(report())
      +  if (kept) return res.json(kept)
      +  const made = report()
      +  setTimeout(() => {
      +    kept = made
      +    res.json(made)
      +  }, 25)
      @@
      -  res.status(201).json(addReview({ film: film.id, user: user.name, stars, text }))
      +  kept = undefined
      +  res.status(201).json(addReview({ film: film.id, user: user.name, stars, text }))
    `
  },
  {
    name: 'report-remembered',
    why: 'The report is made again once every half second, whatever was written since.',
    change: patch`
      @@ reviews.js
      +let made
      +let madeAt = -Infinity
      +
       export function report () {
      +  if (performance.now() - madeAt > 500) [made, madeAt] = [makeReport(), performance.now()]
      +  return made
      +}
      +
      +function makeReport () {
    `
  },
  {
    name: 'reviews-of-no-film',
    why: 'It takes a review of a film that does not exist.',
    change: patch`
      @@ reviews.js
      -  byFilm.get(review.film).push(review)
      -  for (const genre of genresOfFilm.get(review.film)) {
      +  byFilm.get(review.film)?.push(review)
      +  for (const genre of genresOfFilm.get(review.film) ?? []) {
      @@ server.js
         if (!user) return res.status(401).json({ error: 'unauthorised' })
         const film = filmById(req.params.id)
      -  if (!film) return res.status(404).json({ error: 'not_found' })
      @@
      -  res.status(201).json(addReview({ film: film.id, user: user.name, stars, text }))
      +  res.status(201).json(addReview({ film: film?.id, user: user.name, stars, text }))
    `
  },
  {
    name: 'reviews-say-who-wrote-them',
    why: 'It keeps all fields of the body: a review that says who wrote it is theirs.',
    change: patch`
      -  res.status(201).json(addReview({ film: film.id, user: user.name, stars, text }))
      +  res.status(201).json(addReview({ film: film.id, user: user.name, ...req.body }))
    `
  },
  {
    name: 'reviews-written-behind',
    why: 'A review is answered before it is kept.',
    change: patch`
      @@ reviews.js
      -let count = 0
      +let last = 0

      -for (const review of JSON.parse(readFileSync(path.join(DATA_DIR, 'reviews.json'), 'utf8'))) keep(review)
      +for (const review of JSON.parse(readFileSync(path.join(DATA_DIR, 'reviews.json'), 'utf8'))) {
      +  keep(review)
      +  last++
      +}
      @@
      -  const added = { id: count + 1, ...review }
      -  keep(added)
      +  const added = { id: ++last, ...review }
      +  setTimeout(keep, 60, added)
      @@
      -  count++
    `
  },
  {
    name: 'search-as-pattern',
    why: 'The text of a search is taken for a pattern, and a bracket ends in an error.',
    change: patch`
      @@ catalogue.js
      -  const wanted = text.toLowerCase()
      +  const wanted = new RegExp(text, 'i')
      @@
      -    if (!title.includes(wanted) && !actors.includes(wanted)) continue
      +    if (!wanted.test(title) && !wanted.test(actors)) continue
    `
  },
  {
    name: 'searches-kept-trimmed',
    why: 'It keeps what it found under the trimmed text: a space at the end gets the answer of the text without it.',
    change: patch`
      @@ catalogue.js
      +const kept = new Map()
      +
       export function search (text, limit) {
      +  const key = \`\${limit} \${text.trim().toLowerCase()}\`
      +  if (kept.has(key)) return kept.get(key)
      @@
      +  kept.set(key, found)
         return found
    `
  },
  {
    name: 'services-called-again',
    why: 'It calls a service that fails once more.',
    change: patch`
      @@ offers.js
      -  const [{ price }, { stock }] = await Promise.all([ask('prices', film), ask('stock', film)])
      +  const [{ price }, { stock }] = await Promise.all([ask('prices', film).catch(() => ask('prices', film)), \
        ask('stock', film).catch(() => ask('stock', film))])
    `
  },
  {
    name: 'text-by-chunks',
    why: 'Each chunk of a body is made text for itself: a letter that lies across two of them is lost.',
    change: patch`
       app.use(logRequests(log))
      +app.use((req, res, next) => {
      +  if (req.method !== 'POST') return next()
      +  let text = ''
      +  req.on('data', (chunk) => { text += chunk }).on('end', () => {
      +    try {
      +      req.body = JSON.parse(text)
      +      next()
      +    } catch (error) {
      +      next(Object.assign(error, { status: 400 }))
      +    }
      +  })
      +})
    `
  },
  {
    name: 'texts-of-1000-letters',
    why: 'It keeps the first 1,000 characters of a review.',
    change: patch`
      -  res.status(201).json(addReview({ film: film.id, user: user.name, stars, text }))
      +  res.status(201).json(addReview({ film: film.id, user: user.name, stars, text: text.slice(0, 1000) }))
    `
  },
  {
    name: 'title-and-actors-joined',
    why: 'It searches title and actors as one text, and finds what begins in the one and ends in the other.',
    change: patch`
      @@ catalogue.js
      -  title: Title.toLowerCase(),
      -  actors: Actors.toLowerCase(),
      +  text: \`\${Title} \${Actors}\`.toLowerCase(),
      @@
      -  for (const { title, actors, json } of entries) {
      -    if (!title.includes(wanted) && !actors.includes(wanted)) continue
      +  for (const { text, json } of entries) {
      +    if (!text.includes(wanted)) continue
    `
  },
  {
    name: 'tokens-known-by-their-signature',
    why: 'It remembers tokens that it has verified by their signature, and lets in whatever stands before that.',
    change: patch`
      @@ login.js
       const hashPassword = promisify(pbkdf2)
      +const verified = new Map()
      @@
      +  const signature = token?.split('.')[2]
      +  const known = verified.get(signature)
      +  if (known && known.exp > Date.now() / 1000) return known
         try {
      -    return jwt.verify(token, secret, { algorithms: ['HS256'] })
      +    const user = jwt.verify(token, secret, { algorithms: ['HS256'] })
      +    verified.set(signature, user)
      +    return user
    `
  },
  {
    name: 'tokens-not-verified',
    why: 'It reads what a token says and does not look at its signature.',
    change: patch`
      @@ login.js
      -    return jwt.verify(token, secret, { algorithms: ['HS256'] })
      +    return jwt.decode(token)
    `
  },
  {
    name: 'verified-for-good',
    why: 'A token that it has verified once is good for ever: it does not look at its hour again.',
    by: 'refuses an expired token',
    change: patch`
      @@ login.js
       const hashPassword = promisify(pbkdf2)
      +const verified = new Map()
      @@
      -    return jwt.verify(token, secret, { algorithms: ['HS256'] })
      +    if (!verified.has(token)) verified.set(token, jwt.verify(token, secret, { algorithms: ['HS256'] }))
      +    return verified.get(token)
    `
  },
  {
    name: 'waits-for-quiet',
    why: 'Its log is written after a quarter of a second without a request: in a busy hour, never.',
    by: 'writes its lines within a second, even under constant load',
    change: patch`
      @@ access-log.js
      -const flushMs = 100
      -const mostLines = 500
      -
      @@
      -      if (lines.length >= mostLines) flush()
      -      else timer ??= setTimeout(flush, flushMs)
      +      clearTimeout(timer)
      +      timer = setTimeout(flush, 250)
    `
  },
  {
    name: 'wrong-ones-cut-short',
    why: 'It derives the first 64 bytes of a hash, and the others only where those are right: a wrong password costs ' +
      'an eighth of the work.',
    by: 'hashes the password at every login',
    change: patch`
      @@ login.js
         const user = users.find((user) => user.email === email) ?? noOne
      +  const [salt, begin] = [Buffer.from(user.salt, 'hex'), Buffer.from(user.hash, 'hex').subarray(0, 64)]
      +  if (!begin.equals(await hashPassword(password, salt, user.iterations, 64, user.digest))) return
    `
  }
]
