import { setTimeout as sleep } from 'node:timers/promises'
import { askedWithoutId, pageOf, pageProblem } from './pages.js'
import { services } from './services.js'

/**
 * @import { Given } from '../../runner/contract/index.js'
 * @import { Check } from '../../runner/lesson/index.js'
 */

/**
 * What every correct page server must do.
 *
 */

// A server that waits a second for each call has to give up on the first and to wait for each of the second kind.
const tooSlowMs = 1700
const slowMs = 550

/** @type {Check[]} */
export const contract = [
  {
    name: 'passes the request id on with every call',
    run: async (given) => {
      for (let i = 0; i < 2; i++) {
        const { page, requestId, userId } = await getPage(given)
        const service = askedWithoutId(given.data, requestId, userId, page)
        if (service) {
          given.fail(
            `GET /page/${userId}: the call to /${service} came without the X-Request-Id ${requestId} of the page`
          )
        }
      }
    }
  },
  {
    name: 'asks the upstream anew for every page',
    run: async (given) => {
      const userId = given.random.pick(given.data.users).id
      /** @type {string[]} */
      const earlier = []
      for (let i = 0; i < 3; i++) {
        const { page, requestId } = await getPage(given, { userId })
        for (const id of earlier) {
          const old = pageOf(given.data, id, userId)
          const same = page?.user?.points === old.user.points ? 'user' : page?.cart?.id === old.cart.id ? 'cart' : ''
          if (same) given.fail(`GET /page/${userId}: the ${same} of this page is the one of an earlier page`)
        }
        const problem = pageProblem(given.data, requestId, userId, page)
        if (problem) given.fail(`GET /page/${userId}, asked for once more: ${problem}`)
        earlier.push(requestId)
      }
    }
  },
  {
    name: 'answers a page made of what the upstream says',
    run: async (given) => {
      for (let i = 0; i < 3; i++) await expectPage(given)
    }
  },
  {
    name: 'makes a request id where the client sends none that can be used',
    run: async ({ get, random, data, fail }) => {
      const ids = new Set()
      for (const sent of [undefined, 'short', `${random.word(8)} ${random.word(8)}`, random.word(65)]) {
        const { id } = random.pick(data.users)
        const answer = await get(`/page/${id}`, { headers: sent === undefined ? {} : { 'x-request-id': sent } })
        answer.expectStatus(200).expectHeader('x-request-id', /^[\w-]{8,64}$/)
        const requestId = answer.headers['x-request-id']
        if (ids.has(requestId)) fail(`GET /page/${id}: two pages got the request id ${requestId}`)
        ids.add(requestId)
        const problem = pageProblem(data, requestId, id, answer.json())
        if (problem) fail(`GET /page/${id}, without an id from the client: ${problem}`)
      }
    }
  },
  {
    name: 'asks no service twice for one page',
    run: async (given) => {
      await given.upstream.reset()
      await getPage(given)
      const asked = (await given.upstream.calls()).map(({ path }) => serviceOf(path))
      const twice = asked.find((service, index) => asked.indexOf(service) !== index)
      if (twice) {
        given.fail(
          `GET /page/:id: /${twice} was asked ${asked.filter((service) => service === twice).length} times for one page`
        )
      }
    }
  },
  {
    name: 'asks all six services for every page',
    run: async (given) => {
      const userId = given.random.pick(given.data.users).id
      for (let i = 0; i < 2; i++) {
        await given.upstream.reset()
        await getPage(given, { userId })
        const asked = (await given.upstream.calls()).map(({ path }) => serviceOf(path))
        const left = services.filter((service) => !asked.includes(service))
        if (left.length > 0) given.fail(`GET /page/${userId}: /${left.join(', /')} was not asked`)
      }
    }
  },
  {
    name: 'asks nothing more about a user who does not exist',
    run: async ({ get, upstream, random, fail }) => {
      await upstream.reset()
      const answer = await get(`/page/u-${random.word(11)}`)
      answer.expectStatus(404).expectType('application/json').expectJson({ error: 'not_found' })
      const calls = await upstream.calls()
      if (calls.length !== 1) {
        fail(
          'GET /page/:id: expected one call for a user who does not exist, got ' +
            `${calls.map(({ path }) => path).join(', ')}`
        )
      }
    }
  },
  {
    name: 'answers pages that are asked for together each with its own',
    run: async (given) => {
      const { id } = given.random.pick(given.data.users)
      await Promise.all([id, id, ...Array(4)].map((userId) => expectPage(given, { userId })))
    }
  },
  {
    name: 'survives calls that fail at the same time, or one after the other',
    when: ['before'],
    run: async (given) => {
      // Reset at once while another is under way; refused late when the page has failed already; all of them.
      const together = [
        [
          { path: '/recommendations', reset: true },
          { path: '/carts', delayMs: 60 }
        ],
        [
          { path: '/carts', status: 503 },
          { path: '/recommendations', status: 500, delayMs: 60 }
        ],
        [
          { path: '/prices', reset: true },
          { path: '/stock', status: 503, delayMs: 40 },
          { path: '/reviews', status: 500, delayMs: 20 }
        ],
        services.slice(1).map((service) => ({ path: `/${service}`, reset: true }))
      ]
      for (const faults of together) {
        await given.upstream.reset(faults)
        const failing = faults.filter((fault) => 'reset' in fault || 'status' in fault).map(({ path }) => path.slice(1))
        await expectFailure(given, failing)
        await sleep(80)
        await recovered(given)
      }
    }
  },
  {
    name: 'answers 502 with the name of the service that failed',
    run: async (given) => {
      for (const service of services) {
        const status = given.random.pick([500, 503, 429])
        await given.upstream.reset([{ path: `/${service}`, status }])
        await expectFailure(given, [service])
      }
      await recovered(given)
    }
  },
  {
    name: 'answers 502 when a connection to a service is cut',
    run: async (given) => {
      for (const service of services) {
        await given.upstream.reset([{ path: `/${service}`, reset: true }])
        await expectFailure(given, [service])
      }
      await recovered(given)
    }
  },
  {
    name: 'waits a second for each call, and no longer',
    when: ['before'],
    run: async (given) => {
      const service = given.random.pick(services)
      await given.upstream.reset([{ path: `/${service}`, delayMs: tooSlowMs }])
      // One server has to give up while another one has to wait: one after the other would take twice as long.
      const other = await given.another()
      // One after the other even where all that can be is asked at once, so a second for the whole page is too little.
      const slow = ['carts', given.random.pick(['prices', 'stock', 'reviews'])]
      await other.upstream.reset(slow.map((path) => ({ path: `/${path}`, delayMs: slowMs })))
      await Promise.all([expectTimeout(given, service), expectPage({ ...given, get: other.get })])
      await recovered(given)
    }
  },
  {
    name: 'forbids others to keep a page',
    run: async ({ get, random, data }) => {
      (await get(pathOf(random.pick(data.users).id)))
        .expectStatus(200)
        .expectType('application/json')
        .expectHeader('cache-control', 'no-store')
    }
  },
  {
    name: 'answers 404 elsewhere',
    run: async ({ get, post, random, data }) => {
      const answers = [
        await get(`/${random.word(7)}`),
        await get('/page'),
        await post(pathOf(random.pick(data.users).id), { json: {} })
      ]
      for (const answer of answers) {
        answer.expectStatus(404).expectType('application/json').expectJson({ error: 'not_found' })
      }
    }
  }
]

