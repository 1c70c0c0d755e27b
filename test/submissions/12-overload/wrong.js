import { patch } from '../apply.js'

export const on = 'solution'

export default [
  {
    name: 'booked-and-refused',
    why: 'Whose quote is made too late is refused, though it stands in the book.',
    change: patch`
      +  const cameAt = performance.now()
      +  const refuse = () => res.status(503).set('Retry-After', String(RETRY_AFTER_S)).json({ error: 'overloaded' })
         const accepted = line.join(() => {
      @@
      -      res.status(201).json(book.add({ product, kilos, cents: kilos * centsPerKilo.get(product) }))
      +      const quote = book.add({ product, kilos, cents: kilos * centsPerKilo.get(product) })
      +      if (performance.now() - cameAt > 60) refuse()
      +      else res.status(201).json(quote)
      @@
      -  if (!accepted) res.status(503).set('Retry-After', String(RETRY_AFTER_S)).json({ error: 'overloaded' })
      +  if (!accepted) refuse()
    `
  },
  {
    name: 'cheaper-for-small-orders',
    why: 'The seal of a small order has a quarter of its rounds, as if it weren’t worth forging.',
    otherwise: { load: 'the seal of the quote' },
    change: patch`
      @@ book.js
      -  for (let i = 1; i < ROUNDS; i++) seal = hash('sha256', seal)
      +  for (let i = 1; i < (kilos < 1000 ? ROUNDS / 4 : ROUNDS); i++) seal = hash('sha256', seal)
    `
  },
  {
    name: 'cheaper-when-busy',
    why: 'When several orders wait, a seal is made of a tenth of its rounds.',
    by: 'answers each of 100 orders that come at the same moment on new connections, at least 10 of them with 503',
    change: patch`
      -      res.status(201).json(book.add({ product, kilos, cents: kilos * centsPerKilo.get(product) }))
      +      res.status(201).json(book.add({ product, kilos, cents: kilos * centsPerKilo.get(product) }, { hurry: \
        line.isBusy() }))
      @@ book.js
      -    add ({ product, kilos, cents }) {
      +    add ({ product, kilos, cents }, { hurry }) {
      @@
      -        seal: sealOf({ number, product, kilos, cents, previous })
      +        seal: sealOf({ number, product, kilos, cents, previous }, hurry ? ROUNDS / 10 : ROUNDS)
      @@
      -function sealOf ({ number, product, kilos, cents, previous }) {
      +function sealOf ({ number, product, kilos, cents, previous }, rounds) {
         let seal = hash('sha256', \`\${number} \${product} \${kilos} \${cents} \${previous}\`)
      -  for (let i = 1; i < ROUNDS; i++) seal = hash('sha256', seal)
      +  for (let i = 1; i < rounds; i++) seal = hash('sha256', seal)
      @@ line.js
         return {
      +    isBusy: () => waiting.length > 2,
    `
  },
  {
    name: 'equal-orders-joined',
    why: 'An order that equals one that waits gets that one’s quote, and both believe that it’s theirs.',
    by: 'answers each of 100 orders that come at the same moment on new connections, at least 10 of them with 503',
    change: patch`
      +const joined = new Map()
       const app = express()
      @@
      -  const accepted = line.join(() => {
      -…
      -    if (res.destroyed) return
      +  const key = \`\${product} \${kilos}\`
      +  if (joined.has(key)) return joined.get(key).push(res)
      +  joined.set(key, [res])
      +  const accepted = line.join(() => {
      @@
      -      res.status(201).json(book.add({ product, kilos, cents: kilos * centsPerKilo.get(product) }))
      +      const quote = book.add({ product, kilos, cents: kilos * centsPerKilo.get(product) })
      +      for (const one of joined.get(key)) one.status(201).json(quote)
      +      joined.delete(key)
      @@
      -  if (!accepted) res.status(503).set('Retry-After', String(RETRY_AFTER_S)).json({ error: 'overloaded' })
      +  if (accepted) return
      +  joined.delete(key)
      +  res.status(503).set('Retry-After', String(RETRY_AFTER_S)).json({ error: 'overloaded' })
    `
  },
  {
    name: 'everybody-refused',
    why: 'When the line is full it refuses whatever comes, also the health check: the load balancer takes a server ' +
      'that works off its list.',
    by: 'answers each of 100 orders that come at the same moment on new connections, at least 10 of them with 503',
    otherwise: { load: 'should always be answered with 200' },
    change: patch`
      +// Before everything else: under load every request counts.
      +app.use((req, res, next) => {
      +  if (!line.isFull()) return next()
      +  res.status(503).set('Retry-After', String(RETRY_AFTER_S)).json({ error: 'overloaded' })
      +})
      +
       app.get('/healthz', (req, res) => {
      @@ line.js
         return {
      +    isFull: () => waiting.length >= most,
    `
  },
  {
    name: 'fields-shown-again',
    on: 'solution',
    why: 'The answer has all that was in the order, so what nobody asked for as well.',
    by: 'seals every quote together with the one before',
    change: patch`
      -      res.status(201).json(book.add({ product, kilos, cents: kilos * centsPerKilo.get(product) }))
      +      const cents = kilos * centsPerKilo.get(product)
      +      res.status(201).json({ ...req.body, ...book.add({ product, kilos, cents }) })
    `
  },
  {
    name: 'fields-taken-over',
    on: 'solution',
    why: 'What is in the order goes into the book, so a client that sends cents sets its price.',
    by: 'seals every quote together with the one before',
    change: patch`
      -      res.status(201).json(book.add({ product, kilos, cents: kilos * centsPerKilo.get(product) }))
      +      res.status(201).json(book.add({ cents: kilos * centsPerKilo.get(product), ...req.body }))
    `
  },
  {
    name: 'forks-the-book',
    on: 'valid-in-slices',
    why: 'A quote is sealed in slices, and several at the same time: they take the same number, or the same seal as ' +
      'the one before.',
    change: patch`
      -let last = Promise.resolve()
      -…
      -}
      @@
      -    res.status(201).json(await addInTurn({ product, kilos, cents: kilos * centsPerKilo.get(product) }))
      +    res.status(201).json(await book.add({ product, kilos, cents: kilos * centsPerKilo.get(product) }))
    `
  },
  {
    name: 'hangs-up',
    why: 'It closes the connections of orders that don’t fit, without an answer, so most clients try again at once.',
    by: 'answers each of 100 orders that come at the same moment on new connections, at least 10 of them with 503',
    change: patch`
      -const RETRY_AFTER_S = 1
      @@
      -  if (!accepted) res.status(503).set('Retry-After', String(RETRY_AFTER_S)).json({ error: 'overloaded' })
      +  if (!accepted) req.socket.destroy()
    `
  },
  {
    name: 'line-too-long',
    why: 'There is a bound, but it’s so large that an accepted order waits nearly as long as before.',
    gate: 'accepted requests',
    change: patch`
      -// How many quotes may wait: the last one waits about this many times as long as one takes.
      -const MOST_WAITING = 8
      +const MOST_WAITING = 75
    `
  },
  {
    name: 'looks-at-heads-alone',
    why: 'Whether there’s room is asked when the head of an order comes, and no more when its body has.',
    by: 'answers each of 100 orders that come at the same moment on new connections, at least 10 of them with 503',
    change: patch`
      -const line = openLine({ most: MOST_WAITING })
      +const line = openLine({ most: Infinity })
      +let waiting = 0
      @@
      -app.post('/quotes', express.json(), (req, res, next) => {
      +app.post('/quotes', (req, res, next) => {
      +  if (waiting < MOST_WAITING) return next()
      +  res.status(503).set('Retry-After', String(RETRY_AFTER_S)).json({ error: 'overloaded' })
      +}, express.json(), (req, res, next) => {
      @@
      -  const accepted = line.join(() => {
      +  waiting++
      +  res.on('close', () => waiting--)
      +  line.join(() => {
      @@
      -  if (!accepted) res.status(503).set('Retry-After', String(RETRY_AFTER_S)).json({ error: 'overloaded' })
    `
  },
  {
    name: 'lost-within-the-body',
    on: 'solution',
    why: 'A place is taken before the body has been read, and lost for ever if the client leaves before its end.',
    by: 'serves 6 orders that come at the same moment, even after a crowd',
    change: patch`
       const app = express()
      +let reading = 0
      @@
      -app.post('/quotes', express.json(), (req, res, next) => {
      +app.post('/quotes', (req, res, next) => {
      +  if (reading === 32) return res.status(503).set('Retry-After', '1').json({ error: 'overloaded' })
      +  reading++
      +  req.on('end', () => { reading-- })
      +  next()
      +}, express.json(), (req, res, next) => {
    `
  },
  {
    name: 'not-found-kept',
    why: 'It keeps what it found in the book, since a quote never changes: also that there was none.',
    by: 'shows a quote in the book at once, even to a client that requested it too early',
    change: patch`
      +const kept = new Map()
      +
       app.get('/quotes/:number', (req, res) => {
      -  const quote = book.get(Number(req.params.number))
      +  const { number } = req.params
      +  if (!kept.has(number)) kept.set(number, book.get(Number(number)))
      +  if (kept.size > 1000) kept.delete(kept.keys().next().value)
      +  const quote = kept.get(number)
    `
  },
  {
    name: 'null-as-an-error',
    on: 'solution',
    why: 'null is JSON, too, and has no fields: it answers 500.',
    by: 'refuses an invalid order with 400',
    change: patch`
      -app.post('/quotes', express.json(), (req, res, next) => {
      -  const { product, kilos } = req.body ?? {}
      +app.post('/quotes', express.json({ strict: false }), (req, res, next) => {
      +  const { product, kilos } = req.body === undefined ? {} : req.body
    `
  },
  {
    name: 'number-misread',
    why: 'It reads the number of a quote as far as it is one: 5x is quote 5.',
    change: patch`
      -  const quote = book.get(Number(req.params.number))
      +  const quote = book.get(parseInt(req.params.number, 10))
    `
  },
  {
    name: 'numbers-of-the-gone',
    why: 'An order gets its number when it joins the line. When its client hangs up, the book has a gap.',
    by: 'leaves no gap in the book when a client disconnects',
    change: patch`
       const line = openLine({ most: MOST_WAITING })
      +let last = 0
      @@
      +  let number
         const accepted = line.join(() => {
      @@
      -      res.status(201).json(book.add({ product, kilos, cents: kilos * centsPerKilo.get(product) }))
      +      res.status(201).json(book.add({ number, product, kilos, cents: kilos * centsPerKilo.get(product) }))
      @@
      -  if (!accepted) res.status(503).set('Retry-After', String(RETRY_AFTER_S)).json({ error: 'overloaded' })
      +  if (accepted) number = ++last
      +  else res.status(503).set('Retry-After', String(RETRY_AFTER_S)).json({ error: 'overloaded' })
      @@ book.js
      -    add ({ product, kilos, cents }) {
      -      const number = quotes.length + 1
      +    add ({ number, product, kilos, cents }) {
      @@
      -      return quotes[number - 1]
      +      return quotes.find((quote) => quote.number === number)
    `
  },
  {
    name: 'numbers-of-the-refused',
    why: 'An order gets its number when it comes, also one that is refused a line later: the book has gaps.',
    by: 'answers each of 100 orders that come at the same moment on new connections, at least 10 of them with 503',
    change: patch`
       const line = openLine({ most: MOST_WAITING })
      +let last = 0
      @@
      +  const number = ++last
         const accepted = line.join(() => {
      @@
      -      res.status(201).json(book.add({ product, kilos, cents: kilos * centsPerKilo.get(product) }))
      +      res.status(201).json(book.add({ number, product, kilos, cents: kilos * centsPerKilo.get(product) }))
      @@ book.js
      -    add ({ product, kilos, cents }) {
      -      const number = quotes.length + 1
      +    add ({ number, product, kilos, cents }) {
      @@
      -      return quotes[number - 1]
      +      return quotes.find((quote) => quote.number === number)
    `
  },
  {
    name: 'order-by-pattern',
    on: 'solution',
    why: 'It reads an order by a pattern, and doesn’t see that what follows makes the body no JSON.',
    by: 'refuses a body that isn’t JSON',
    change: patch`
      -app.post('/quotes', express.json(), (req, res, next) => {
      -  const { product, kilos } = req.body ?? {}
      +app.post('/quotes', express.text({ type: 'application/json' }), (req, res, next) => {
      +  const [, name, number] = /^{"product":"([^"\\]*)","kilos":(\d+)[,}]/.exec(req.body ?? '') ?? []
      +  const { product, kilos } = name ? { product: name, kilos: Number(number) } : JSON.parse(req.body || '{}') ?? {}
    `
  },
  {
    name: 'places-of-what-cant-be-read',
    why: 'Thirty bodies may be read at once, and one that isn’t JSON is being read for ever.',
    by: 'gives everyone a turn in a crowd, and goes on after clients have left',
    change: patch`
      -app.post('/quotes', express.json(), (req, res, next) => {
      +let reading = 0
      +
      +app.post('/quotes', (req, res, next) => {
      +  if (reading === 30) {
      +    return res.status(503).set('Retry-After', String(RETRY_AFTER_S)).json({ error: 'overloaded' })
      +  }
      +  reading++
      +  next()
      +}, express.json(), (req, res, next) => {
      +  reading--
    `
  },
  {
    name: 'product-tidied',
    why: 'It takes a product in capitals, or with a blank behind it, for the one that’s meant.',
    by: 'refuses an invalid order with 400',
    change: patch`
      -  const { product, kilos } = req.body ?? {}
      +  const { product: sent, kilos } = req.body ?? {}
      +  const product = typeof sent === 'string' ? sent.trim().toLowerCase() : sent
    `
  },
  {
    name: 'rate-limit',
    on: 'slow',
    why: 'A fixed rate from long ago, far below what this machine can do: it refuses most orders, ' +
      'also when there is time.',
    gate: ['calm', 'answers a second'],
    otherwise: { by: 'serves 6 orders that come at the same moment, and the next 6 after them' },
    change: patch`
      +// At most so many in each window of time.
      +const MOST = 6
      +const WINDOW_MS = 200
      +let count = 0
      +
      +setInterval(() => { count = 0 }, WINDOW_MS).unref()
      +
       const app = express()
      @@
      +  if (count >= MOST) return res.status(503).set('Retry-After', '1').json({ error: 'overloaded' })
      +  count++
         res.status(201).json(book.add({ product, kilos, cents: kilos * centsPerKilo.get(product) }))
    `
  },
  {
    name: 'refused-late',
    why: 'Surplus orders wait for 400 ms before they’re refused.',
    gate: 'refusals',
    change: patch`
      -  if (!accepted) res.status(503).set('Retry-After', String(RETRY_AFTER_S)).json({ error: 'overloaded' })
      +  // Slow down those who come too often.
      +  if (!accepted) setTimeout(() => res.status(503).set('Retry-After', String(RETRY_AFTER_S)).json({ error: \
        'overloaded' }), 400)
    `
  },
  {
    name: 'refuses-nobody',
    why: 'The loop turns between two quotes, but every order may wait: the queue grows without end.',
    by: 'answers each of 100 orders that come at the same moment on new connections, at least 10 of them with 503',
    change: patch`
      -// How many quotes may wait: the last one waits about this many times as long as one takes.
      -const MOST_WAITING = 8
      +// Nobody is sent away. The loop turns between two quotes, so at least the health check is quick.
      +const MOST_WAITING = Infinity
    `
  },
  {
    name: 'retry-after-half-a-second',
    why: 'Retry-After is a whole number of seconds; clients cannot read 0.5, and many of them take it for 0.',
    by: 'answers each of 100 orders that come at the same moment on new connections, at least 10 of them with 503',
    change: patch`
      -const RETRY_AFTER_S = 1
      +const RETRY_AFTER_S = 0.5
    `
  },
  {
    name: 'room-for-one',
    why: 'One may wait, so a handful of orders at the same moment is an overload. A busy machine pulls them apart.',
    by: 'serves 6 orders that come at the same moment',
    underLoad: true,
    change: patch`
      -// How many quotes may wait: the last one waits about this many times as long as one takes.
      -const MOST_WAITING = 8
      +const MOST_WAITING = 1
    `
  },
  {
    name: 'short-book',
    why: 'The book shows the last 250 quotes only.',
    load: 'should always be answered with 200',
    otherwise: { by: 'sends the quote of an early number as it was answered, even after many others' },
    change: patch`
      @@ book.js
      -      return quotes[number - 1]
      +      return number > quotes.length - 250 ? quotes[number - 1] : undefined
    `
  },
  {
    name: 'shown-a-moment-later',
    why: 'Who looks into the book sees a copy that is renewed twenty times a second.',
    change: patch`
      @@ book.js
         const quotes = []
      +  let shown = []
      +  setInterval(() => { shown = [...quotes] }, 50)
      @@
      -      return quotes[number - 1]
      +      return shown[number - 1]
    `
  },
  {
    name: 'shy-after-a-crowd',
    why: 'Refusals halve the queue, and only fifty quotes add one place: after a crowd, six orders are too many.',
    by: 'serves 6 orders that come at the same moment, even after a crowd',
    change: patch`
      @@ line.js
         const waiting = []
      +  let [limit, refused, done] = [most, 0, 0]
      @@
           const job = waiting.shift()
      +    if (++done % 50 === 0) limit++
      @@
      -      if (waiting.length >= most) return false
      +      if (waiting.length >= limit) {
      +        if (++refused % 5 === 0) limit = Math.max(2, limit >> 1)
      +        return false
      +      }
    `
  },
  {
    name: 'so-many-clients',
    why: 'From the 129th connection on it hangs up, also on those who do not order.',
    by: 'always answers everything that costs next to nothing, however many connections are open',
    change: patch`
      -app.listen(Number(PORT), HOST)
      +app.listen(Number(PORT), HOST).maxConnections = 128
    `
  },
  {
    name: 'token-bucket',
    why: 'It counts arrivals, not waiting orders: an idle server refuses after many small bursts in a row.',
    underLoad: true,
    by: 'serves 6 orders that come at the same moment, and the next 6 after them',
    change: patch`
      +const trial = openBook(opening)
      +const startedAt = performance.now()
      +for (let i = 0; i < 12; i++) trial.add({ product: 'trial', kilos: i, cents: i })
      +const QUOTES_A_MS = 0.4 * 12 / (performance.now() - startedAt)
      +const BURST = 6
      +let [tokens, filledAt] = [BURST, performance.now()]
      +
      +function takeToken () {
      +  const now = performance.now()
      +  tokens = Math.min(BURST, tokens + (now - filledAt) * QUOTES_A_MS)
      +  filledAt = now
      +  if (tokens < 1) return false
      +  tokens--
      +  return true
      +}
      +
       const app = express()
      @@
      -  const accepted = line.join(() => {
      +  const accepted = takeToken() && line.join(() => {
    `
  },
  {
    name: 'too-many-requests',
    why: '429 says that this client has sent too much. It has not: the server is too busy.',
    by: 'answers each of 100 orders that come at the same moment on new connections, at least 10 of them with 503',
    change: patch`
      -  if (!accepted) res.status(503).set('Retry-After', String(RETRY_AFTER_S)).json({ error: 'overloaded' })
      +  if (!accepted) res.status(429).set('Retry-After', String(RETRY_AFTER_S)).json({ error: 'overloaded' })
    `
  },
  {
    name: 'type-without-charset',
    on: 'solution',
    why: 'It takes application/json, and not the same with a charset, which some clients add.',
    by: 'seals every quote together with the one before',
    change: patch`
      -app.post('/quotes', express.json(), (req, res, next) => {
      +app.post('/quotes', express.json(), (req, res, next) => {
      +  if (req.get('Content-Type') !== 'application/json') return res.status(400).json({ error: 'invalid_order' })
    `
  },
  {
    name: 'watches-the-loop',
    on: 'slow',
    why: "It watches the event loop's delay. Of new connections the loop takes in one a turn, so its turns stay " +
      'short while the others wait outside.',
    by: 'answers each of 100 orders that come at the same moment on new connections, at least 10 of them with 503',
    underLoad: true,
    otherwise: { gate: 'accepted requests' },
    change: patch`
      +const MOST_MS = 100
      +const EVERY_MS = 5
      +let delayMs = 0
      +let last = performance.now()
      +
      +setInterval(() => {
      +  const now = performance.now()
      +  delayMs = now - last - EVERY_MS
      +  last = now
      +}, EVERY_MS).unref()
      +
       const app = express()
      @@
      +  if (delayMs > MOST_MS) return res.status(503).set('Retry-After', '1').json({ error: 'overloaded' })
         res.status(201).json(book.add({ product, kilos, cents: kilos * centsPerKilo.get(product) }))
    `
  }
]
