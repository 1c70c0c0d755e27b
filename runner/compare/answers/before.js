import { send } from '../../contract/index.js'
import { WorkshopError } from '../../errors.js'
import { createRandom } from '../../random.js'
import { fill } from '../load-file/fill.js'
import { drawRequests } from '../load-file/stream.js'
import { ask, timeoutMs } from './ask-both.js'

/**
 * @import { Kept, Load } from '../load-file/load.js'
 * @import { ConcreteRequest } from '../load-file/stream.js'
 */

/**
 * Prepares one server as the load file says: a login, data.
 *
 * @param {Load} load
 * @param {{ origin: string, who: string, seed: string }} server who: what it is called in a sentence; seed: the same
 *   for both servers
 * @returns {Promise<Kept>} values for later requests
 * @throws {WorkshopError} a request of it was refused, or a value that it keeps is missing
 */
export async function runBefore ({ before = [], inputs }, { origin, who, seed }) {
  if (typeof before === 'function') return await callBefore(before, { origin, who }) ?? {}
  /** @type {Kept} */
  const kept = {}
  const draws = drawRequests({ requests: before, inputs }, createRandom(`${seed}/before`), kept)
  for (const [i, request] of before.entries()) {
    // Each place is filled: the rules of the load file see to it.
    const asked = /** @type {ConcreteRequest} */ (draws.nth(i))
    const answer = await ask({ origin, kept }, asked)
    if (typeof answer !== 'string' && answer.status < 400) continue
    const wrong = typeof answer === 'string' ? answer : `answers with status ${answer.status}`
    throw new WorkshopError(`${who} can’t be prepared: \`before[${i}]\`, ${request.method ?? 'GET'} ${request.path}, ` +
      `${wrong}. Correct it in the load file.`)
  }
  return kept
}

/** @param {Extract<Load['before'], Function>} before @param {{ origin: string, who: string }} server */
async function callBefore (before, { origin, who }) {
  try {
    return await before({ origin, send: (request) => send(origin, fill(request, {}), { timeoutMs }) })
  } catch (error) {
    throw new WorkshopError(`${who} can’t be prepared: \`before\` of the load file failed: ${error.message}.`)
  }
}
