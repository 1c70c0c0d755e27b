import { jsonType, leadsTo } from '../shared/answers.js'
import { newItem } from './data.js'
import {
  errorBody,
  hasExpired,
  meOf,
  messages,
  preferences,
  shown,
  sidOf,
  tokens,
  wrongCors,
  wrongHeaders
} from './reference.js'

/**
 * @import { Answer, Given, Request } from '../../runner/contract/index.js'
 * @import { Check, Random } from '../../runner/lesson/index.js'
 * @import { Session } from './reference.js'
 */

/** @type {Check[]} */
export const contract = [
  {
    name: 'answers like the slow server, route by route',
    when: ['before'],
    async run ({ same, random, data }) {
      const sid = `sid=${sidOf(signedIn(data, random), data.config.sessionSecret)}`
      const paths = [
        '/items',
        `/items?offset=${random.int(1, 390)}&limit=${random.int(1, 50)}`,
        '/items?q=LAMP',
        '/items?q=caf%C3%A9&category=kitchen',
        '/items?q=nothing-like-this',
        '/items?category=none',
        '/items?offset=9999',
        '/items?limit=0',
        '/items?limit=51&offset=-1',
        '/items?limit=ten',
        '/items?unknown=1',
        '/items/1',
        '/items/400',
        `/items/${random.int(2, 399)}`,
        '/items/401',
        '/items/0',
        `/items/${random.word(5)}`,
        '/me',
        `/${random.word(8)}`,
        '/'
      ]
      for (const path of paths) {
        const { header } = random.pick(preferences)
        // With the client's own request id in it, the whole body of an error is the same.
        const headers = { 'X-Request-Id': `check-${random.word(8)}`, 'Accept-Language': header, Cookie: sid }
        await same({ path, headers }, { headers: ['x-request-id', 'content-language', 'cache-control', 'location'] })
      }
    }
  },
  {
    name: 'sends an item with its price in the client’s language',
    async run ({ get, random, data }) {
      for (const { header, language } of [...preferences, { header: undefined, language: 'en' }]) {
        const item = random.pick(data.items)
        const answer = await get(`/items/${item.id}`, { headers: header ? { 'Accept-Language': header } : {} })
        answer
          .expectStatus(200)
          .expectHeader('content-type', jsonType)
          .expectHeader('content-language', language)
          .expectJson(shown(item, language))
      }
    }
  },
  {
    name: 'cleans the query before it uses it',
    when: ['before'],
    async run ({ same, random }) {
      const category = 'garden'
      const other = random.pick(['kitchen', 'office'])
      for (const query of [`category=%20${category}%09`, 'category=gar%00den', `category=${category}&category=${other}`,
        `category[$ne]=${category}`, `category=${category}&limit=%2012+`, 'q=%1f%7f&category=garden', 'category=%20']) {
        const answer = await same({ path: `/items?${query}` })
        answer.expectStatus(200)
      }
    }
  },
  {
    name: 'creates an item that the very next reads show',
    async run ({ get, post, random, fail }) {
      for (let i = 0; i < 3; i++) {
        const word = random.word(12)
        const { language, header } = random.pick(preferences)
        const item = { ...newItem(random), name: `Łódź ${word}` }
        const answer = await post('/items', {
          json: { ...item, name: ` ${item.name}\u0007\n`, id: 1, extra: true },
          headers: { 'Accept-Language': header }
        })
        const { id } = answer.expectStatus(201).expectHeader('content-type', jsonType).json()
        if (!Number.isInteger(id) || id <= 400) answer.fail(`expected a new id, got ${JSON.stringify(id)}`)
        const stored = { id, ...item, description: '' }
        const { location } = answer.headers
        if (!leadsTo(location, '/items', `/items/${id}`)) {
          answer.fail(`expected a Location that leads to /items/${id}, got ${location ?? 'none'}`)
        }
        answer.expectJson(shown(stored, language))
        const one = await get(`/items/${id}`)
        one.expectStatus(200).expectJson(shown(stored, 'en'))
        const list = await get(`/items?q=${word.toUpperCase()}`)
        const { name, category, price } = item
        list.expectStatus(200).expectJson({ total: 1, items: [{ id, name, category, price }] })
        if (i === 0 && (await get('/items')).json().total < 401) {
          fail('GET /items: the total does not count the new item')
        }
      }
    }
  },
  {
    name: 'refuses an item that is not valid and names the fields',
    async run ({ get, post, random }) {
      const before = (await get('/items')).json().total
      const item = newItem(random)
      for (const [body, fields] of /** @type {[any, string[]][]} */ ([
        [{ ...item, name: ' \t ' }, ['name']],
        [{ ...item, name: 'x'.repeat(81) }, ['name']],
        [{ ...item, category: random.word(6) }, ['category']],
        [{ ...item, price: '5' }, ['price']],
        [{ ...item, price: 0, stock: 1.5 }, ['price', 'stock']],
        [{ ...item, description: 7 }, ['description']],
        [{}, ['name', 'category', 'price', 'stock']]
      ])) {
        const answer = await post('/items', { json: body })
        expectError(answer, 422, 'invalid_item', 'en', fields)
      }
      const after = await get('/items')
      if (after.json().total !== before) {
        after.fail(`expected ${before} items after refused ones, got ${after.json().total}`)
      }
    }
  },
  {
    name: 'answers 400 to a body that is not JSON, 415 to another type',
    async run ({ post, random }) {
      const { header, language } = random.pick(preferences)
      const headers = { 'Accept-Language': header }
      const broken = await post('/items', {
        headers: { ...headers, 'Content-Type': 'application/json' },
        body: `{"name": "${random.word(5)}`
      })
      expectError(broken, 400, 'invalid_json', language)
      for (const type of ['application/x-www-form-urlencoded', 'text/plain', 'application/xml']) {
        const answer = await post('/items', {
          headers: { ...headers, 'Content-Type': type },
          body: 'name=a&category=kitchen&price=1&stock=1'
        })
        expectError(answer, 415, 'unsupported_media_type', language)
      }
    }
  },
  {
    name: 'answers 413 to a body over the limit, and takes one at the limit',
    async run ({ post, random, data }) {
      const { bodyLimit } = data.config
      // Padded with bytes of two to a character: a limit counts bytes.
      const padded = (/** @type {number} */ bytes) => {
        const item = { ...newItem(random), description: '' }
        const room = bytes - Buffer.byteLength(JSON.stringify(item))
        return JSON.stringify({ ...item, description: 'é'.repeat(Math.floor(room / 2)) + 'e'.repeat(room % 2) })
      }
      const headers = { 'Content-Type': 'application/json' }
      const taken = await post('/items', { headers, body: padded(bodyLimit) })
      taken.expectStatus(201)
      for (const bytes of [bodyLimit + 1, Math.floor(bodyLimit * 1.5), bodyLimit * 8]) {
        const answer = await post('/items', { headers, body: padded(bytes) })
        expectError(answer, 413, 'body_too_large', 'en')
      }
    }
  },
  {
    name: 'tells who is signed in, and which features they have',
    async run ({ get, random, data }) {
      const { sessionSecret } = data.config
      for (let i = 0; i < 5; i++) {
        const session = signedIn(data, random)
        const sid = sidOf(session, sessionSecret)
        const value = random.pick([sid, sid.replace('.', '%2E'), `"${sid}"`])
        const answer = await get('/me', {
          headers: {
            Cookie: random.pick([`sid=${value}`, `theme=dark; sid=${value}`, `a=b=c;  sid=${value}; last=%E0%A4%A`])
          }
        })
        answer.expectStatus(200).expectHeader('content-type', jsonType).expectJson(meOf(session, data.flags))
      }
    }
  },
  {
    name: 'forbids caches to keep who is signed in',
    async run ({ get, random, data }) {
      const answer = await get('/me', {
        headers: { Cookie: `sid=${sidOf(signedIn(data, random), data.config.sessionSecret)}` }
      })
      answer.expectStatus(200).expectHeader('cache-control', /(^|[\s,])no-store\b/)
    }
  },
  {
    name: 'lets nobody in without a valid session',
    async run ({ get, random, data }) {
      const { sessionSecret } = data.config
      const session = signedIn(data, random)
      const other = signedIn(data, random)
      const sid = sidOf(session, sessionSecret)
      // A session that is signed rightly and exists no more.
      const gone = { ...session, id: random.bytes(18).toString('base64url') }
      const expired = random.pick(data.sessions.filter(hasExpired))
      const cookies = [
        undefined,
        'sid=',
        `sid=${session.id}`,
        `sid=${session.id}.`,
        `sid=${sid.slice(0, -1)}`,
        `sid=${other.id}${sidOf(gone, sessionSecret).slice(gone.id.length)}`,
        `sid=${session.id}.${random.bytes(32).toString('base64url')}`,
        `sid=${sidOf(gone, sessionSecret)}`,
        `sid=${sidOf(expired, sessionSecret)}`,
        `xsid=${sid}`,
        `sid=${sidOf(session, `${sessionSecret}x`)}`
      ]
      for (const cookie of cookies) {
        const answer = await get('/me', { headers: cookie === undefined ? {} : { Cookie: cookie } })
        expectError(answer, 401, 'not_signed_in', 'en')
      }
    }
  },
  {
    name: 'sends the security headers with every answer',
    async run (given) {
      for (const { answer, requestId, language } of await everyKind(given)) {
        const wrong = wrongHeaders(answer, { requestId, language })
        if (wrong?.includes('security header') || wrong?.includes('X-Powered-By')) answer.fail(wrong)
      }
    }
  },
  {
    name: 'sends request id, time, language and Vary with every answer',
    async run (given) {
      for (const { answer, requestId, language } of await everyKind(given)) {
        const wrong = wrongHeaders(answer, { requestId, language })
        if (wrong) answer.fail(wrong)
      }
    }
  },
  {
    name: 'gives every request an id of its own',
    async run ({ get, fail }) {
      const ids = new Set()
      for (const path of ['/items/1', '/items/1', '/items?limit=1', '/me', '/nowhere', '/nowhere', '/items/1']) {
        const answer = await get(path)
        const id = answer.expectHeader('x-request-id').headers['x-request-id']
        if (ids.has(id)) fail(`GET ${path}: the request id ${id} was given to another request before`)
        ids.add(id)
        if (answer.status >= 400 && answer.json().error?.requestId !== id) {
          fail(`GET ${path}: error.requestId is not the X-Request-Id of the answer, ${id}`)
        }
      }
    }
  },
  {
    name: 'echoes a fit request id, and replaces any other',
    async run ({ get, random, fail }) {
      for (const id of [random.word(8), `${random.word(31)}_${random.word(32)}`, `A-${random.int(1e6, 1e7)}`]) {
        for (const path of ['/items/1', '/nowhere']) {
          const answer = await get(path, { headers: { 'X-Request-Id': id } })
          answer.expectHeader('x-request-id', id)
          if (answer.status >= 400) expectError(answer, 404, 'route_not_found', 'en')
        }
      }
      for (const id of [
        'short',
        random.word(65),
        `${random.word(8)} ${random.word(4)}`,
        `<b>${random.word(8)}</b>`,
        `${random.word(9)}"`,
        `{"${random.word(8)}":1}`
      ]) {
        const answer = await get('/items/1', { headers: { 'X-Request-Id': id } })
        const wrong = wrongHeaders(answer, { language: 'en' })
        if (wrong) fail(`GET /items/1 with the X-Request-Id ${id}: ${wrong}`)
      }
    }
  },
  {
    name: 'measures the response time',
    async run ({ get, fail }) {
      const times = []
      for (let i = 0; i < 8; i++) {
        times.push((await get('/items/7')).expectHeader('x-response-time', /^\d+\.\d{3}ms$/).headers['x-response-time'])
      }
      if (new Set(times).size === 1) fail(`GET /items/7: eight answers in turn say X-Response-Time: ${times[0]}`)
    }
  },
  {
    name: 'answers an unknown address with 404 in the error format',
    async run ({ get, send, random }) {
      for (const { header, language } of preferences.slice(0, 8)) {
        const answer = await get(`/${random.word(5)}/${random.word(3)}`, { headers: { 'Accept-Language': header } })
        expectError(answer, 404, 'route_not_found', language)
      }
      for (const [method, path] of [['DELETE', '/items/1'], ['PUT', '/items'], ['POST', '/me']]) {
        const answer = await send({ method, path, headers: { Accept: 'text/html' } })
        expectError(answer, 404, 'route_not_found', 'en')
      }
    }
  },
  {
    name: 'lets the shop’s own origins read its answers, and no other',
    async run ({ get, random, data }) {
      for (const { origin, allowed } of origins(random, data.shop)) {
        for (const path of [`/items/${random.int(1, 400)}`, `/${random.word(5)}`, '/me']) {
          const answer = await get(path, { headers: { Origin: origin } })
          const wrong = wrongCors(answer, { origin, allowed })
          if (wrong) answer.fail(wrong)
        }
      }
      const answer = await get('/items/1')
      const wrong = wrongCors(answer, {})
      if (wrong) answer.fail(wrong)
    }
  },
  {
    name: 'answers preflight requests',
    async run ({ send, random, data }) {
      for (const { origin, allowed } of origins(random, data.shop)) {
        const headers = {
          Origin: origin,
          'Access-Control-Request-Method': 'POST',
          'Access-Control-Request-Headers': 'content-type,x-request-id'
        }
        const answer = await send({ method: 'OPTIONS', path: random.pick(['/items', '/me', '/items/3']), headers })
        answer.expectStatus(204)
        if (answer.body.length > 0) answer.fail('a 204 has no body')
        const wrong = wrongCors(answer, { origin, allowed })
        if (wrong) answer.fail(wrong)
        if (!allowed) continue
        for (const [name, wanted] of [
          ['access-control-allow-methods', ['get', 'post']],
          ['access-control-allow-headers', ['content-type', 'x-request-id']]
        ]) {
          const got = tokens(answer.headers[String(name)])
          for (const token of wanted) if (!got.includes(token)) answer.fail(`the header ${name} does not name ${token}`)
        }
        answer.expectHeader('access-control-max-age', '600')
      }
    }
  }
]

