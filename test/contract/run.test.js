import assert from 'node:assert/strict'
import test from 'node:test'
import { PortTaken } from '../../runner/shared/errors.js'
import { createRandom } from '../../runner/shared/random.js'
import { runContract } from '../../runner/contract/index.js'
import { httpServer } from '../load/trap-server.js'

/** @import { Check } from '../../runner/lesson/index.js' */

/** A list that can be read and added to. @param {(list: string[]) => unknown} [show] */
async function listServer (show = (list) => list) {
  const list = ['first']
  const http = await httpServer((req, res) => {
    if (req.method === 'POST') list.push(`item ${list.length}`)
    res.setHeader('Content-Type', 'application/json')
    res.end(JSON.stringify(show(list)))
  })
  return /** @type {any} */ ({
    ...http,
    origin: `http://127.0.0.1:${http.port}`,
    role: 'yours',
    dataDir: '',
    hasExited: () => false,
    howItEnded: () => null
  })
}

/** @param {any} server @param {Check[]} checks */
async function run (server, checks) {
  try {
    return await runContract({ checks, when: 'before', server, random: createRandom('s'), data: {} })
  } finally {
    await server.close()
  }
}

test('a further server whose port another program has fails no check', async () => {
  const check = { name: 'starts', run: async () => { throw new PortTaken() } }
  await assert.rejects(run(await listServer(), [check]), PortTaken)
})

test('an answer that a check cannot read fails the check', async () => {
  const [result] = await run(await listServer(() => null), [
    { name: 'has items', run: async ({ get }) => { assert.ok((await get('/')).json().items.length) } }
  ])
  assert.match(result.message, /doesn’t have the shape that it should have/)
})

test('every check gets the same random numbers for every server, and other ones than the next check', async () => {
  /** @type {number[][]} */
  const seen = []
  for (let i = 0; i < 2; i++) {
    /** @type {number[]} */
    const numbers = []
    const draw = (/** @type {string} */ name) => ({
      name,
      run: async (/** @type {any} */ { random }) => { numbers.push(random.next()) }
    })
    await run(await listServer(), [draw('one'), draw('two')])
    seen.push(numbers)
  }
  assert.deepEqual(seen[0], seen[1])
  assert.notEqual(seen[0][0], seen[0][1])
})

test('a check that is apart runs while the others do, and results keep the order of the checks', async () => {
  /** @type {string[]} */
  const begun = []
  let release = () => {}
  const released = new Promise((resolve) => { release = () => resolve(undefined) })
  const first = { name: 'waits', run: async () => { begun.push('waits'); await released } }
  const apart = { name: 'apart', apart: true, run: async () => { begun.push('apart'); release() } }
  const results = await run(await listServer(), [first, apart])
  assert.deepEqual(begun, ['waits', 'apart'])
  assert.deepEqual(results.map(({ name, status }) => [name, status]), [['waits', 'pass'], ['apart', 'pass']])
})

test('a check may copy what it is handed, and is told of a missing upstream only when it reads it', async () => {
  const copied = { name: 'copies', run: async (/** @type {any} */ given) => { await { ...given }.get('/') } }
  const asked = { name: 'asks', run: async (/** @type {any} */ { upstream }) => { await upstream.calls() } }
  const results = await run(await listServer(), [copied, asked])
  assert.deepEqual(results.map(({ status }) => status), ['pass', 'fail'])
  assert.match(results[1].message, /this lesson has no upstream/)
})
