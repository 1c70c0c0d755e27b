import { setTimeout as sleep } from 'node:timers/promises'
import { takesMany } from '../form/kinds.js'
import { outlastsFailures } from '../shared/failures.js'
import { askFor, newRequestId, noIds, someUser } from './operations.js'
import { pageProblem } from './pages.js'
import { services, userOf } from './services.js'

/**
 * @import { Given } from '../../runner/contract/index.js'
 * @import { Check } from '../../runner/lesson/index.js'
 */

// A server that waits a second for each call has to give up on the first and wait for each of the second kind.
const tooSlowMs = 1400
const slowMs = 750
/** Slow enough that each piece is read by itself. */
const trickleMs = 60
const visits = 8
/** A server that calls ahead has begun by then. */
const aheadMs = 100

/** What no sequence shows: the number of calls, failures of several services at once, and a second. @type {Check[]} */
export const contract = [
  {
    name: 'calls each service once for a page, and only one for a user who does not exist',
    run: async ({ get, upstream, random, data, fail }) => {
      const { id } = random.pick(data.users)
      const segmentIn = (/** @type {string} */ requestId) => userOf(data, requestId, id)?.segment
      const [first, gone, missing] = [id, id, `u-${random.word(11)}`].map((id) => askFor(id, newRequestId(random)))
      let moved = first
      while (segmentIn(moved.headers['x-request-id']) === segmentIn(first.headers['x-request-id'])) {
        moved = askFor(id, newRequestId(random))
      }
      // Nothing is kept for the same page, for the user in another segment, or for one who's gone and comes back.
      for (const { path, headers } of [first, first, moved, gone, missing, missing, first]) {
        const isGone = headers === gone.headers
        await upstream.reset(isGone ? [{ path: `/users/${id}`, status: 404, delayMs: aheadMs }] : [])
        await get(path, { headers })
        const asked = (await upstream.calls()).map(({ path }) => serviceOf(path))
        const wanted = isGone || path === missing.path ? ['users'] : services
        if (asked.sort().join() === wanted.toSorted().join()) continue
        fail(`GET ${path}: expected one call to ${wanted.join(', ')}, got ${asked.join(', ')}`)
      }
    }
  },
  {
    name: 'shares no call between pages, even when they are in flight together with one id',
    run: async ({ get, upstream, random, data, fail }) => {
      const requestId = newRequestId(random)
      const [user, ...others] = random.shuffle(data.users).slice(0, 4)
      const asked = [user, ...others, user, user]
      // One before the others, which might be kept for them.
      await get(askFor(user.id, newRequestId(random)).path)
      await upstream.reset()
      const pages = await Promise.all(asked.map(({ id }) => {
        const { path, headers } = askFor(id, requestId)
        return get(path, { headers })
      }))
      for (const [at, { id }] of asked.entries()) {
        const problem = pageProblem(data, requestId, id, pages[at].expectStatus(200).json())
        if (problem) fail(`GET /page/${id}: ${problem}`)
      }
      const calls = await upstream.calls()
      for (const service of services) {
        const count = calls.filter(({ path }) => serviceOf(path) === service).length
        if (count >= asked.length) continue
        fail(`${asked.length} pages at once with the X-Request-Id ${requestId}: expected ${asked.length} calls to ` +
          `${service}, got ${count}`)
      }
    }
  },
  {
    name: 'makes every page of answers that were given for it, even for a visitor who comes often',
    when: ['before'],
    run: async ({ get, upstream, random, data, fail }) => {
      const { path } = askFor(random.pick(data.users).id)
      await upstream.reset()
      for (let visit = 0; visit < visits; visit++) (await get(path)).expectStatus(200)
      await sleep(aheadMs)
      const carts = (await upstream.calls()).filter(({ path }) => serviceOf(path) === 'carts').length
      if (carts !== visits) fail(`GET ${path}, ${visits} times: expected as many calls to carts, got ${carts}`)
    }
  },
  {
    name: 'never makes the same request id twice, however many it has made',
    when: ['before'],
    apart: true,
    run: takesMany({
      draw: ({ random }) => askFor(`u-${random.word(11)}`, random.pick(noIds)),
      makes: ({ headers }) => ({ 'X-Request-Id': headers['x-request-id'] }),
      // It makes four calls at once: it would take a few seconds.
      isLong: true
    })
  },
  {
    name: 'answers pages requested at the same time each with its own answers and its own new id',
    when: ['before'],
    run: async (given) => {
      const { get, upstream, random, data, fail } = given
      const { path } = askFor(random.pick(data.users).id)
      // Names come in pieces, as over a long way.
      await upstream.reset([{ path: '/users', trickleMs }])
      const four = (/** @type {() => Promise<any>} */ ask) => Promise.all(Array.from({ length: 4 }, ask))
      const [answers] = await Promise.all([four(() => get(path)), four(() => expectPage(given))])
      const ids = answers.map(({ headers }) => headers['x-request-id'])
      if (new Set(ids).size < ids.length) fail(`GET ${path}: pages without an id got the ids ${ids.join(', ')}`)
    }
  },
  {
    name: 'calls no service a second time when it fails',
    when: ['before'],
    run: async (given) => {
      const { random, upstream } = given
      // A page first, so that there are connections that were used before.
      await upstream.reset()
      await expectPage(given)
      const refusals = [404, 429, 500, 503].map((status) => ({ status }))
      const faults = [
        // Some before the answer, the others in the middle of it.
        ...services.map((service, at) => ({ path: `/${service}`, reset: true, trickleMs: at % 2 * trickleMs })),
        ...random.shuffle(refusals).slice(0, 2).map((refusal) => {
          return { path: `/${random.pick(services.slice(1))}`, ...refusal }
        })
      ]
      for (const fault of random.shuffle(faults)) {
        await upstream.reset([fault])
        await expectError(given, 502, 'upstream_failed', [fault.path.slice(1)])
      }
    }
  },
  {
    name: 'survives calls that fail at the same time, or one after the other',
    when: ['before'],
    run: async (given) => {
      // Refused late when the page has failed already; one after the other; all of them at once.
      for (const faults of [
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
      ]) {
        await given.upstream.reset(faults)
        // Any of them may have been noticed first.
        const failing = faults.map(({ path }) => path.slice(1))
        await expectError(given, 502, 'upstream_failed', failing)
        await sleep(80)
        await given.upstream.reset()
        await expectPage(given)
      }
    }
  },
  {
    name: 'answers as before after many failures',
    // A machine that's too busy makes 504s of them.
    timed: true,
    when: ['before'],
    run: outlastsFailures({
      path: '/users',
      draw: ({ random, data }) => askFor(someUser(random, data), newRequestId(random)),
      expectFailure: (answer, { status }) => answer.expectStatus(status === 404 ? 404 : 502),
      expectPage
    })
  },
  {
    name: 'waits a second for each call, and no longer',
    timed: true,
    when: ['before'],
    apart: true,
    run: async (given) => {
      const service = given.random.pick(services)
      // Two servers have to give up while another one has to wait: one after the other would take longer.
      const [silent, slowly, other] = await Promise.all([1, 2, 3].map(() => given.another()))
      await silent.upstream.reset([{ path: `/${service}`, delayMs: tooSlowMs }])
      await slowly.upstream.reset([{ path: `/${service}`, trickleMs: tooSlowMs }])
      // One after the other even where all that can be is asked at once, so a second for the whole page is too little.
      const slow = ['carts', given.random.pick(['prices', 'stock', 'reviews'])]
      await other.upstream.reset(slow.map((path) => ({ path: `/${path}`, delayMs: slowMs })))
      await Promise.all([
        expectError({ ...given, ...silent }, 504, 'upstream_timeout', [service]),
        expectError({ ...given, ...slowly }, 504, 'upstream_timeout', [service]),
        expectPage({ ...given, ...other })
      ])
      await silent.upstream.reset()
      await expectPage({ ...given, ...silent })
    }
  }
]

