import { WorkshopError } from '../errors.js'
import { isObject } from '../rules.js'
import { submissionProblem } from '../submitted-files.js'
import { readTree } from '../workspace/index.js'
import { askRoom } from './ask.js'
import { seatInRoom } from './join.js'

/**
 * A learner hands in their files, which the class runs and measures itself.
 *
 * @import { SubmittedFile } from '../submitted-files.js'
 *
 * @typedef {object} Submitted what the room says of it
 * @property {boolean} isNew
 * @property {string} state
 * @property {number | null} ahead
 * @property {number | null} expectedMs
 * @property {string | null} verdict
 * @property {number | null} ratio
 * @property {boolean} isVerified
 * @property {string | null} problem
 * @property {string | null} cheat
 */

const patienceMs = 20_000

/**
 * @param {string} dir of the learner's copy
 * @returns {Promise<SubmittedFile[]>}
 * @throws {WorkshopError} they can't be submitted
 */
export async function filesToSubmit (dir) {
  const tree = [...await readTree(dir)]
  const [odd] = tree.filter(([, { note }]) => note !== undefined)
  if (odd !== undefined) {
    throw new WorkshopError(`${odd[0]} ${odd[1].note}: move it out of the folder, since only text is submitted.`)
  }
  const files = tree.map(([path, { text = '' }]) => ({ path, text }))
  const problem = submissionProblem(files)
  if (problem !== null) throw new WorkshopError(`${problem} These are the files in ${dir}.`)
  return files
}

/**
 * @param {string} workspace
 * @param {{ lesson: string, files: readonly SubmittedFile[] }} body lesson: id
 * @returns {Promise<Submitted>}
 * @throws {WorkshopError} there is no seat, or the room doesn't answer or refuses
 */
export async function submitFiles (workspace, body) {
  const seat = await seatInRoom(workspace)
  const options = { body, signal: AbortSignal.timeout(patienceMs), read: submittedOf }
  return askRoom(seat, 'POST', 'api/seat/submissions', options).catch((error) => {
    throw error.status === 404
      ? new WorkshopError('This room is of an older workshop, which takes no submissions.')
      : error
  })
}

/** Pure. @param {any} json @returns {Submitted | null} null: no room answers like this */
function submittedOf (json) {
  if (!isObject(json) || !isObject(json.submission) || typeof json.submission.state !== 'string') return null
  const { state, ahead, expectedMs, verdict, ratio, isVerified, problem, cheat } = json.submission
  const number = (/** @type {any} */ value) => typeof value === 'number' ? value : null
  const text = (/** @type {any} */ value) => typeof value === 'string' ? value : null
  return {
    isNew: json.isNew === true,
    state,
    ahead: number(ahead),
    expectedMs: number(expectedMs),
    verdict: text(verdict),
    ratio: number(ratio),
    isVerified: isVerified === true,
    problem: text(problem),
    cheat: text(cheat)
  }
}

/** Pure. @param {Submitted} submitted @returns {string} what came of it */
export function submissionSentence ({ isNew, state, ahead, expectedMs, verdict, ratio, isVerified, problem, cheat }) {
  const before = isNew ? 'Submitted.' : 'You’ve submitted exactly this before.'
  if (state === 'waiting') {
    const minutes = expectedMs === null ? '' : `, about ${Math.ceil(expectedMs / 60_000)} min`
    return `${before} ${ahead === 0 ? 'It’s the next to be graded' : `${ahead} are graded before it`}${minutes}. ` +
      'Submit the same files again later to see the result.'
  }
  if (state === 'leased') return `${before} It’s being graded now.`
  if (state === 'stuck') return `${before} It couldn’t be graded: ${problem ?? ''} The instructor sees that, too.`
  if (cheat !== null) return `${before} The instructor has marked its result as a cheat: ${cheat}`
  const figure = ratio === null ? '' : `, ${ratio.toFixed(2)}×`
  return `${before} ${isVerified ? 'Verified' : 'Measured without a sandbox, so not verified'}: ${verdict}${figure}.`
}
