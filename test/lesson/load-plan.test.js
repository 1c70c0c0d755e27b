import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import path from 'node:path'
import test from 'node:test'
import { promisify } from 'node:util'
import { problemsOfPlan, secondsOf, tooLow } from '../../lessons/07-blind-benchmark/plan.js'
import { simulate } from '../../lessons/07-blind-benchmark/simulate.js'
import { createRandom } from '../../runner/shared/random.js'
import { workshopRoot } from '../../runner/shared/workshop.js'

/** Lesson 7: load plans, the simulated servers that they're tried on, and the loops on a real one. */

/** @type {any} */
const compare = { connections: 8, warmup: 10, duration: 1, rounds: 20, report: 'rate' }
/** @type {any} */
const tail = { rate: 100, warmup: 10, duration: 60, report: 'p99' }

test('whole plans have no problems', () => {
  assert.deepEqual(problemsOfPlan({ compare, tail }), [])
  assert.deepEqual(problemsOfPlan({ compare: { ...compare, rate: 400 }, tail: { ...tail, connections: 50 } }), [])
})

for (const [what, plan, problem] of /** @type {[string, any, RegExp][]} */ ([
  ['nothing', undefined, /must `export default` an object/],
  ['a list', [], /must `export default` an object/],
  ['one load', { compare }, /^`tail` is missing/],
  ['a third load', { compare, tail, other: tail }, /^There is no load `other`/],
  ['no report', { compare: { ...compare, report: undefined }, tail }, /^In `compare`: `report` is missing/],
  ['a field that is misspelt', { compare, tail: { ...tail, warmUp: 1 } }, /no field `warmUp`: did you mean `warmup`\?/],
  ['no connection', { compare: { ...compare, connections: 0 }, tail }, /whole number from 1 to 1000, got 0\./],
  ['an unknown report', { compare: { ...compare, report: 'toString' }, tail }, /`report` must be one of/],
  ['no loop', { compare, tail: { duration: 5, report: 'p99' } }, /Give `connections` .* or `rate`/],
  ['an hour', { compare: { ...compare, duration: 100, rounds: 36 }, tail }, /takes 3612 s .* 600 s is the most/],
  ['a crowd each round', { compare: { ...compare, connections: 999, rounds: 77 }, tail }, /takes 606 s .* wait/],
  ['not a number', { compare: { ...compare, duration: NaN }, tail }, /must be a number from 0\.1 to 600, got null/]
])) {
  test(`refuses ${what}`, () => assert.match(problemsOfPlan(plan).join('\n'), problem))
}

test('a load that limits itself is told so, if it compares rates', () => {
  const of = (/** @type {any} */ load) => tooLow({ compare: load, tail })
  assert.match(of({ rate: 100, duration: 1, report: 'rate' }), /sends 100 requests\/s, and even the slower .* 150/)
  assert.match(of({ rate: 299, duration: 1, report: 'rate' }), /sends 299 .* the faster .* 270\. .* 300 or more/)
  assert.equal(of({ rate: 300, duration: 1, report: 'rate' }), '')
  assert.equal(of({ rate: 100, duration: 1, report: 'p50' }), '')
  assert.equal(of(compare), '')
})

/** @param {any} load @param {Parameters<typeof simulate>[1]} [kinds] */
const simulated = (load, kinds = [{}, {}]) => simulate(load, kinds, createRandom('load plan'))

test('the same seed gives the same numbers', () => assert.deepEqual(simulated(compare), simulated(compare)))

test('the time that a load takes includes what it waits for', () => {
  for (const load of [compare, { ...compare, connections: 1000 }, { ...compare, rate: 600 }, { ...tail, rounds: 5 }]) {
    const { elapsedMs } = simulated(load, [{ slowness: 5 / 3 }, { slowness: 5 / 3 }])
    const [took, planned] = [elapsedMs / 2000, secondsOf(load)]
    assert.ok(Math.abs(planned / took - 1) < 0.15, `${took} s, planned as ${planned} s`)
  }
})

test('below its capacity, every server answers as many requests/s as it’s sent', () => {
  const { numbers, requests } = simulated({ ...tail, rate: 50, report: 'rate' }, [{}, { slowness: 5 / 3 }])
  assert.equal(requests, 2 * 50 * 60)
  for (const number of numbers) assert.ok(Math.abs(number - 50) < 1, `${number} requests/s`)
})

test('in a closed loop, connections are rate times latency', () => {
  const [{ numbers: [rate] }, { numbers: [meanMs] }] = ['rate', 'mean'].map((report) =>
    simulated({ connections: 16, warmup: 30, duration: 60, report }))
  assert.ok(Math.abs(rate * meanMs / 1000 - 16) < 0.5, `${rate} requests/s of ${meanMs} ms`)
})

test('a pause of a second shows in the tail of an open loop, and not in that of one connection', () => {
  const pauses = /** @type {Parameters<typeof simulate>[1]} */ ([{}, { pauses: true }])
  const { numbers: [none, some] } = simulated(tail, pauses)
  assert.ok(none < 100 && some > 500, `${none} and ${some} ms`)
  const { numbers: [, missed] } = simulated({ ...tail, rate: undefined, connections: 1 }, pauses)
  assert.ok(missed < 100, `${missed} ms`)
})

test('requests that wait for a connection are counted from the moment at which they were due', () => {
  const { numbers: [, some] } = simulated({ ...tail, connections: 1 }, [{}, { pauses: true }])
  assert.ok(some > 500, `${some} ms`)
})

test('npm run loops measures a server with both loops, and ends it', async () => {
  const script = path.join(workshopRoot, 'lessons', '07-blind-benchmark', 'loops.js')
  const env = { ...process.env, COLUMNS: '70', NO_COLOR: '1' }
  const { stdout } = await promisify(execFile)(process.execPath, [script, '0.5'], { env })
  const [, port] = /127\.0\.0\.1:(\d+)/.exec(stdout) ?? []
  const [, pid] = /kill -STOP (\d+)/.exec(stdout) ?? []
  assert.ok(pid ?? port, stdout)
  assert.match(stdout, /^ {2}\d+ requests, median [^]*^ {2}25 requests, median \d+ ms, p99 \d+ ms, longest \d+ ms$/m)
  await assert.rejects(promisify(execFile)(process.execPath, [script, 'x']), { code: 2, stderr: /how many seconds/ })
})
