import { AssertionError } from 'node:assert/strict'
import { runCheck } from '../../runner/check/index.js'
import { repeated } from '../until.js'
import { assertAccepted, assertRefused } from './cases.js'

/**
 * @import { ResultRecord } from '../../runner/judge/index.js'
 * @import { Submission } from './cases.js'
 *
 * @typedef {{ speed?: boolean, budgetMs?: number, sampleInside?: boolean }} Way to check
 */

const answersAlone = { speed: false }

/**
 * How a submission is checked, from the quickest way to the longest: which of several faults is seen first hangs on the
 * machine's minute, so a check that shows another one is repeated.
 *
 * @param {Pick<Submission, 'expected'>} submission
 * @returns {Way[]}
 */
function waysOf ({ expected }) {
  if (expected === null || expected.refusedBy === 'gate') return [{}]
  if (!expected.underLoad) return [answersAlone, answersAlone, answersAlone]
  return [3000, 12_000, 25_000].map((budgetMs) => ({ budgetMs, sampleInside: false }))
}

/**
 * Is it refused for its reason, or accepted?
 *
 * @param {Submission} submission
 * @param {{ signal?: AbortSignal }} [options]
 * @returns {Promise<{ record: ResultRecord, fault: string | null }>} record: of the last check; fault: a sentence, when
 *   the verdict isn't the one that it should be
 * @throws the reason of the signal, or what `runCheck` throws
 */
export async function trySubmission (submission, { signal } = {}) {
  const { title, entry, folder, expected } = submission
  /** @type {ResultRecord | undefined} */
  let record
  const check = async (/** @type {Way & { seed: string }} */ way) => {
    record = (await runCheck({ entry, dir: folder, signal, ...way })).record
    return record
  }
  const seeded = waysOf(submission).map((way, at) => ({ ...way, seed: at === 0 ? title : `${title} ${at}` }))
  try {
    const shows = (/** @type {ResultRecord} */ one) => expected ? assertRefused(one, expected) : assertAccepted(one)
    const never = (/** @type {ResultRecord} */ { verdict, reason }) => {
      if (expected && verdict === 'pass') throw new AssertionError({ message: `it passes: ${reason}` })
    }
    return { record: await repeated(seeded, check, shows, never), fault: null }
  } catch (error) {
    if (!(error instanceof AssertionError) || record === undefined) throw error
    return { record, fault: error.message }
  }
}
