import assert from 'node:assert/strict'
import test from 'node:test'
import {
  adviceFor, concludeRehearsal, judgeRehearsal, rehearsalTable, remainingMs, timeText
} from '../../../classroom/commands/rehearse.js'
import { failed, inconclusive, passed, stopped, tiered } from '../../report/records.js'

const lessons = [[passed()], [tiered()], [failed(), failed()], [inconclusive(), inconclusive()], [stopped()]]
  .map(judgeRehearsal)

test('the time that is left follows the checks that were made', () => {
  assert.equal(remainingMs([10_000, 20_000], 4), 60_000)
  assert.ok(remainingMs([], 16) > 120_000)
  assert.deepEqual([-1, 1, 31_000, 90_000, 250_000].map(timeText),
    ['about 5 s', 'about 5 s', 'about 35 s', 'about 2 min', 'about 4 min'])
})

test('each lesson without margin is named, with a way out; an error is worse than a doubt', () => {
  const advice = adviceFor(lessons)
  assert.deepEqual(advice.map(({ state }) => state), ['doubt', 'doubt', 'bad'])
  assert.match(advice[0].what, /^Lesson 3, In-memory JSON: its reference solution doesn’t pass here/)
  assert.match(advice[1].fix ?? '', /npm run class -- --rehearse 3 --seconds 60.+leave the lesson out/)
})

test('the end names lessons without margin, and apart from them those that couldn’t be checked', () => {
  const next = 'Next, try the room itself: npm run class'
  assert.deepEqual(concludeRehearsal(lessons, 'It can measure, but.'), [
    'It can measure, but.',
    'Couldn’t be checked on this machine, so don’t count on: lesson 3.',
    'Without enough margin on this machine: lessons 3, 3.',
    next
  ])
  assert.deepEqual(concludeRehearsal(lessons.slice(0, 2), ''),
    ['All 2 lessons have enough margin on this machine.', next])
})

test('the table fits, and keeps number, verdict, margin and time in the narrowest window', () => {
  for (const columns of [40, 60, 80, 120]) {
    const lines = rehearsalTable(lessons, { columns, colour: false }).split('\n')
    for (const line of lines) assert.ok(line.length <= columns, line)
    const [head, first] = lines
    assert.match(head, /^ *# .*verdict .*margin .*time$/)
    assert.match(first, /^ *3 .*✓ pass .*1\.53× .*9\.84 s$/)
  }
  assert.match(rehearsalTable(lessons, { columns: 120 }), /\n16 +Capstone +✓ pass +shop +5\.60× +≥ 2× +2\.80× +2\.49× /)
  assert.match(rehearsalTable(lessons, { columns: 80, unicode: false }), /^[\x20-\x7e\n]+$/)
})
