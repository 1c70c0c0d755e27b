import { setTimeout as sleep } from 'node:timers/promises'
import { takesMany } from '../form/kinds.js'
import { outlastsFailures } from '../shared/failures.js'
import { askFor, newRequestId, noIds, someUser } from './operations.js'
import { pageProblem } from './pages.js'
import { saidFor, services } from './services.js'

/**
 * @import { Given } from '../../runner/contract/index.js'
 * @import { FormContract } from '../form/types.js'
 */

// A server that waits a second for each call has to give up on the first and wait for each of the second kind.
const tooSlowMs = 1400
const slowMs = 750
/** Slow enough that each piece is read by itself. */
const trickleMs = 60
const visits = 8
/** A server that calls ahead has begun by then. */
const aheadMs = 100

/** What no sequence shows: the number of calls, several services that fail, and a second. @type {FormContract} */
export const contract = {
  always: {
    'calls each service once for a page, and only one for a user who does not exist':
      async ({ send, upstream, random, data, fail }) => {
        const { id } = random.pick(data.users)
        const [first, gone, missing] = [id, id, `u-${random.word(11)}`].map((id) => askFor(id, newRequestId(random)))
        const segmentIn = (/** @type {typeof first} */ { headers }) =>
          saidFor(data, headers['x-request-id']).users({ name: id })?.segment
        let moved = first
        while (segmentIn(moved) === segmentIn(first)) moved = askFor(id, newRequestId(random))
        // Nothing is kept for the same page, for the user in another segment, or for one who's gone and comes back.
        for (const page of [first, first, moved, gone, missing, missing, first]) {
          await upstream.reset(page === gone ? [{ path: `/users/${id}`, status: 404, delayMs: aheadMs }] : [])
          await send(page)
          const called = (await calledOf(upstream)).sort().join(', ')
          const wanted = page === gone || page === missing ? ['users'] : services
          if (called === wanted.toSorted().join(', ')) continue
          fail(`GET ${page.path}: expected one call to ${wanted.join(', ')}, got ${called}`)
        }
      },
    'shares no call between pages, even when they are in flight together with one id': async (given) => {
      const { send, upstream, random, data, fail } = given
      const requestId = newRequestId(random)
      const [user, ...others] = random.shuffle(data.users).slice(0, 4)
      const asked = [user, ...others, user, user]
      // One before the others, which might be kept for them.
      await send(askFor(user.id))
      await upstream.reset()
      await Promise.all(asked.map(({ id }) => expectPage(given, id, requestId)))
      const called = await calledOf(upstream)
      for (const service of services) {
        const count = called.filter((one) => one === service).length
        if (count >= asked.length) continue
        fail(`${asked.length} pages at once with the X-Request-Id ${requestId}: expected ${asked.length} calls to ` +
          `${service}, got ${count}`)
      }
    }
  },
  before: {
    'makes every page of answers that were given for it, even for a visitor who comes often':
      async ({ get, upstream, random, data, fail }) => {
        const { path } = askFor(random.pick(data.users).id)
        await upstream.reset()
        for (let visit = 0; visit < visits; visit++) (await get(path)).expectStatus(200)
        await sleep(aheadMs)
        const carts = (await calledOf(upstream)).filter((service) => service === 'carts').length
        if (carts !== visits) fail(`GET ${path}, ${visits} times: expected as many calls to carts, got ${carts}`)
      },
    'answers pages requested at the same time each with its own answers and its own new id': async (given) => {
      const { get, upstream, random, data, fail } = given
      const { path } = askFor(random.pick(data.users).id)
      // Names come in pieces, as over a long way.
      await upstream.reset([{ path: '/users', trickleMs }])
      const four = (/** @type {() => Promise<any>} */ ask) => Promise.all(Array.from({ length: 4 }, ask))
      const [answers] = await Promise.all([four(() => get(path)), four(() => expectPage(given))])
      const ids = answers.map(({ headers }) => headers['x-request-id'])
      if (new Set(ids).size < ids.length) fail(`GET ${path}: pages without an id got the ids ${ids.join(', ')}`)
    },
    'calls no service a second time when it fails': async (given) => {
      const { random, upstream } = given
      // A page first, so that there are connections that were used before.
      await upstream.reset()
      await expectPage(given)
      const faults = [
        // Some before the answer, the others in the middle of it.
        ...services.map((service, at) => ({ path: `/${service}`, reset: true, trickleMs: at % 2 * trickleMs })),
        ...random.shuffle([404, 429, 500, 503]).slice(0, 2).map((status) =>
          ({ path: `/${random.pick(services.slice(1))}`, status }))
      ]
      for (const fault of random.shuffle(faults)) {
        await upstream.reset([fault])
        await expectError(given, 502, [fault])
      }
    },
    'survives calls that fail at the same time, or one after the other': async (given) => {
      // Refused late when the page has failed already; one after the other; all of them at once.
      for (const faults of [
        [{ path: '/carts', status: 503 }, { path: '/recommendations', status: 500, delayMs: 60 }],
        [
          { path: '/prices', reset: true },
          { path: '/stock', status: 503, delayMs: 40 },
          { path: '/reviews', status: 500, delayMs: 20 }
        ],
        services.slice(1).map((service) => ({ path: `/${service}`, reset: true }))
      ]) {
        await given.upstream.reset(faults)
        // Any of them may have been noticed first.
        await expectError(given, 502, faults)
        await sleep(80)
        await given.upstream.reset()
        await expectPage(given)
      }
    },
    'answers as before after many failures': {
      // A machine that's too busy makes 504s of them.
      timed: true,
      run: outlastsFailures({
        path: '/users',
        draw: ({ random, data }) => askFor(someUser(random, data), newRequestId(random)),
        expectFailure: (answer, { status }) => answer.expectStatus(status === 404 ? 404 : 502),
        expectPage
      })
    }
  },
  apart: {
    'never makes the same request id twice, however many it has made': takesMany({
      draw: ({ random }) => askFor(`u-${random.word(11)}`, random.pick(noIds)),
      makes: ({ headers }) => ({ 'X-Request-Id': headers['x-request-id'] }),
      // It makes four calls at once: it would take a few seconds.
      isLong: true
    }),
    'waits a second for each call, and no longer': {
      timed: true,
      run: async (given) => {
        const service = given.random.pick(services)
        // Two servers have to give up while another one has to wait: one after the other would take longer.
        const [silent, slowly, other] = await Promise.all([1, 2, 3].map(() => given.another()))
        const late = [{ path: `/${service}`, delayMs: tooSlowMs }]
        await silent.upstream.reset(late)
        await slowly.upstream.reset([{ path: `/${service}`, trickleMs: tooSlowMs }])
        // One after the other even where all that can be is asked at once: a second for the whole page is too little.
        const slow = ['carts', given.random.pick(['prices', 'stock', 'reviews'])]
        await other.upstream.reset(slow.map((path) => ({ path: `/${path}`, delayMs: slowMs })))
        await Promise.all([
          expectError({ ...given, ...silent }, 504, late),
          expectError({ ...given, ...slowly }, 504, late),
          expectPage({ ...given, ...other })
        ])
        await silent.upstream.reset()
        await expectPage({ ...given, ...silent })
      }
    }
  }
}

