import { patch } from '../apply.js'
const together = 'answers pages requested at the same time each with its own answers and its own new id'
const once = 'calls each service once for a page, and only one for a user who does not exist'

export const on = 'base'

export default [
  {
    name: 'any-id-taken',
    why: 'Whatever the client sends is taken for a request id, however short, long or odd.',
    change: patch`
      -  req.id = /^[\w-]{8,64}$/.test(sent) ? sent : randomUUID()
      +  req.id = sent || randomUUID()
    `
  },
  {
    name: 'asked-again-when-cut',
    why: 'A call whose kept connection was cut is made once more, on a new one.',
    by: 'calls no service a second time when it fails',
    change: patch`
      -    const res = await new Promise((resolve, reject) => {
      -      http.get(\`\${UPSTREAM_URL}/\${service}\${path}\`, { agent, signal, headers }, resolve).on('error', reject)
      +    const get = (agent) => new Promise((resolve, reject) => {
      +      const req = http.get(\`\${UPSTREAM_URL}/\${service}\${path}\`, { agent, signal, headers }, resolve)
      +      req.on('error', (error) => reject(Object.assign(error, { wasKept: req.reusedSocket })))
           })
      +    const res = await get(agent).catch((error) => error.wasKept ? get(false) : Promise.reject(error))
    `
  },
  {
    name: 'asks-twice',
    why: 'Every service is asked twice and the faster answer is taken, which doubles the load of the upstream.',
    by: once,
    change: patch`
      -async function ask (service, path, requestId) {
      +// The faster of two answers.
      +function ask (...call) {
      +  return Promise.any([askOnce(...call), askOnce(...call)]).catch(({ errors }) => { throw errors[0] })
      +}
      +
      +async function askOnce (service, path, requestId) {
    `
  },
  {
    name: 'ends-with-half-an-answer',
    on: 'solution',
    why: 'It reads what has come when the connection is closed. When that is half an answer, the process ends.',
    by: 'calls no service a second time when it fails',
    change: patch`
      @@ upstream.js
      -import { json } from 'node:stream/consumers'
      @@
      -    const body = await json(res)
      +    const body = await new Promise((resolve) => {
      +      const parts = []
      +      res.on('error', () => {})
      +      res.on('data', (part) => parts.push(part)).on('close', () => resolve(JSON.parse(Buffer.concat(parts))))
      +    })
    `
  },
  {
    name: 'errors-swallowed',
    why: 'When reviews or recommendations fail, the page is answered with 200 and without them.',
    change: patch`
      -    ask('reviews', \`?products=\${list}\`, id)
      +    ask('reviews', \`?products=\${list}\`, id).catch(() => ({}))
      @@
      -    ask('recommendations', \`?segment=\${user.segment}\`, id)
      +    ask('recommendations', \`?segment=\${user.segment}\`, id).catch(() => ({ products: [] }))
    `
  },
  {
    name: 'every-404-a-missing-user',
    why: 'Whichever service answers 404, the visitor reads that the user doesn’t exist.',
    change: patch`
      -  if (service === 'users' && upstreamStatus === 404) return res.status(404).json({ error: 'not_found' })
      +  if (upstreamStatus === 404) return res.status(404).json({ error: 'not_found' })
    `
  },
  {
    name: 'four-connections',
    why: 'The calls of a page are started together, and those of all pages stand in line for four connections.',
    gate: 'pages',
    change: patch`
      -const agent = new http.Agent({ keepAlive: true, maxSockets: 64 })
      +const agent = new http.Agent({ keepAlive: true, maxSockets: 4 })
    `
  },
  {
    name: 'guessed-segment',
    why: 'The recommendations are requested together with the user, for the segment of the previous visitor.',
    change: patch`
      +let lastSegment = 'new'
      +
       async function makePage (userId, id) {
      +  const guessed = ask('recommendations', \`?segment=\${lastSegment}\`, id)
      +  guessed.catch(() => {})
         const user = await ask('users', \`/\${encodeURIComponent(userId)}\`, id)
      +  lastSegment = user.segment
      @@
      -    ask('recommendations', \`?segment=\${user.segment}\`, id)
      +    guessed
    `
  },
  {
    name: 'ids-begin-anew',
    why: 'It counts its ids, and after a restart it counts from 1 again.',
    by: 'never makes the same request id twice, however many it has made',
    change: patch`
      +let made = 0
       const app = express()
      @@
      -  req.id = /^[\w-]{8,64}$/.test(sent) ? sent : randomUUID()
      +  req.id = /^[\w-]{8,64}$/.test(sent) ? sent : \`page-\${String(++made).padStart(9, '0')}\`
    `
  },
  {
    name: 'ids-made-of-the-sent',
    on: 'solution',
    why: 'An id that is too long is cut, so a client that sends it twice has two pages with one id.',
    by: 'never makes the same request id twice, however many it has made',
    change: patch`
      -  req.id = /^[\w-]{8,64}$/.test(sent) ? sent : randomUUID()
      +  req.id = /^[\w-]{8,}$/.test(sent) ? sent.slice(0, 64) : randomUUID()
    `
  },
  {
    name: 'ids-of-pages-only',
    on: 'solution',
    why: 'Only what begins with /page gets an id, so a 404 elsewhere comes without it.',
    by: 'answers 404 elsewhere',
    change: patch`
      -app.use((req, res, next) => {
      +app.use('/page/:id', (req, res, next) => {
    `
  },
  {
    name: 'kept-when-busy',
    why: 'While more than four pages are under way, users who were here before get their old page.',
    change: patch`
      +let underway = 0
      +const last = new Map()
       const app = express()
      @@
      -  const page = await makePage(req.params.id, req.id)
      +  underway++
      +  const page = await (underway > 4 && last.has(req.params.id) ? last.get(req.params.id) : \
        makePage(req.params.id, req.id)).finally(() => underway--)
      +  last.set(req.params.id, Promise.resolve(page))
    `
  },
  {
    name: 'late-failure-ends-server',
    why: 'A call is started early and awaited late; when it fails before that, the rejection is unhandled and the ' +
      'process ends.',
    change: patch`
      -  const [cart, { products }] = await Promise.all([
      -…
      -  ])
      +  const recommendations = ask('recommendations', \`?segment=\${user.segment}\`, id)
      +  const cart = await fillCart(user, id)
      +  const { products } = await recommendations
    `
  },
  {
    name: 'letters-cut',
    why: 'Each part of an answer is made text by itself, so a letter that lies in two of them is lost.',
    by: together,
    change: patch`
      -import { json } from 'node:stream/consumers'
      @@
      -    const body = await json(res)
      +    const parts = []
      +    for await (const part of res) parts.push(String(part))
      +    const body = JSON.parse(parts.join(''))
    `
  },
  {
    name: 'limit-of-a-second-and-a-half',
    on: 'solution',
    why: 'It waits one and a half seconds for a call, though the text says one.',
    by: 'waits a second for each call, and no longer',
    change: patch`
      @@ upstream.js
      -const TIMEOUT_MS = 1000
      +const TIMEOUT_MS = 1500
    `
  },
  {
    name: 'no-timeout',
    why: 'A call that is not answered is waited for without end.',
    by: 'waits a second for each call, and no longer',
    change: patch`
      -  const signal = AbortSignal.timeout(1000)
      @@
      -      http.get(\`\${UPSTREAM_URL}/\${service}\${path}\`, { agent, signal, headers }, resolve).on('error', reject)
      +      http.get(\`\${UPSTREAM_URL}/\${service}\${path}\`, { agent, headers }, resolve).on('error', reject)
      @@
      -    throw error.service ? error : fail(service, undefined, signal.aborted)
      +    throw error.service ? error : fail(service)
    `
  },
  {
    name: 'one-id-for-all',
    why: 'Pages without an id from the client share one that was made at the start.',
    by: together,
    change: patch`
      +const ownId = randomUUID()
       const app = express()
      @@
      -  req.id = /^[\w-]{8,64}$/.test(sent) ? sent : randomUUID()
      +  req.id = /^[\w-]{8,64}$/.test(sent) ? sent : ownId
    `
  },
  {
    name: 'one-second-for-the-page',
    why: 'All calls of a page share one second, so three that take 400 ms each are too slow.',
    by: 'waits a second for each call, and no longer',
    change: patch`
      -  const signal = AbortSignal.timeout(1000)
      +  const signal = deadlines.get(requestId) ?? AbortSignal.timeout(1000)
      +  deadlines.set(requestId, signal)
      @@
      +const deadlines = new Map()
      +
       async function fillCart (user, id) {
    `
  },
  {
    name: 'page-cached',
    why: 'A page is kept for a second, and the next visit of the same user gets the old one.',
    change: patch`
      +const pages = new Map()
       const app = express()
      @@
      -  const page = await makePage(req.params.id, req.id)
      +  const kept = pages.get(req.params.id)
      +  const page = kept?.until > Date.now() ? kept.page : await makePage(req.params.id, req.id)
      +  if (page !== kept?.page) pages.set(req.params.id, { page, until: Date.now() + 1000 })
    `
  },
  {
    name: 'pages-ahead',
    why: 'For a frequent visitor who sends no id, it begins the next page before it’s requested.',
    by: 'makes every page of answers that were given for it, even for a visitor who comes often',
    change: patch`
      +const visits = new Map()
      +const ahead = new Map()
       const app = express()
      @@
      -  const page = await makePage(req.params.id, req.id)
      +  const { id } = req.params
      +  if (req.get('X-Request-Id') !== undefined) return res.set('Cache-Control', 'no-store').json(await \
        makePage(id, req.id))
      +  const ready = ahead.get(id)
      +  ahead.delete(id)
      +  if (ready) res.set('X-Request-Id', ready.id)
      +  const page = await (ready?.page ?? makePage(id, req.id))
      +  visits.set(id, (visits.get(id) ?? 0) + 1)
      +  const next = randomUUID()
      +  if (visits.get(id) > 2) ahead.set(id, { id: next, page: makePage(id, next) })
    `
  },
  {
    name: 'places-of-cut-calls',
    why: 'Sixty calls may be under way, and one that was cut counts for ever.',
    by: 'answers as before after many failures',
    change: patch`
      +let open = 0
      +
       async function ask (service, path, requestId) {
      +  if (open === 60) throw fail(service)
      +  open++
      @@
           const body = await json(res)
      +    open--
    `
  },
  {
    name: 'places-of-those-who-left',
    on: 'solution',
    why: 'Twelve pages may be under way, and one that nobody waits for any more counts for ever.',
    by: 'gives everyone a turn in a crowd, and goes on after clients have left',
    change: patch`
      +let open = 0
      +
       app.get('/page/:id', async (req, res) => {
      +  if (open === 12) return res.sendStatus(503)
      +  open++
      +  res.on('finish', () => { open-- })
    `
  },
  {
    name: 'recommendations-of-last-time',
    why: 'The recommendations are asked for at every visit, and shown at the next one.',
    change: patch`
      +// Show those of the last visit, and ask for the next ones behind the answer.
      +const shown = {}
      +async function recommend (userId, segment, id) {
      +  const next = ask('recommendations', \`?segment=\${segment}\`, id)
      +  const last = shown[userId]
      +  shown[userId] = next
      +  next.catch(() => { delete shown[userId] })
      +  return last ?? next
      +}
      +
       async function makePage (userId, id) {
      @@
      -    ask('recommendations', \`?segment=\${user.segment}\`, id)
      +    recommend(userId, user.segment, id)
    `
  },
  {
    name: 'recommendations-remembered',
    why: "The recommendations are asked for at a user's first visit and never again.",
    change: patch`
      +const recommended = {}
      +
       async function makePage (userId, id) {
      @@
      -    ask('recommendations', \`?segment=\${user.segment}\`, id)
      +    (recommended[userId] ??= ask('recommendations', \`?segment=\${user.segment}\`, id).catch((error) => { \
        delete recommended[userId]; throw error }))
    `
  },
  {
    name: 'request-id-lost',
    why: 'The call for the stock does not carry the id of the page.',
    change: patch`
      -    const headers = { 'X-Request-Id': requestId }
      +    const headers = requestId ? { 'X-Request-Id': requestId } : {}
      @@
      -    ask('stock', \`?products=\${list}\`, id),
      +    ask('stock', \`?products=\${list}\`),
    `
  },
  {
    name: 'ring-of-ids',
    why: 'It makes 512 ids at its start and gives them out in turn, so that the 513th page has the id of the first.',
    by: 'never makes the same request id twice, however many it has made',
    change: patch`
      +const ids = Array.from({ length: 512 }, () => randomUUID())
      +let given = 0
       const app = express()
      @@
      -  req.id = /^[\w-]{8,64}$/.test(sent) ? sent : randomUUID()
      +  req.id = /^[\w-]{8,64}$/.test(sent) ? sent : ids[given++ % ids.length]
    `
  },
  {
    name: 'segments-remembered',
    why: 'The recommendations are requested together with the user, for the segment of the last page, and once more ' +
      'when that was another.',
    by: once,
    change: patch`
      +const segments = new Map()
      +
       async function makePage (userId, id) {
      +  const guess = segments.get(userId)
      +  const early = guess && ask('recommendations', \`?segment=\${guess}\`, id)
      +  early?.catch(() => {})
         const user = await ask('users', \`/\${encodeURIComponent(userId)}\`, id)
      +  segments.set(userId, user.segment)
      @@
      -    ask('recommendations', \`?segment=\${user.segment}\`, id)
      +    guess === user.segment ? early : ask('recommendations', \`?segment=\${user.segment}\`, id)
    `
  },
  {
    name: 'shared-request-id',
    why: 'The id of the page is kept in a variable of the module, so calls of pages that are under way together ' +
      "carry each other's.",
    by: together,
    change: patch`
      -async function ask (service, path, requestId) {
      +let requestId
      +
      +async function ask (service, path) {
      @@
       app.get('/page/:id', async (req, res) => {
      +  requestId = req.id
    `
  },
  {
    name: 'shared-under-one-id',
    why: 'Requests to a service for the same thing, at the same moment and under the same request id, share the call.',
    by: 'shares no call between pages, even when they are in flight together with one id',
    change: patch`
      -async function ask (service, path, requestId) {
      +const underWay = new Map()
      +
      +function ask (...call) {
      +  const key = call.join(' ')
      +  if (!underWay.has(key)) underWay.set(key, askNow(...call).finally(() => underWay.delete(key)))
      +  return underWay.get(key)
      +}
      +
      +async function askNow (service, path, requestId) {
    `
  },
  {
    name: 'shorter-timeout',
    why: 'A call that takes longer than 200 ms is given up, though it had a second.',
    by: 'waits a second for each call, and no longer',
    change: patch`
      -  const signal = AbortSignal.timeout(1000)
      +  const signal = AbortSignal.timeout(200)
    `
  },
  {
    name: 'silence-is-no-call',
    on: 'solution',
    why: 'Its time limit is for silence: each byte restarts it, so a call that trickles may last for ever.',
    by: 'waits a second for each call, and no longer',
    change: patch`
      @@ upstream.js
      -  const signal = AbortSignal.timeout(TIMEOUT_MS)
      +  const signal = { aborted: false }
      @@
      -      signal,
      +      timeout: TIMEOUT_MS,
      +      late: () => { signal.aborted = true },
      @@
      -    http.get(url, options, resolve).on('error', reject)
      +    const call = http.get(url, options, resolve).on('error', reject)
      +    call.on('timeout', () => {
      +      options.late()
      +      call.destroy(new Error('silence'))
      +    })
    `
  },
  {
    name: 'still-one-after-the-other',
    why: 'The connections are there, and the calls of a page still wait for each other.',
    gate: 'a page alone',
    change: patch`
      -  const [prices, stock, reviews] = await Promise.all([
      -…
      -  ])
      +  const prices = await ask('prices', \`?region=\${user.region}&products=\${list}\`, id)
      +  const stock = await ask('stock', \`?products=\${list}\`, id)
      +  const reviews = await ask('reviews', \`?products=\${list}\`, id)
      @@
      -  const [cart, { products }] = await Promise.all([
      -…
      -  ])
      +  const cart = await fillCart(user, id)
      +  const { products } = await ask('recommendations', \`?segment=\${user.segment}\`, id)
    `
  },
  {
    name: 'users-made-paths',
    on: 'solution',
    why: 'A user’s id goes into the URL of the call as it is, so that x/../ID finds the user ID.',
    by: 'answers 404 for a user who does not exist',
    change: patch`
      -  return ask('users', \`/\${encodeURIComponent(id)}\`, requestId)
      +  return ask('users', \`/\${id}\`, requestId)
    `
  },
  {
    name: 'zipped-for-those-who-refuse',
    on: 'solution',
    why: 'It looks for the letters gzip in Accept-Encoding, and “gzip;q=0” has them.',
    change: patch`
      +import { gzipSync } from 'node:zlib'
       import { randomUUID } from 'node:crypto'
      @@
      -  res.set('Cache-Control', 'no-store').json({
      +  const page = {
      @@
           cart,
           recommendations
      -  })
      +  }
      +  res.set('Cache-Control', 'no-store')
      +  if (!req.get('accept-encoding')?.includes('gzip')) return res.json(page)
      +  res.set('Content-Encoding', 'gzip').type('json').send(gzipSync(JSON.stringify(page)))
    `
  }
]
