import { newEvidence } from '../../judge/index.js'
import { loadPlanChecks } from '../../lesson/index.js'
import { startSender, timeOfPlan } from '../../load/index.js'
import { withSession } from '../../process/index.js'
import { recordOf } from '../record-of.js'
import { timesFor } from '../rounds.js'
import { isUnchanged, namesOf } from '../unchanged.js'
import { compareAll } from './compare-all.js'
import { decideOnLoadPlan } from './decide-on-plan.js'
import { openPlan, seconds, tookTooLong, tooLong, tooLow } from './read-plan.js'

/**
 * @import { WorkshopError } from '../../errors.js'
 * @import { ContractResult, ResultRecord } from '../../judge/index.js'
 * @import { PlanTask } from '../../lesson/index.js'
 * @import { FullCheckOptions } from '../record-of.js'
 * @import { LoadPlanComparison } from './compare-all.js'
 */

/**
 * Grades a load plan: does it tell a slower server from a faster one, and find nothing between two identical ones? The
 * servers are restarted for each comparison.
 *
 * @param {FullCheckOptions} options
 * @returns {Promise<ResultRecord>}
 * @throws {WorkshopError} when there is nothing to grade, or nowhere to work
 */
export async function checkLoadPlan (options) {
  const { entry, dir, seed, budgetMs, speed, launch, onProgress, signal } = options
  const startedAt = new Date()
  // The servers of a plan wait rather than work: they need no longer where the machine is slow.
  const { wholeMs, extraMs } = timesFor(1)
  const softMs = budgetMs ?? wholeMs
  const hardMs = budgetMs ?? wholeMs + extraMs
  const task = /** @type {PlanTask} */ (entry.lesson.plan)
  const evidence = newEvidence()
  const tell = (/** @type {string} */ name, /** @type {string} */ message) => {
    /** @type {ContractResult} */
    const result = { name, when: 'before', status: message === '' ? 'pass' : 'fail', message }
    evidence.contract.push(result)
    onProgress({ type: 'check', result, done: evidence.contract.length, total: Object.keys(loadPlanChecks).length })
    return message === ''
  }
  onProgress({ type: 'phase', phase: 'start', text: 'Reading the load plan' })
  return withSession(entry, { seed, signal }, async (session) => {
    onProgress({ type: 'phase', phase: 'contract', text: 'Looking at the load plan' })
    const { folder, plan, problems } = await openPlan(entry, session, dir, launch)
    evidence.unchanged = isUnchanged(entry, folder.dir)
    /** @type {LoadPlanComparison | null} */
    let compared = null
    const isPlan = tell(loadPlanChecks.isPlan, problems.join('\n'))
    const late = isPlan ? tooLong(plan, task.budgetMs) : ''
    if (late !== '') tell(loadPlanChecks.fits, late)
    else if (isPlan && tell(loadPlanChecks.shows, tooLow(plan, task))) {
      onProgress({ type: 'phase', phase: 'rounds', text: 'Comparing servers with your load plan, two pairs at a time' })
      const sender = await startSender(session)
      compared = await compareAll({
        entry,
        task,
        plan,
        session,
        sender,
        startedAt,
        softMs,
        hardMs,
        // What everyone starts from needs no proof.
        speed: speed === true && !evidence.unchanged,
        onProgress
      })
      evidence.gates = compared.gates
      evidence.baselineFailures.push(...compared.faults)
      tell(loadPlanChecks.fits, tookTooLong(plan, compared, task.budgetMs))
      tell(loadPlanChecks.right, wrongAnswers(compared))
    }
    await session.stopAll()
    evidence.unmeasured = speed !== true
    const decision = decideOnLoadPlan(evidence, {
      asked: problems.length === 0 ? seconds(timeOfPlan(plan)) : '',
      names: namesOf(entry, dir)
    })
    const { rounds, load } = compared ?? {}
    const { seed } = session
    return recordOf({ entry, submission: folder.shownDir, decision, evidence, rounds, load, seed, startedAt })
  })
}

/** @param {LoadPlanComparison} compared @returns {string} empty: there were none */
function wrongAnswers ({ load: { errors, requests, problems: [first] } }) {
  if (first === undefined) return ''
  return `${errors} of ${requests} requests got a wrong answer or none, and your load plan measured them: ${first}`
}
