import assert from 'node:assert/strict'
import test, { after } from 'node:test'
import { runCheck } from '../../runner/check/index.js'
import { drawn } from '../drawn.js'
import { ofThisPart } from '../part.js'
import { makeFolder } from '../temporary.js'
import { assertRefused, assertRight, readSubmissions } from './cases.js'

/**
 * Every wrong answer of the wrong submissions is seen, for the reason that it was written for, and none of the right
 * ones is refused for its answers. Speeds are not looked at: that is `npm run test:whole`.
 *
 * @import { Expected, Submission } from './cases.js'
 */

const { dir: scratch, remove } = makeFolder('mif-wrong-')
after(remove)
const submissions = await readSubmissions(scratch)
/**
 * Which fault of several is seen first hangs on the machine's minute: a check that did not show the expected one is
 * repeated.
 */
const budgetsMs = [3000, 12_000, 25_000]

for (const { title, skip, entry, folder, expected } of ofThisPart(
  submissions.filter(({ expected }) => isWrong(expected))
)) {
  test(title, { skip }, () => refusedInTime({ entry, folder, expected: /** @type {Expected} */ (expected) }))
}

// What only gates refuse answers rightly, like a right one.
const { some, note } = drawn(submissions.filter(({ expected }) => !isWrong(expected)), ({ entry }) => entry.folder, 2)
test(`no right answer is refused (${note})`, () => {})
for (const { title, skip, entry, folder } of ofThisPart(some)) {
  test(title, { skip }, async () => assertRight(await runCheck({ entry, dir: folder, speed: false })))
}

/** Are its answers wrong, or is it only slow? @param {Expected | null} expected */
function isWrong (expected) {
  return expected !== null && expected.refusedBy !== 'gate'
}

/** @param {{ entry: Submission['entry'], folder: string, expected: Expected }} submission */
async function refusedInTime ({ entry, folder, expected }) {
  if (!isOnlySeenAfterwards(expected, entry)) {
    const record = await runCheck({ entry, dir: folder, speed: false })
    try {
      return assertRefused(record, expected)
    } catch {}
  }
  for (const [index, budgetMs] of budgetsMs.entries()) {
    const record = await runCheck({ entry, dir: folder, budgetMs, look: false })
    assert.notEqual(record.verdict, 'pass', record.reason)
    try {
      return assertRefused(record, expected)
    } catch (error) {
      if (index === budgetsMs.length - 1) throw error
    }
  }
}

/**
 * A check without speeds does not come back after the load.
 *
 * @param {Expected} expected
 * @param {Submission['entry']} entry
 */
function isOnlySeenAfterwards ({ refusedBy, named }, { lesson }) {
  const isAfter = (/** @type {string} */ name) => {
    const when = lesson.contract.find((check) => check.name === name)?.when
    return when !== undefined && !when.includes('before') && !when.includes('during')
  }
  return refusedBy === 'contract' && named.every(isAfter)
}
