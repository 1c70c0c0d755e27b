import { ContractError } from '../../runner/contract/index.js'
import { inBatches } from './batches.js'

/** @import { Answer, Check, Given, Request } from '../../runner/contract/index.js' */

const atOnce = 12
/** All of them together take no longer than a single answer may. */
const soonMs = 5000
/**
 * A body that nobody needs and that has to be read all the same, and a cut before the answer, or within it; each for so
 * many pages that they need more connections, or places in a queue, than a server has.
 */
const faults = [
  { count: 72, status: 404 }, { count: 72, status: 503 }, { count: 48, reset: true },
  { count: 48, reset: true, trickleMs: 10 }
]

/**
 * The run of a check that lets very many pages fail, some of them at the same moment: what a failure leaves behind adds
 * up, and when the services have recovered, the next page is right.
 *
 * @param {object} options
 * @param {string} options.path the beginning of the paths that fail
 * @param {(given: Given) => Request} options.draw a page
 * @param {(answer: Answer, fault: { status?: number }) => unknown} options.expectFailure throws unless it's right
 * @param {(given: Given) => Promise<unknown>} options.expectPage throws unless the services have recovered
 * @returns {Check['run']}
 */
export function outlastsFailures ({ path, draw, expectFailure, expectPage }) {
  return async (given) => {
    const { send, upstream, within, late } = given
    const deadline = performance.now() + await within(soonMs)
    for (const { count, ...how } of faults) {
      const fault = { path, ...how }
      await upstream.reset([fault])
      const fails = async (/** @type {Request['agent']} */ agent) =>
        expectFailure(await send({ ...draw(given), agent }), fault)
      await inBatches({ count, atOnce }, (_, agent) => fails(agent))
        .catch(saying(`, while this went wrong again and again: ${JSON.stringify(fault)}`))
      if (performance.now() > deadline) late('after many failures of a service, even a failure takes long')
    }
    await upstream.reset()
    await expectPage(given).catch(saying(', when the services had recovered from many failures'))
  }
}

/** @param {string} when @returns {(error: unknown) => never} */
function saying (when) {
  return (error) => {
    if (error instanceof ContractError) error.message += when
    throw error
  }
}
