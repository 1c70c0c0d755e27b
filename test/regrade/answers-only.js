import { prepareWorker } from '../../classroom/commands/grading.js'
import { regrade } from '../../classroom/regrade/index.js'

/**
 * A worker with everything but speed: neither the machine nor any lesson's rounds are measured, and a pass says that
 * every answer was right. No load decides on its outcome.
 *
 * @type {typeof prepareWorker}
 */
export function prepareAnswersOnly (given) {
  return prepareWorker({
    ...given,
    examine: async () => [],
    measure: async (submission) => {
      const { record, ...rest } = await regrade({ ...submission, speed: false })
      return { ...rest, record: record.verdict === 'fail' ? record : { ...record, verdict: 'pass' } }
    }
  })
}
