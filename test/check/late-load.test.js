import assert from 'node:assert/strict'
import test from 'node:test'
import { settleSilence } from '../../runner/check/slice.js'
import { TooBusy } from '../../runner/shared/errors.js'

const silence = { kind: 'no answer', message: 'GET /x: no answer within 10 s.' }
const gatewayTimeout = { kind: 'no answer', message: 'GET /x: expected status 200, got 504' }

/**
 * What becomes of a load without an answer in time, when the same load is sent again.
 *
 * @param {{ role?: string, lost?: any[], problems?: any[], again?: any[], slow?: any[] }} seen what is lost then
 */
async function settled ({ role = 'yours', lost = [silence], problems = [], again = [], slow = [] }) {
  /** @type {string[]} */
  const orders = []
  const server = (/** @type {string} */ role, port = 1) => /** @type {any} */ ({ role, port, patience: 1 })
  const generator = /** @type {any} */ ({
    slice: async (/** @type {any} */ { instance, port, answerTimeoutMs, exactly }) => {
      orders.push(`${instance} at ${port}, ${answerTimeoutMs} ms`)
      assert.equal(exactly, undefined)
      const seen = instance.startsWith('yours') ? again : slow
      const isLost = (/** @type {unknown} */ one) => one !== gatewayTimeout
      return { lost: seen.filter(isLost), problems: seen.filter((one) => !isLost(one)) }
    },
    forget: async () => {}
  })
  const order = { instance: `${role}#1`, load: 'x', port: 1, sliceMs: 300, sliceAnswers: 10, exactly: 9 }
  const message = await settleSilence({ lost, problems }, {
    server: server(role),
    generator,
    order: { ...order, answerTimeoutMs: 10_000 },
    useSlow: (use) => use(server('baseline', 2))
  }).then(() => '', (error) => {
    assert.ok(error instanceof TooBusy, error.stack)
    return error.message
  })
  return { message, orders }
}

test('a load that is answered, or lost in another way, is not sent again', async () => {
  const cut = { kind: 'cut', message: 'GET /x: the answer was cut' }
  for (const lost of [[], [cut]]) assert.deepEqual(await settled({ lost }), { message: '', orders: [] })
})

test('a server that does not answer a load twice is at fault only where the slow server answers', async () => {
  const orders = ['yours#late at 1, 20000 ms', 'baseline#late at 2, 10000 ms']
  assert.deepEqual(await settled({ again: [silence] }), { message: '', orders })
  const { message } = await settled({ again: [silence], slow: [silence] })
  assert.match(message, /busy to tell: GET \/x: no answer within 10 s, but the slow server was late as well\.$/)
})

test('what was late once, and what the slow server is late with, says nothing', async () => {
  assert.match((await settled({})).message, /no answer within 10 s, but it was in time when it was asked once more\.$/)
  assert.match((await settled({ role: 'baseline' })).message, /too busy to tell: the slow server was late/)
})

test('a gateway’s timeout is settled as a late answer is', async () => {
  const problems = [gatewayTimeout]
  assert.match((await settled({ lost: [], problems })).message, /got 504, but it was in time when it was asked/)
  assert.deepEqual((await settled({ lost: [], problems, again: [gatewayTimeout] })).message, '')
})