/**
 * @param {any} data
 * @param {Random} random
 * @returns {Session}
 */
function signedIn (data, random) {
  return random.pick(data.sessions.filter((/** @type {Session} */ session) => !hasExpired(session)))
}

/**
 * @param {Random} random
 * @param {string} shop
 */
function origins (random, shop) {
  return [
    { origin: `https://${shop}.example`, allowed: true },
    { origin: `https://admin.${shop}.example:8443`, allowed: true },
    { origin: `https://${random.word(6)}-2.${shop}-partners.example`, allowed: true },
    { origin: `http://${shop}.example`, allowed: false },
    { origin: `https://${shop}xexample`, allowed: false },
    { origin: `https://${shop}.example.${random.word(4)}.test`, allowed: false },
    { origin: `https://evil-${shop}.example`, allowed: false },
    { origin: `https://a.b.${shop}-partners.example`, allowed: false },
    { origin: `https://${shop}-partners.example`, allowed: false },
    { origin: 'null', allowed: false }
  ]
}

/**
 * One answer of every kind.
 *
 * @param {Given} given
 * @returns {Promise<{ answer: Answer, requestId?: string, language: string }[]>}
 */
async function everyKind ({ send, random, data }) {
  const sid = sidOf(signedIn(data, random), data.config.sessionSecret)
  const type = { 'Content-Type': 'application/json' }
  /** @type {Request[]} */
  const requests = [
    { path: '/items/1' },
    { path: '/items?limit=3' },
    { path: '/items?limit=none' },
    { path: '/me', headers: { Cookie: `sid=${sid}` } },
    { path: '/me' },
    { path: `/items/${random.word(4)}` },
    { path: `/${random.word(4)}` },
    { method: 'POST', path: '/items', json: newItem(random) },
    { method: 'POST', path: '/items', json: {} },
    { method: 'POST', path: '/items', headers: type, body: '{' },
    { method: 'POST', path: '/items', headers: { 'Content-Type': 'text/plain' }, body: 'lamp' },
    { method: 'POST', path: '/items', headers: type, body: ' '.repeat(data.config.bodyLimit + 1) },
    {
      method: 'OPTIONS',
      path: '/items',
      headers: { Origin: `https://${data.shop}.example`, 'Access-Control-Request-Method': 'POST' }
    }
  ]
  const answers = []
  for (const request of requests) {
    const { header, language } = random.pick(preferences)
    const requestId = random.int(1, 2) === 1 ? `r-${random.word(10)}` : undefined
    /** @type {Record<string, string>} */
    const headers = { 'Accept-Language': header, ...request.headers, ...(requestId && { 'X-Request-Id': requestId }) }
    answers.push({ answer: await send({ ...request, headers }), requestId, language })
  }
  return answers
}

/**
 * @param {Answer} answer
 * @param {number} status
 * @param {string} code
 * @param {string} language
 * @param {string[]} [fields]
 */
function expectError (answer, status, code, language, fields) {
  const id = answer.headers['x-request-id']
  answer.expectStatus(status).expectHeader('content-type', jsonType)
  if (!messages.en[code]) throw new Error(`no message for ${code}`)
  answer.expectJson(errorBody(code, language, id, fields))
}
