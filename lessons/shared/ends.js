import { setTimeout as sleep } from 'node:timers/promises'
import { onKeptConnections } from './batches.js'

/** @import { Another, Given, Request } from '../../runner/contract/index.js' */

// A process that waits for a busy core ends later than it should, so a server that leaves something behind gets more
// time at each try, ms.
const graces = [400, 1000, 3000]
/** So long after SIGTERM comes what the server still waits for: no slow timer may save its line from being killed. */
const lateMs = 170

/**
 * Ends a server with SIGTERM, right after it has lost a process, where it has any, and as it is: nothing may be left.
 *
 * @param {Pick<Given, 'another' | 'late'>} given
 * @param {(server: Another) => Promise<unknown>} use asks a fresh one until all that it has started is at work
 * @param {Another} [first] one that is at work already
 */
export async function expectEnd (given, use, first) {
  for (const isHurt of [true, false]) await expectOneEnd(given, use, { isHurt, first: isHurt ? first : undefined })
}

/**
 * @param {Pick<Given, 'another' | 'late'>} given
 * @param {(server: Another) => Promise<unknown>} use
 * @param {{ isHurt: boolean, first?: Another }} how isHurt: one of its processes has died only now
 */
async function expectOneEnd ({ another, late }, use, { isHurt, first }) {
  let problem = ''
  for (const [i, graceMs] of graces.entries()) {
    const server = i === 0 && first ? first : await another()
    if (!server.canAsk) return
    if (server !== first) await use(server)
    const [child] = await server.children() ?? []
    if (isHurt && child === undefined) return
    if (isHurt) server.end(child)
    problem = problemOf(await server.stop({ graceMs }))
    if (problem === '') return
  }
  late(problem)
}

/** @param {{ forced: boolean, orphans: number }} end */
function problemOf ({ forced, orphans }) {
  if (forced) return 'it got SIGTERM while no request was pending, and didn’t stop'
  return orphans > 0 ? `it was stopped with SIGTERM, and left ${orphans} of its processes behind` : ''
}

/**
 * Ends a server with SIGTERM while a request is in flight, on a connection that its client keeps.
 *
 * @param {Another} server
 * @param {Request} request whose body ends only after the signal
 * @param {() => Promise<unknown>} before what's done when the first half of the body has been sent
 * @returns {Promise<{ forced: boolean, isAnswered: boolean }>} it may be cut off
 */
export async function endDuring (server, request, before) {
  return onKeptConnections(async (agent) => {
    const stopping = Promise.resolve().then(async () => {
      await before()
      const end = server.stop()
      await sleep(await server.within(lateMs))
      return { end }
    })
    const sent = server.send({ ...request, agent, chunked: true, between: () => stopping })
    const isAnswered = await sent.then(() => true, () => false)
    const { forced } = await (await stopping).end
    return { forced, isAnswered }
  })
}