/** @param {Given} given */
async function expectPage ({ get, random, data, fail }) {
  const [id, requestId] = [someUser(random, data), newRequestId(random)]
  const { path, headers } = askFor(id, requestId)
  const problem = pageProblem(data, requestId, id, (await get(path, { headers })).expectStatus(200).json())
  if (problem) fail(`GET ${path}: ${problem}`)
}

/** @param {string} path of a call */
function serviceOf (path) {
  return path.split(/[/?]/)[1]
}

/**
 * None of those that fail is asked a second time.
 *
 * @param {Given} given @param {number} status @param {string} error @param {string[]} failing any of them
 */
async function expectError ({ get, upstream, random, data, fail }, status, error, failing) {
  const requestId = newRequestId(random)
  const { path, headers } = askFor(someUser(random, data), requestId)
  const answer = await get(path, { headers })
  if (answer.headers['x-request-id'] !== requestId) answer.fail(`expected X-Request-Id: ${requestId}`)
  answer.expectStatus(status).expectType('application/json').expectShape({
    error: new RegExp(`^${error}$`),
    service: new RegExp(`^(${failing.join('|')})$`)
  })
  // An earlier, failed page may still be calling, for other products.
  const asked = (await upstream.calls()).map(({ path }) => path).filter((path) => failing.includes(serviceOf(path)))
  const twice = asked.find((path, at) => asked.indexOf(path) < at)
  if (twice) fail(`GET ${path}: ${serviceOf(twice)} failed, and was called a second time for the same page`)
}
