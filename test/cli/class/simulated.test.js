import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import test from 'node:test'
import { hurriedClock } from '../../../runner/cli/class/simulated/clock.js'
import { dayOf, inventDay } from '../../../runner/cli/class/simulated/day.js'
import { inventRecord } from '../../../runner/cli/class/simulated/invent-record.js'
import { kindOf } from '../../../runner/judge/index.js'
import { runtimeFolder } from '../../../runner/process/turn.js'
import { createRandom } from '../../../runner/random.js'
import { factsOf } from '../../../runner/room/attempts.js'
import { readReport } from '../../../runner/room/inbox.js'
import { envFor, makeRepository, wholeLesson } from '../../lesson/fixture.js'
import { askRoom } from '../../room/open.js'
import { until } from '../../until.js'
import { runCommand } from '../run.js'

/** @import { Gate } from '../../../runner/judge/index.js' */

const { title, contract, ...whole } = wholeLesson()
const gates = /** @type {Gate[]} */ (whole.gates)
const lesson = { id: 'in-memory-json', number: 3, title, checks: contract.map(({ name }) => name), gates }
const lessons = Array.from({ length: 16 }, (_, at) =>
  ({ id: `lesson-${at}`, checks: lesson.checks, gates: gates.map(({ name }) => name) }))
const day = (seed = 'a') => inventDay({ seed, learners: 60, lessons })

test('the same seed is the same day', () => {
  assert.deepEqual(day(), day())
  assert.notDeepEqual(day(), day('b'))
})

test('no learner is taken for a person, and no two share a name', () => {
  const names = day().flatMap(({ name, nickname }) => nickname === null ? [name] : [name, nickname])
  for (const name of names) assert.match(name, /^(Simulated|Pretend) \w+( \d+)?$/)
  assert.equal(new Set(names).size, names.length)
})

test('they come, fail first, pass, and some stumble over the same thing again and again', () => {
  const learners = day()
  const outcomes = learners.flatMap(({ checks }) => checks.map(({ outcome }) => outcome.type))
  for (const type of ['pass', 'wrong', 'slow', 'close']) assert.ok(outcomes.some((one) => one === type), type)
  const isStuck = learners.some(({ checks }) => checks.some((_, at) => at >= 2 &&
    checks[at].outcome.type !== 'pass' && checks.slice(at - 2, at).every(({ lesson: id, outcome }) =>
    id === checks[at].lesson && JSON.stringify(outcome) === JSON.stringify(checks[at].outcome))))
  assert.ok(isStuck)
  for (const { joinsAtMs, checks } of learners) {
    const times = [joinsAtMs, ...checks.map(({ atMs }) => atMs)]
    assert.deepEqual(times, [...times].sort((a, b) => a - b))
    assert.ok(times[times.length - 1] < dayOf(lessons.length))
  }
})

test('their records are taken by the room, and say what was meant', () => {
  const record = (/** @type {any} */ outcome, /** @type {string} */ seed) => inventRecord({
    lesson,
    outcome,
    machine: day()[0].machine,
    startedAt: '2026-11-22T10:00:00.000Z',
    durationMs: 9000,
    random: createRandom(seed)
  })
  const read = (/** @type {any} */ outcome, seed = 'a') => {
    const body = { id: 'simulated-1', sentAt: '2026-11-22T10:00:09.000Z', record: record(outcome, seed) }
    assert.notEqual(typeof readReport(body, [lesson.id]), 'string')
    return factsOf(body.record)
  }
  for (let seed = 0; seed < 20; seed++) assert.equal(read({ type: 'pass', reach: 1.6 }, String(seed)).verdict, 'pass')
  assert.equal(read({ type: 'wrong', check: 'is polite' }).reason, 'wrong answer: “is polite”')
  for (const { name, kind } of gates) {
    assert.equal(read({ type: 'slow', gate: name }).reason, `${kindOf(kind).missed}: ${name}`)
  }
  assert.deepEqual(record({ type: 'close' }, 'a'), record({ type: 'close' }, 'a'))
})

test('the clock hurries through a day, and is never ahead of ours', () => {
  let real = 1_000_000_000
  const now = hurriedClock({ begunAt: real, dayMs: 300_000, speed: 300 }, () => real)
  assert.equal(now(), real - 300_000)
  real += 500
  assert.equal(now(), real - 500 - 150_000)
  for (real += 600; real < 1_000_600_000; real += 100_000) assert.equal(now(), real)
})

test('class with invented learners fills a separate room, and leaves nothing', async (t) => {
  const root = await makeRepository(t)
  const temporary = path.join(root, 'tmp')
  fs.mkdirSync(temporary)
  /** @type {Promise<any> | null} */
  let asked = null
  const { code, stdout, stderr } = await runCommand(['class', '--learners', '4', '--no-open'], {
    env: { ...envFor(root), TMPDIR: temporary, TEMP: temporary, TMP: temporary },
    onOutput: (said, signal) => {
      if (asked !== null || !/Ctrl-C/.test(said)) return
      const [, url, secret] = /(http:\S+)\/class#(\S+)/.exec(said) ?? []
      asked = reported(url, secret).finally(() => signal('SIGINT'))
      asked.catch(() => {})
    }
  })
  assert.deepEqual([code, stderr], [130, ''])
  assert.match(stdout, /^A room to try out is open\. 4 invented learners come; .+ None of them is real\.\n/)
  assert.match(stdout, /\nClosed\. None of it is kept\.\n$/)
  /** @type {any} */
  const seen = await asked
  assert.equal(seen.isSimulated, true)
  for (const { name } of seen.seats) assert.match(name, /^Simulated /)
  // The folder in which turns are held stays, and is empty.
  const left = fs.readdirSync(temporary, { recursive: true, encoding: 'utf8' })
  assert.deepEqual(left.filter((name) => name !== path.basename(runtimeFolder(temporary))), [])
  assert.ok(!fs.existsSync(path.join(root, 'workspace', 'class')))
})

/** Waits until a learner has reported a check. @param {string} url @param {string} secret */
async function reported (url, secret) {
  /** @type {any} */
  let seen
  await until(async () => {
    seen = (await askRoom(url, 'GET', '/api/class', undefined, secret)).json
    return seen.seats.some((/** @type {any} */ seat) => Object.keys(seat.lessons).length > 0)
  })
  return seen
}
