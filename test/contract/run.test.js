import assert from 'node:assert/strict'
import test from 'node:test'
import { createRandom } from '../../runner/random.js'
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

/** @param {any} server @param {any} baseline @param {Check[]} checks */
async function run (server, baseline, checks, when = /** @type {const} */ ('before')) {
  try {
    return await runContract({
      checks,
      when,
      server,
      startMirror: async () => baseline,
      random: createRandom('s'),
      data: {}
    })
  } finally {
    await server.close()
    await baseline.close()
  }
}

const reads = { name: 'shows the list', run: async (/** @type {any} */ { same }) => { await same({ path: '/' }) } }
const writes = {
  name: 'adds',
  run: async (/** @type {any} */ { post }) => { (await post('/', { json: {} })).expectStatus(200) }
}

test('the differential oracle has seen the same writes when answers are compared', async () => {
  const results = await run(await listServer(), await listServer(), [writes, reads, writes, writes, reads])
  assert.deepEqual(results.map(({ status, message }) => [status, message]), Array(5).fill(['pass', '']))
})

test('an answer that differs is refused, and the place is shown', async () => {
  const [, result] = await run(await listServer((list) => list.slice(0, 1)), await listServer(), [writes, reads])
  assert.equal(result.status, 'fail')
  assert.match(
    result.message,
    /GET \/: the body is not the slow server’s: expected …\["first","item 1"\].*got …\["first"\]/
  )
})

test('the order of keys and the spelling of the media type do not matter', async () => {
  const server = await httpServer((_req, res) => {
    res.setHeader('Content-Type', 'application/json;charset=UTF-8')
    res.end('{"b":1,"a":2}')
  })
  const baseline = await httpServer((_req, res) => {
    res.setHeader('Content-Type', 'application/json; charset=utf-8')
    res.end('{ "a": 2, "b": 1 }')
  })
  const whole = (/** @type {any} */ http) => ({
    ...http,
    origin: `http://127.0.0.1:${http.port}`,
    role: 'yours',
    hasExited: () => false
  })
  const [result] = await run(whole(server), whole(baseline), [reads])
  assert.deepEqual([result.status, result.message], ['pass', ''])
})

test('after the load nothing can be compared, and a check that tries says why', async () => {
  const [result] = await run(await listServer(), await listServer(), [reads], /** @type {any} */ ('after'))
  assert.match(result.message, /same\(\) compares fresh servers/)
})

test('an answer that a check cannot read fails the check', async () => {
  const [result] = await run(await listServer(() => null), await listServer(), [
    { name: 'has items', run: async ({ get }) => { assert.ok((await get('/')).json().items.length) } }
  ])
  assert.match(result.message, /has not the shape that it should have/)
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
    await run(await listServer(), await listServer(), [draw('one'), draw('two')])
    seen.push(numbers)
  }
  assert.deepEqual(seen[0], seen[1])
  assert.notEqual(seen[0][0], seen[0][1])
})

test('a server to compare with that does not work is our fault, not the submission’s', async () => {
  const server = await listServer()
  await assert.rejects(
    runContract({
      checks: [reads],
      when: 'before',
      server,
      startMirror: async () => { throw new Error('no port') },
      random: createRandom('s'),
      data: {}
    }),
    /The slow server to compare with did not start: no port/
  )
  await server.close()
})

test('a check that is apart runs while the others do, and results keep the order of the checks', async () => {
  /** @type {string[]} */
  const begun = []
  let release = () => {}
  const released = new Promise((resolve) => { release = () => resolve(undefined) })
  const first = { name: 'waits', run: async () => { begun.push('waits'); await released } }
  const apart = { name: 'apart', apart: true, run: async () => { begun.push('apart'); release() } }
  const results = await run(await listServer(), await listServer(), [first, apart])
  assert.deepEqual(begun, ['waits', 'apart'])
  assert.deepEqual(results.map(({ name, status }) => [name, status]), [['waits', 'pass'], ['apart', 'pass']])
})
