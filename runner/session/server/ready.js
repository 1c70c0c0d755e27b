import { setTimeout as sleep } from 'node:timers/promises'
import { findOurs, listening, listensOn } from '../../system/index.js'
import { answers } from './port.js'

/** @import { Server } from './handle.js' */

/** What is wrong where the fault isn't the server's. */
export const taken = 'another program answers on the port that was meant for server.js'

/** A server that listens only on another port after so long will hardly listen on the right one. */
const elsewhereMs = 5000

/**
 * Waits until a server answers on its port.
 *
 * @param {Server} server
 * @param {{ readyTimeoutMs: number, called?: string, signal?: AbortSignal }} options called: what sentences call it
 * @returns {Promise<string | null>} null when it is ready, else what is wrong
 */
export async function waitUntilReady (server, { readyTimeoutMs, called = 'server.js', signal }) {
  const deadline = performance.now() + readyTimeoutMs
  let elsewhere = performance.now() + elsewhereMs
  while (performance.now() < deadline) {
    if (signal?.aborted) {
      await server.stop()
      signal.throwIfAborted()
    }
    if (server.hasExited()) return `${called} ${server.howItEnded()} before it listened on process.env.PORT`
    if (await answers('127.0.0.1', server.port)) return await whoseIsIt(server, called)
    if (performance.now() > elsewhere) {
      if (portsOf(server)?.some(({ port }) => port !== server.port)) break
      elsewhere += elsewhereMs
    }
    await sleep(10)
  }
  return await whyNotReady(server, called, readyTimeoutMs)
}

/**
 * A port that answers proves something only if the server itself, or a child of it, listens there.
 *
 * @param {Server} server
 * @param {string} called
 */
async function whoseIsIt (server, called) {
  // Right after listen() the system's table may lag behind, and a server may be ending: ask more than once.
  for (let tries = 0; tries < 3; tries++) {
    if (server.hasExited()) {
      return `${called} ${server.howItEnded()}, and something else answers on its port: ` +
        'it has to keep running and to answer by itself'
    }
    if (listensOn(pidsOf(server), server.port) !== false) return null
    await sleep(30)
  }
  return taken
}

/** @param {Server} server @param {string} called @param {number} waitedMs */
async function whyNotReady (server, called, waitedMs) {
  const waited = `within ${Math.round(waitedMs / 1000)} s`
  const own = portsOf(server)
  const right = own?.find(({ port }) => port === server.port)
  if (right || await answers('::1', server.port)) {
    return `${called} listens on ${right?.host ?? '::1'} only and does not answer on 127.0.0.1: ` +
      'give listen() process.env.HOST as the host'
  }
  const other = own?.[0]?.port ?? await usualPort()
  if (other) return `${called} listens on port ${other}, not on process.env.PORT: give listen() process.env.PORT`
  return `${called} did not listen on process.env.PORT ${waited}: does it call listen(process.env.PORT), and does it ` +
    'get there?'
}

/** @param {Server} server */
function portsOf (server) {
  return listening(pidsOf(server))
}

/** Also those that are no longer below it. @param {Server} server */
function pidsOf ({ proof }) {
  return findOurs(proof).map(({ pid }) => pid)
}

/** Where the system doesn't say which process listens where, the ports of tutorials are worth a try. */
async function usualPort () {
  if (process.platform === 'linux') return undefined
  for (const port of [3000, 8080, 8000, 5000]) if (await answers('127.0.0.1', port)) return port
}
