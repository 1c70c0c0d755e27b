import assert from 'node:assert/strict'
import test from 'node:test'
import { progressTable, summaryTable } from '../../runner/report/index.js'
import { textWidth } from '../../runner/report/theme.js'
import { assertPages } from './expected.js'
import { failed, hostile, hostileText, inconclusive, passed, stopped } from './records.js'

/** @import { ProgressRow } from '../../runner/report/lesson-tables.js' */

const look = { colour: false, unicode: true }
const records = [passed(), failed(), inconclusive(), stopped()].map((record, at) => ({
  ...record, lesson: { ...record.lesson, number: at + 8 }
}))

/** @type {ProgressRow[]} */
const rows = [
  // Local time, so that the test reads the same in every time zone.
  {
    number: 1,
    id: 'sync-login',
    title: 'Sync login',
    state: 'pass',
    ratio: 3.142,
    share: 0.734,
    tier: 'silver',
    attempts: 12,
    when: new Date(2026, 0, 31, 9, 5)
  },
  {
    number: 2,
    id: 'leaking-listeners',
    title: 'Leaking listeners',
    state: 'fail',
    ratio: 1.08,
    share: null,
    tier: null,
    attempts: 3,
    when: new Date(2026, 1, 1, 19, 45).toISOString()
  },
  { number: 3, id: 'in-memory-json', title: 'In-memory JSON', state: 'inconclusive', ratio: 4.09, when: null },
  { number: 12, id: 'overload', title: 'Overload', state: 'started', ratio: null, when: null },
  {
    number: 16,
    id: 'capstone',
    title: 'Capstone, a small shop with several flaws at once',
    state: 'not started',
    ratio: null,
    when: null
  }
]

test('sums up a check of all lessons', () => {
  assertPages('summary', Object.fromEntries([50, 80, 120].map((columns) =>
    [`${columns} columns`, summaryTable(records, { ...look, columns }).split('\n')])))
})

test('lists the lessons with what the learner has done', () => {
  assertPages('progress', Object.fromEntries([50, 80, 120].map((columns) =>
    [`${columns} columns`, progressTable(rows, { ...look, columns }).split('\n')])))
})

test('a table in colour or ASCII', () => {
  assertPages('tables-in-colour-and-ascii', {
    colour: summaryTable(records, { colour: true, unicode: true, columns: 80 }).split('\n'),
    ASCII: progressTable(rows, { colour: false, unicode: false, columns: 80 }).split('\n')
  })
})

test('tables of nothing are no error', () => {
  assert.equal(progressTable([], look), '#  lesson  id  state  ratio  share  checks  last check')
  assert.match(summaryTable([], look), /0 lessons: 0 passed; 0 s$/)
})

test('no row is longer than the window, nor hostile', () => {
  const hostileRows = rows.map((row) => ({ ...row, id: hostileText, title: hostileText, when: hostileText }))
  for (let columns = 44; columns < 140; columns += 5) {
    const text = [
      summaryTable([...records, hostile()], { ...look, columns }),
      progressTable(hostileRows, { ...look, columns })
    ].join('\n')
    assert.doesNotMatch(text, /[^\P{C}\n]/u)
    for (const line of text.split('\n')) assert.ok(textWidth(line) <= columns, line)
  }
})
