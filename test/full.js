import path from 'node:path'
import { parseArgs } from 'node:util'
import { runCheck } from '../runner/check/index.js'
import { shuffled } from './drawn.js'
import { assertAccepted, assertRefused, readSubmissions } from './submissions/cases.js'
import { makeFolder } from './temporary.js'

/**
 * Every right submission, and every wrong one that only a gate refuses, checked in full as a learner's would be, one
 * after the other and alone: `node test/full.js [--minutes 15]`. Part of `npm run test:whole`. A right one that is
 * refused, or a slow one that passes, is a fault of the grader; an inconclusive one is counted. Ends with 4 when there
 * was no time for all.
 *
 * @import { Submission } from './submissions/cases.js'
 */

const { values } = parseArgs({ options: { minutes: { type: 'string', default: '1000' } } })
const endsAt = Date.now() + Number(values.minutes) * 60_000
const { dir, remove } = makeFolder('mif-full-')
const counts = { pass: 0, fail: 0, inconclusive: 0, error: 0 }
let wrong = 0
let left = 0
try {
  const submissions = (await readSubmissions(dir)).filter(({ expected }) => !expected || expected.refusedBy === 'gate')
  for (const submission of shuffled(submissions.filter(({ skip }) => skip === false))) {
    if (Date.now() > endsAt) left++
    else wrong += await grade(submission)
  }
} finally {
  remove()
}
const said = Object.entries(counts).map(([verdict, count]) => `${count} ${verdict}`).join(', ')
console.log(`\n${said}; ${wrong} of them wrong.${left > 0 ? ` There was no time for ${left} more, drawn.` : ''}`)
process.exitCode = wrong > 0 ? 1 : left > 0 ? 4 : 0

/** @param {Submission} submission @returns {Promise<number>} 1 when the grader is wrong */
async function grade ({ title, entry, folder, expected }) {
  const record = await runCheck({ entry, dir: folder })
  counts[record.verdict]++
  const about = `${record.verdict}, ${(record.durationMs / 1000).toFixed(1)} s, seed ${record.seed}`
  try {
    if (expected) assertRefused(record, expected)
    else assertAccepted(record)
    console.log(`✔ ${title}: ${about}`)
    return 0
  } catch (error) {
    console.log(
      `✖ ${title}: ${about}\n    ${error.message.split('\n').join('\n    ')}\n    in ${path.relative('.', folder)}`
    )
    return 1
  }
}
