import assert from 'node:assert/strict'
import http from 'node:http'
import test from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { checksOf, ContractError, rules, send } from '../../runner/contract/index.js'
import { createRandom } from '../../runner/shared/random.js'

/** @import { Operation } from '../../runner/contract/index.js' */

const workMs = 10

/** @type {Record<string, Operation>} */
const operations = {
  cheap: { rule: 'is cheap', draw: () => ({ path: '/cheap' }) },
  work: { rule: 'works', draw: ({ random }) => ({ path: `/work/${random.int(1, 9)}` }) },
  wrong: { rule: 'refuses other work', draw: () => ({ path: '/work/none' }) },
  later: { rule: 'rests on an answer', draw: () => (answerOf) => ({ path: answerOf(/** @type {any} */ (null)).text }) }
}

/**
 * A server that does one piece of work after the other, and refuses what it has no place for.
 *
 * @param {{ next?: 'shift' | 'pop', freeOn?: 'finish' | 'close', places?: number, keepsRefused?: boolean, shares?:
 *   boolean, mixesUp?: boolean }} how shares: equal requests get what the first one gets, and nothing if its client
 *   leaves; mixesUp: requests of one connection
 */
async function serve (how) {
  const { next = 'shift', freeOn = 'close', places = 40, keepsRefused, shares, mixesUp } = how
  /** @type {Map<string, http.ServerResponse>} */
  const first = new Map()
  /** What each connection asked last. */
  const last = new Map()
  /** @type {(() => void)[]} */
  const waiting = []
  let [open, isBusy] = [0, false]
  const server = http.createServer(async (req, res) => {
    if (!req.url?.startsWith('/work')) return res.end('cheap')
    last.set(req.socket, req.url)
    if (open === places) return res.writeHead(503).end()
    const owner = first.get(req.url)
    if (shares && owner && !owner.destroyed && !owner.writableFinished) {
      return owner.on('close', () => res.writeHead(owner.writableFinished ? 200 : 502).end())
    }
    first.set(req.url, res)
    open++
    if (keepsRefused && req.url.endsWith('none')) return res.writeHead(404).end()
    res.on(freeOn, () => { open-- })
    if (req.url.endsWith('none')) return res.writeHead(404).end()
    if (isBusy) await new Promise((resolve) => waiting.push(() => resolve(null)))
    isBusy = true
    if (!res.destroyed) await sleep(workMs)
    res.end(`done ${mixesUp ? last.get(req.socket) : req.url}`)
    isBusy = false
    waiting[next]()?.()
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(null)))
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
  return { origin: `http://127.0.0.1:${port}`, close: () => server.close().closeAllConnections() }
}

/** @param {Parameters<typeof serve>[0]} how @returns {Promise<string>} what is wrong with it */
async function wrongIn (how, name = rules.crowd) {
  const { origin, close } = await serve(how)
  let count = 0
  const ask = (/** @type {any} */ request) => {
    count++
    return send(origin, request)
  }
  const check = checksOf({ contract: [], operations }, 'before').find((one) => one.name === name)
  const given = {
    send: ask,
    origin,
    within: async (/** @type {number} */ ms) => ms,
    random: createRandom('situations'),
    data: {},
    another: async () => ({ send: ask }),
    fail: (/** @type {string} */ message) => { throw new ContractError(message) },
    late: (/** @type {string} */ message) => { throw new ContractError(message) }
  }
  try {
    await check?.run(/** @type {any} */ (given))
    assert.ok(count > (name === rules.crowd ? 30 : 5))
    return ''
  } catch (error) {
    if (error instanceof ContractError) return error.message
    throw error
  } finally {
    close()
  }
}

test('a server that serves all in turn, and frees the places of those who left, is right', async () => {
  assert.equal(await wrongIn({}), '')
})

test('a place that’s kept for a client that has left is missed', async () => {
  const wrong = await wrongIn({ freeOn: 'finish', places: 8 })
  assert.match(wrong, /^GET \/work\/…, after \d+ clients had left before .*: expected a status like 200, got 503$/)
})

test('work that’s lost for others when the client who came first leaves is missed', async () => {
  assert.match(await wrongIn({ shares: true }), /^GET \/work\/…, while 8 clients .* like 200, got 502$/)
})

test('a place that’s kept for what was refused is missed', async () => {
  const wrong = await wrongIn({ keepsRefused: true })
  assert.match(wrong, /^GET \/work\/…, after \d+ requests were refused: expected a status like 200, got 503$/)
})

test('one that’s overtaken again and again is seen', async () => {
  assert.match(await wrongIn({ next: 'pop' }), /^GET \/work\/…: \d+ of \d+ clients .* still waited/)
})

test('responses of one connection that are mixed up are missed', async () => {
  assert.equal(await wrongIn({}, rules.inOrder), '')
  const wrong = await wrongIn({ mixesUp: true }, rules.inOrder)
  assert.match(wrong, /^GET \/work\/\w+: request \d+ of \d+ in one go: the body: alone .*, and now /)
})

test('a lesson without operations has no such check', () => {
  assert.deepEqual(checksOf({ contract: [] }, 'before'), [])
})
