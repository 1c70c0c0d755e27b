import { setTimeout as sleep } from 'node:timers/promises'
import { send, timeFor } from '../../runner/contract/index.js'
import { form, reply } from '../form/index.js'
import { oddNumbers, takesMany } from '../form/kinds.js'
import { allowing, clients, strangers } from './clients.js'
import * as items from './items.js'
import { makeItem, makeShop, messages, sidOf } from './shop.js'

/**
 * @import { Answer, Request } from '../../runner/contract/index.js'
 * @import { Session } from './shop.js'
 */

/** @param {number} status @param {string} code @param {{ language: string }} client @param {string[]} [fields] */
const failure = (status, code, { language }, fields) => reply(status, (/** @type {Answer} */ { headers }) => {
  const message = messages[language][code] ?? messages.en[code]
  return { error: { code, message, requestId: headers['x-request-id'], fields } }
})

/** @param {string} type @param {string} body */
const post = (type, body) => ({ method: 'POST', path: '/items', headers: { 'Content-Type': type }, body })

export default form({
  id: 'framework',
  title: 'The price of a framework',
  part: 'Go further',
  summary: 'Fourteen middlewares run for every request. Find out what each costs and which of them a request needs.',

  data: makeShop,
  clients,
  sequence: { steps: 160 },

  routes: {
    'GET /items/:id': {
      rule: 'sends an item with its price in the client’s language',
      weight: 4,
      is: (state, id, client) => items.shown(state.items[id - 1], client),
      good: ({ random, state }) => random.int(1, state.items.length),
      near: ({ state }) => state.items.length,
      bad: (random) => [random.int(1e6, 1e8), random.word(5)],
      odd: 'number',
      wrongRule: 'answers 404 for an item that is not there',
      refusal: (_, client) => failure(404, 'item_not_found', client)
    },
    'GET /items': {
      rule: 'sends the list that a query asks for',
      weight: 5,
      is: (state, query) => items.listed(state.items, query),
      good: ({ random, asked = () => [] }) => items.anyQuery(random, asked('GET /items')),
      near: ({ random, state, asked = () => [], after }) => {
        if (after === 'POST /items') return items.queryFor(random, state.items.at(-1), asked('GET /items'))
        return after ? items.everything : items.anyQuery(random)
      },
      bad: items.wrongQueries,
      odd: (random) => oddNumbers(random).map((limit) => ({ path: `/items?limit=${limit}` })),
      wrongRule: 'answers 400 to a query that it can’t understand, and names the fields',
      wrongWeight: 2,
      refusal: ({ fields }, client) => failure(400, 'invalid_query', client, fields)
    },
    'GET /me': {
      rule: 'tells who is signed in, and which features they have',
      weight: 6,
      good: () => ({ by: { isKnown: true } }),
      bad: strangers,
      wrongRule: 'lets no one in without a valid session',
      wrongWeight: 5,
      always: (/** @type {any} */ _, /** @type {any} */ client) => client.me
        ? reply(200, client.me, { 'cache-control': 'private, no-store' })
        : failure(401, 'not_signed_in', client)
    },
    'GET /:nowhere': {
      rule: 'answers an unknown address with 404 in the error format',
      weight: 3,
      good: ({ random }) => {
        const [word, other] = [random.word(5), random.word(3)]
        const [method, path] = random.pick([
          `GET /${word}`, `GET /${word}/${other}`, 'GET /', `GET /items/1/${word}`, 'GET /me/1', `GET /${word}?limit=0`,
          'DELETE /items/1', 'PUT /items', 'PATCH /items/2', 'POST /me'
        ]).split(' ')
        return { method, path, headers: { Accept: random.pick(['text/html', '*/*']) } }
      },
      always: (/** @type {any} */ _, /** @type {any} */ client) => failure(404, 'route_not_found', client)
    },
    'POST /items': {
      rule: 'answers a new item with 201, the item and its Location',
      effect: 'shows a new item in the very next read',
      weight: 3,
      touches: ['GET /items/:id', 'GET /items', 'GET /items', 'GET /items'],
      body: (random, { state: { config }, asked }) =>
        asked ? items.nextItem(random, asked('GET /items'), config.bodyLimit) : items.anyItem(random),
      written: (sent, random) => post(
        random.pick(['application/json', 'application/json; charset=utf-8', 'Application/JSON']),
        JSON.stringify(sent, null, sent.description?.length > 1000 ? 0 : random.pick([0, 2]))
      ),
      wrong: (random, item) => [items.wrongItem(random, item)],
      wrongRule: 'refuses an item that is not valid, and names the fields',
      wrongWeight: 4,
      refusal: (sent, client) => failure(422, 'invalid_item', client, items.wrongFields(sent)),
      then: (state, sent) =>
        ({ ...state, items: [...state.items, { id: state.items.length + 1, ...items.kept(sent) }] }),
      answers: (state, _, client) => items.shown(state.items.at(-1), client),
      location: (state) => `/items/${state.items.length}`
    }
  },

  operations: {
    'measures the time of each request for itself': {
      weight: 0.3,
      draw: () => ({ look: measuresSlowBody, says: 'what X-Response-Time says of a body that arrives slowly' })
    },
    'POST /items, broken': {
      rule: 'answers 400 to a body that is not JSON',
      weight: 2,
      draw: ({ random }) => post('application/json', random.pick(
        ['{', '[1,', 'name=lamp', '{"a":1}}', `{"name": "${random.word(5)}`, "{'name': 'Lamp'}"]
      ))
    },
    'answers 415 to a body of another type': {
      weight: 3,
      draw: ({ random }) => post(
        random.pick(['application/x-www-form-urlencoded', 'text/plain', 'application/xml', 'text/html']),
        random.pick(['name=a&category=kitchen&price=1&stock=1', '{}'])
      )
    },
    'answers 413 to a body over the limit, and takes one at the limit': {
      weight: 4,
      draw: ({ random, past, data: { config: { bodyLimit } } }) => {
        const bytes = random.pick([bodyLimit + 1, bodyLimit + 2, Math.floor(bodyLimit * 1.5), bodyLimit * 8])
        // A body in chunks does not say how long it is.
        const chunked = past('answers 413 to a body over the limit, and takes one at the limit').length % 2 === 0
        return { ...post('application/json', JSON.stringify(items.padded(makeItem(random), bytes))), chunked }
      }
    },
    'answers a preflight request with 204, and what the origin may do': {
      weight: 3,
      headers: [
        allowing('allow-methods', 'get', 'post'),
        allowing('allow-headers', 'content-type', 'x-request-id'),
        allowing('max-age', '600')
      ],
      draw: ({ random }) => ({
        method: 'OPTIONS',
        path: random.pick(['/items', '/me', '/items/3', `/items/${random.word(4)}`, `/${random.word(5)}`, '/']),
        headers: {
          'Access-Control-Request-Method': random.pick(['GET', 'POST', 'DELETE']),
          'Access-Control-Request-Headers': 'content-type,x-request-id'
        }
      })
    }
  },

  contract: {
    apart: {
      'never gives two requests the same new id': takesMany({
        count: 500,
        draw: ({ random }) => ({ path: random.pick(['/items/1', '/items', '/me', '/nowhere']) }),
        makes: ({ headers }) => ({ 'X-Request-Id': headers['x-request-id'] })
      })
    },
    before: {
      'measures the response time': async ({ get, fail }) => {
        const answers = await Promise.all(Array.from({ length: 150 }, () => get('/items')))
        const times = new Set(answers.map(({ headers }) => headers['x-response-time']))
        if (times.size === 1) fail('all of 150 requests report one time')
      },
      // Two servers may see different times at the same moment: this one is judged by the clock alone.
      'lets a session in until it expires, and no longer': async ({ get, data: { sessions, config } }) => {
        const endOf = (/** @type {Session} */ { expiresAt }) => Date.parse(expiresAt)
        const session = sessions.slice(600).find((/** @type {Session} */ one) => endOf(one) > Date.now() + 400)
        if (session === undefined) return
        const headers = { Cookie: `sid=${sidOf(session, config.sessionSecret)}` }
        const early = await get('/me', { headers })
        if (Date.now() < endOf(session)) early.expectStatus(200)
        await sleep(endOf(session) + 100 - Date.now())
        const late = await get('/me', { headers })
        if (late.status !== 401) late.fail(`the session of the cookie has expired: expected 401, got ${late.status}`)
      }
    }
  },

  promised: {
    'answers 413 to a body over the limit, and takes one at the limit':
      '413 body_too_large for more than bodyLimit bytes'
  },

  loads: {
    traffic: {
      mix: {
        'GET /items/:id': 45,
        'GET /items': 23,
        'GET /me': 24,
        'GET /:nowhere': 2,
        'GET /items/:id, wrong': 2,
        'GET /items, wrong': 1,
        'POST /items, wrong': 1,
        'POST /items': 2
      },
      near: 1 / 8,
      sliceMs: 250
    }
  },

  gates: {
    traffic: {
      rate: 2.5,
      halfway: 1.25,
      look: 'For each middleware: what reads its result? Which routes are those, and can the work wait until ' +
        'the result is read?'
    }
  },

  mechanism: {
    expected:
      'CPU time per request falls: what only some routes need is done for those, and what never changes is done once',
    load: 'traffic',
    cpuPerRequest: 'falls'
  }
})

/**
 * A request whose body arrives slowly, during another request, takes as long as it takes. A busy machine reads its
 * beginning late, but not every time.
 *
 * @param {{ origin: string, patience?: number }} server
 */
async function measuresSlowBody (server) {
  const [pauseMs, leastMs, tries] = [60, 20, 3]
  const ask = (/** @type {Partial<Request>} */ more = {}) =>
    send(server.origin, { path: '/items', ...more }, timeFor(server))
  const between = () => ask().then(() => sleep(pauseMs)).then(() => ask())
  let said = ''
  for (let left = tries; left > 0 && !(parseFloat(said) >= leastMs); left--) {
    const { headers } = await ask({ method: 'POST', json: { name: '' }, chunked: true, between })
    said = headers['x-response-time']
  }
  return parseFloat(said) >= leastMs ? 'the whole time' : `${said} for a request that took more than ${pauseMs} ms`
}