/** @param {Given} given */
async function expectPage ({ send, random, data }, id = someUser(random, data), requestId = newRequestId(random)) {
  const answer = await send(askFor(id, requestId))
  const problem = pageProblem(data, requestId, id, answer.expectStatus(200).json())
  if (problem) answer.fail(problem)
}

/** The services that were called, by call. @param {Given['upstream']} upstream */
async function calledOf (upstream) {
  return (await upstream.calls()).map(({ path }) => serviceOf(path))
}

/** @param {string} path of a call */
function serviceOf (path) {
  return path.split(/[/?]/)[1]
}

/**
 * None of those that fail is asked a second time.
 *
 * @param {Given} given @param {502 | 504} status @param {{ path: string }[]} faults any of them
 */
async function expectError ({ send, upstream, random, data }, status, faults) {
  const requestId = newRequestId(random)
  const answer = await send(askFor(someUser(random, data), requestId))
  if (answer.headers['x-request-id'] !== requestId) answer.fail(`expected X-Request-Id: ${requestId}`)
  const failing = faults.map(({ path }) => serviceOf(path))
  answer.expectStatus(status).expectType('application/json').expectShape({
    error: status === 502 ? /^upstream_failed$/ : /^upstream_timeout$/,
    service: new RegExp(`^(${failing.join('|')})$`)
  })
  // An earlier, failed page may still be calling, for other products.
  const asked = (await upstream.calls()).map(({ path }) => path).filter((path) => failing.includes(serviceOf(path)))
  const twice = asked.find((path, at) => asked.indexOf(path) < at)
  if (twice) answer.fail(`${serviceOf(twice)} failed, and was called a second time for the same page`)
}
