import assert from 'node:assert/strict'
import test from 'node:test'
import { dayOf, inventDay } from '../../bench/class-day/invent-day.js'
import { inventRecord } from '../../bench/class-day/invent-record.js'
import { hurriedClock, play } from '../../bench/class-day/play.js'
import { kindOf } from '../../runner/judge/index.js'
import { createRandom } from '../../runner/shared/random.js'
import { factsOf } from '../../classroom/room/attempts.js'
import { readReport } from '../../classroom/room/inbox.js'
import { wholeLesson } from '../lesson/fixture.js'
import { openTestRoom } from '../room/open.js'

/** @import { Gate } from '../../runner/judge/index.js' */

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

test('they join a room, and report their checks there', async (t) => {
  const day = { begunAt: Date.now(), dayMs: dayOf(1), speed: 5000 }
  const { url, code, secret, env, ask } = await openTestRoom(t, { admissionLimits: null, now: hurriedClock(day) })
  await play({ room: { url, code }, day, seed: 'a', learners: 4, env })
  const { seats } = (await ask('GET', '/api/class', undefined, secret)).json
  assert.equal(seats.length, 4)
  for (const { name } of seats) assert.match(name, /^Simulated /)
  assert.ok(seats.some((/** @type {any} */ seat) => Object.keys(seat.lessons).length > 0))
})
