import { ContractError, send } from '../../contract/index.js'
import { WorkshopError } from '../../errors.js'
import { createRandom } from '../../random.js'
import { isSafe } from '../load-file/load.js'
import { drawRequests } from '../load-file/stream.js'
import { compareAnswers } from './compare-answers.js'
import { keepFrom } from './keep.js'
import { differs, onlyErrors, varies } from './sentences.js'

/**
 * @import { Answer } from '../../contract/index.js'
 * @import { Kept, Load } from '../load-file/load.js'
 * @import { ConcreteRequest } from '../load-file/stream.js'
 *
 * @typedef {object} AnswersCompared
 * @property {number} asked requests to each server
 * @property {string[]} problem what differs: a sentence, and a curl line for each server; empty: nothing does
 *
 * @typedef {{ origin: string, kept: Kept }} Side
 */

const timeoutMs = 30_000
/** Each request of the load this often at least, and so many in all. */
const [eachAtLeast, leastInAll, mostInAll] = [2, 60, 400]

/**
 * Sends the same requests to both servers, one after the other, and compares their answers.
 *
 * @param {object} options
 * @param {Load} options.load
 * @param {readonly string[]} options.ignore
 * @param {string} options.seed
 * @param {[Side, Side]} options.sides the original first; their `kept` grow
 * @param {'before' | 'after'} options.when of the load: after it, servers whose data it has changed aren't compared
 * @returns {Promise<AnswersCompared>}
 */
export async function askBothServers ({ load, ignore, seed, sides, when }) {
  /** @type {AnswersCompared} */
  const compared = { asked: 0, problem: [] }
  const refused = []
  const [a, b] = sides.map(({ kept }) => drawRequests(load, createRandom(`${seed}/answers/${when}`), kept))
  if (when === 'after' && changesData(load)) return compared
  for (const [turn, index] of turns(load.requests.length).entries()) {
    const [one, other] = [a, b].map((draws) => index === null ? draws.next() : draws.nth(index))
    if (one === null || other === null) continue
    compared.asked++
    const twice = turn < load.requests.length
    const { problem, status } = await compareOne([one, other], { sides, ignore, twice })
    if (problem.length > 0) return { ...compared, problem }
    if (status >= 400) refused.push({ request: one, status })
  }
  const isUseless = compared.asked > 0 && refused.length === compared.asked
  return { ...compared, problem: isUseless ? onlyErrors(refused[0]) : [] }
}

/** @param {Load} load whose answers depend on what was sent before, and so on how fast a server is */
export function changesData (load) {
  return !load.requests.every(isSafe)
}

/**
 * Each request by itself, one after the other, then by the weights.
 *
 * @param {number} requests
 * @returns {(number | null)[]} null: by the weights
 */
function turns (requests) {
  const each = Array.from({ length: eachAtLeast }, () => [...Array(requests).keys()]).flat().slice(0, mostInAll)
  return [...each, ...Array(Math.max(0, leastInAll - each.length)).fill(null)]
}

/**
 * @param {Side} side
 * @param {ConcreteRequest} request
 * @returns {Promise<Answer | string>} a string: why there is no answer
 */
async function ask ({ origin, kept }, request) {
  try {
    const answer = await send(origin, request, { timeoutMs })
    if (answer.status < 400) Object.assign(kept, keepFrom(answer, request.request.keep ?? {}))
    return answer
  } catch (error) {
    if (error instanceof ContractError || error instanceof WorkshopError) return error.message
    throw error
  }
}

/**
 * @param {ConcreteRequest[]} requests the same for both, but for what each has kept
 * @param {{ sides: readonly Side[], ignore: readonly string[], twice: boolean }} given twice: what each answers
 *   differently each time is no difference between the two
 * @returns {Promise<{ problem: string[], status: number }>} status: the original's
 */
async function compareOne ([one, other], { sides, ignore, twice }) {
  const askOnce = () => Promise.all([ask(sides[0], one), ask(sides[1], other)])
  const compare = (/** @type {Answer | string} */ a, /** @type {Answer | string} */ b) =>
    typeof a === 'string' || typeof b === 'string' ? null : compareAnswers(a, b, { ignore, asked: one.path })
  const [first, second] = await askOnce()
  const problem = (/** @type {string[]} */ ...lines) => ({ problem: lines, status: 0 })
  if (typeof first === 'string') return problem(`BEFORE gave no answer that can be compared: ${first}.`)
  if (typeof second === 'string') return problem(`AFTER gave no answer that can be compared: ${second}.`)
  const difference = compare(first, second)
  if (one.safe && (twice || difference !== null)) {
    const [again] = await askOnce()
    const own = compare(first, again)
    if (own !== null) return problem(...varies(one, own))
  }
  return difference === null ? { problem: [], status: first.status } : problem(...differs(one, difference))
}
