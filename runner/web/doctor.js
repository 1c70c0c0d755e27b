import os from 'node:os'
import { concludeFitness, examineAtRest, examineUnderLoad } from '../check/index.js'
import { coreSpeed, cpuLimit, inTurn, judgedOn, paceOf } from '../process/index.js'
import { errorMessage } from './error-message.js'

/**
 * Is this machine fit to measure? A button starts the test; its result is kept until the workshop stops.
 *
 * @import { Finding } from '../check/index.js'
 *
 * @typedef {object} Fitness
 * @property {boolean} isBusy it is being measured
 * @property {Finding[]} findings
 * @property {number} cores that may be used
 * @property {number} pace how many times as long it takes as the machines on which targets were set
 * @property {string} message the result, or what is running now; empty before the first test
 *
 * @typedef {object} Doctor
 * @property {() => Fitness} read
 * @property {() => void} ask does nothing while a test is running
 * @property {() => Promise<void>} close stops it, and waits for its end
 *
 * What examines.
 * @typedef {{ atRest: typeof examineAtRest, underLoad: typeof examineUnderLoad }} Examiner
 */

/** @type {Examiner} */
export const measuringExaminer = { atRest: examineAtRest, underLoad: examineUnderLoad }

/**
 * @param {object} given
 * @param {Examiner} given.examiner
 * @param {string} given.workspace the folder
 * @param {() => void} given.onChange
 * @returns {Doctor}
 */
export function createDoctor ({ examiner, workspace, onChange }) {
  const controller = new AbortController()
  const { signal } = controller
  /** @type {Fitness} */
  let fitness = {
    isBusy: false, findings: [], message: '', cores: judgedOn().cores, pace: paceOf(coreSpeed(), cpuLimit())
  }
  let ended = Promise.resolve()
  const show = (/** @type {Partial<Fitness>} */ now) => {
    fitness = { ...fitness, ...now }
    onChange()
  }
  const tell = (/** @type {string} */ message) => show({ message })

  const examine = async () => {
    show({ isBusy: true, findings: [], message: 'Watching what other programs do for a second …' })
    const first = await examiner.atRest({ folders: [os.tmpdir(), workspace], signal })
    show({ findings: first })
    const second = first.some(({ state }) => state === 'bad')
      ? []
      : await inTurn({ about: 'the doctor', where: 'in the browser', tell, signal }, () =>
        examiner.underLoad({ tell, signal }))
    const findings = [...first, ...second]
    show({ isBusy: false, findings, message: concludeFitness(findings) })
  }

  return {
    read: () => fitness,
    ask: () => {
      if (fitness.isBusy) return
      ended = examine().catch((error) => {
        if (!signal.aborted) show({ isBusy: false, message: errorMessage(error) })
      })
    },
    close: () => {
      controller.abort()
      return ended
    }
  }
}