/** @param {Given} given @param {{ userId?: string }} [options] */
async function getPage (given, { userId = given.random.pick(given.data.users).id } = {}) {
  const requestId = newId(given)
  const answer = await given.get(pathOf(userId), { headers: { 'x-request-id': requestId } })
  answer.expectStatus(200).expectType('application/json').expectHeader('x-request-id', requestId)
  return { page: answer.json(), requestId, userId }
}

/** @param {Given} given @param {{ userId?: string }} [options] */
async function expectPage (given, options) {
  const { page, requestId, userId } = await getPage(given, options)
  const problem = pageProblem(given.data, requestId, userId, page)
  if (problem) given.fail(`GET /page/${userId}: ${problem}`)
}

/** @param {Given} given @param {string[]} failing any of them may have been noticed first */
async function expectFailure (given, failing) {
  const answer = await given.get(pathOf(given.random.pick(given.data.users).id), {
    headers: { 'x-request-id': newId(given) }
  })
  answer
    .expectStatus(502)
    .expectType('application/json')
    .expectShape({ error: /^upstream_failed$/, service: (/** @type {any} */ name) => failing.includes(name) })
}

/** @param {Given} given @param {string} service */
async function expectTimeout (given, service) {
  const answer = await given.get(pathOf(given.random.pick(given.data.users).id), {
    headers: { 'x-request-id': newId(given) }
  })
  answer.expectStatus(504).expectType('application/json').expectJson({ error: 'upstream_timeout', service })
}

/** The upstream is well again, and so is the server. @param {Given} given */
async function recovered (given) {
  await given.upstream.reset()
  await expectPage(given)
}

/** @param {Given} given */
function newId ({ random }) {
  return `r-${random.word(16)}`
}

/** @param {string} userId */
function pathOf (userId) {
  return `/page/${userId}`
}

/** @param {string} path */
function serviceOf (path) {
  return path.split(/[/?]/)[1]
}
