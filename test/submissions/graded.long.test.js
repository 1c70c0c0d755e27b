import assert from 'node:assert/strict'
import test, { after } from 'node:test'
import { runCheck } from '../../runner/check/index.js'
import { chosen, isWhole } from '../chosen.js'
import { repeated } from '../repeated.js'
import { makeFolder } from '../temporary.js'
import { assertAccepted, assertRefused, assertRight, isWrong, readSubmissions } from './cases.js'
import { trySubmission, waysOf } from './try-submission.js'

/**
 * Submissions are checked as a learner's are. `npm test` takes a few of each kind, and asserts no speed. With `--whole`
 * a right one that is refused, or a slow one that passes, is a fault of the grader, and an inconclusive one is counted.
 *
 * @import { ResultRecord } from '../../runner/judge/index.js'
 * @import { Submission, Wrong } from './cases.js'
 */

const { dir: scratch, remove } = makeFolder('mif-graded-')
after(remove)
const submissions = await readSubmissions(scratch)
const wrong = submissions.filter(isWrong)
const few = 3

for (const submission of some(wrong.filter(({ expected }) => !expected.underLoad))) {
  test(submission.title, { skip: submission.skip }, () => refused(submission))
}
for (const submission of some(wrong.filter(({ expected }) => expected.underLoad))) {
  test(submission.title, { skip: submission.skip }, () => refused(submission))
}

const verdicts = { pass: 0, fail: 0, inconclusive: 0, error: 0 }
// What only gates refuse answers rightly, like a right one.
for (const submission of some(submissions.filter((one) => !isWrong(one)))) {
  const { title, skip, entry, folder, expected } = submission
  test(title, { skip }, async (t) => {
    const record = await runCheck({ entry, dir: folder, seed: title, speed: isWhole })
    t.diagnostic(`${record.verdict}, ${(record.durationMs / 1000).toFixed(1)} s`)
    verdicts[record.verdict]++
    if (!isWhole) assertRight(record)
    else if (expected) assertRefused(record, expected)
    else assertAccepted(record)
  })
}
if (isWhole) after(() => console.log(`Of right answers: ${JSON.stringify(verdicts)}`))

/** @template {Submission} T @param {T[]} all */
function some (all) {
  return chosen(all, ({ title }) => title, few)
}

/** @param {Wrong} submission */
async function refused (submission) {
  if (isWhole) {
    assert.equal((await trySubmission(submission)).fault, null)
    return
  }
  const { title, entry, folder } = submission
  const seeded = waysOf(submission).map((way, at) => ({ ...way, seed: `${title} ${at}` }))
  await repeated(seeded, (way) => runCheck({ entry, dir: folder, ...way }), assertFailed, neverPasses)
}

/**
 * Of several checks that see a fault, chance decides which one does so first: the names are held against all that were
 * ever seen where all are tried.
 *
 * @param {ResultRecord} record
 */
function assertFailed (record) {
  assert.equal(record.verdict, 'fail', record.reason)
  const isOfAnswers = record.contract.some(({ status }) => status === 'fail') || record.load.problems.length > 0
  assert.ok(isOfAnswers, `refused, and not for its answers: ${record.reason}`)
}

/** @param {Pick<ResultRecord, 'verdict' | 'reason'>} record */
function neverPasses ({ verdict, reason }) {
  assert.notEqual(verdict, 'pass', reason)
}
