import assert from 'node:assert/strict'
import test from 'node:test'
import { PortTaken, TooBusy } from '../../runner/shared/errors.js'
import { createRandom } from '../../runner/shared/random.js'
import { runContract, tryCheck } from '../../runner/contract/index.js'
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

/** @param {any} server @param {Check[]} checks @param {Partial<Parameters<typeof runContract>[0]>} [more] */
async function run (server, checks, more) {
  try {
    return await runContract({ checks, when: 'before', server, random: createRandom('s'), data: {}, ...more })
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

/** A check that is late. @param {string[]} begun @param {Partial<Check>} [more] @returns {Check} */
const lateCheck = (begun, more) => ({
  name: 'late',
  run: async ({ late }) => {
    begun.push('late')
    late('no answer within 5 s')
  },
  ...more
})

test('what is late is settled when nothing else is going on, and the rest goes on if it was in time', async () => {
  /** @type {string[]} */
  const begun = []
  const other = (/** @type {string} */ name, /** @type {Partial<Check>} */ more = {}) =>
    ({ name, run: async () => { begun.push(name) }, ...more })
  const checks = [lateCheck(begun), other('next'), other('apart', { apart: true })]
  const results = await run(await listServer(), checks, {
    settle: async ({ name }) => {
      begun.push(`settle ${name}`)
      return { isLate: false, message: '' }
    }
  })
  assert.deepEqual(begun, ['late', 'apart', 'settle late', 'next'])
  assert.deepEqual(results.map(({ status }) => status), ['pass', 'pass', 'pass'])
})

test('a server that does not answer fails for that, and is not asked for everything else', async () => {
  /** @type {string[]} */
  const begun = []
  const next = { name: 'next', run: async () => { begun.push('next') } }
  const results = await run(await listServer(), [lateCheck(begun), next, lateCheck([], { name: 'too', apart: true })], {
    settle: async ({ name }) => {
      begun.push(`settle ${name}`)
      return { isLate: true, message: 'no answer within 10 s' }
    }
  })
  assert.deepEqual(results.map(({ name, status, message }) => [name, status, message]),
    [['late', 'fail', 'no answer within 10 s']])
  assert.deepEqual(begun, ['late', 'settle late'])
})

test('what cannot be told outweighs what is right, and not what is wrong', async () => {
  const settle = async () => { throw new TooBusy('the slow server was late') }
  await assert.rejects(run(await listServer(), [lateCheck([])], { settle }), TooBusy)
  const wrong = { name: 'wrong', apart: true, run: async (/** @type {any} */ { fail }) => fail('a wrong answer') }
  const results = await run(await listServer(), [lateCheck([]), wrong], { settle })
  assert.deepEqual(results.map(({ name, status }) => [name, status]), [['wrong', 'fail']])
})

test('a failure of a check that depends on time is settled, too, and doesn’t keep the others waiting', async () => {
  /** @type {string[]} */
  const begun = []
  const timed = { name: 'timed', timed: true, run: async (/** @type {any} */ { fail }) => fail('one was refused') }
  const next = { name: 'next', run: async () => { begun.push('next') } }
  const results = await run(await listServer(), [timed, next], {
    settle: async () => ({ isLate: true, message: 'one was refused' })
  })
  assert.deepEqual(results.map(({ name, status }) => [name, status]), [['timed', 'fail'], ['next', 'pass']])
})

test('another attempt has other numbers, and tells how long the slowest answer took', async () => {
  const server = { ...await listServer(), patience: 2 }
  /** @type {any[]} */
  const seen = []
  const check = {
    name: 'looks',
    run: async (/** @type {any} */ { get, within, random }) => {
      await get('/')
      seen.push([await within(100), random.next()])
    }
  }
  const given = { when: /** @type {const} */ ('before'), server, random: createRandom('s'), data: {} }
  const { message, isLate, tookMs } = await tryCheck(check, given)
  await tryCheck(check, { ...given, factor: 2 })
  await tryCheck(check, { ...given, waits: 0.5 })
  await server.close()
  assert.deepEqual([message, isLate, Number(tookMs) > 0], ['', false, true])
  // How long something may take by a lesson's text doesn't grow.
  assert.deepEqual(seen.map(([ms]) => ms), [200, 200, 100])
  assert.notEqual(seen[0][1], seen[1][1])
})

test('a check that waits for a server that never answers ends as soon as it is stopped', async () => {
  const over = new AbortController()
  const server = await httpServer(() => over.abort(new Error('stopped')))
  const silent = { ...server, origin: `http://127.0.0.1:${server.port}`, role: 'yours', hasExited: () => false }
  // Neither its requests nor its own waiting keep it.
  const waits = {
    name: 'waits',
    run: async (/** @type {any} */ { get }) => {
      await get('/').catch(() => {})
      await new Promise(() => {})
    }
  }
  await assert.rejects(run({ ...silent, patience: 1000 }, [waits], { signal: over.signal }), /^Error: stopped$/)
})
