import { setTimeout as sleep } from 'node:timers/promises'
import { WorkshopError } from '../../shared/errors.js'
import { underLoad } from '../under-load.js'

/**
 * @import { ToolGiven, ToolResult } from '../profile-files.js'
 * @import { UnderLoad } from '../under-load.js'
 */

const warmUpMs = 700
const sliceMs = 1000
const pauseMs = 500

/**
 * Keeps a server under load, with its inspector open, until Ctrl-C.
 *
 * @param {ToolGiven} given
 * @returns {Promise<ToolResult>}
 */
export async function run ({ target, title, say }) {
  const { signal } = target
  // Chrome asks the port what can be debugged there.
  return underLoad({ ...target, start: { inspect: 'discoverable' }, recorded: false }, async ({ server, load }) => {
    const address = server.inspector()
    if (address === null) {
      throw new WorkshopError(
        'The server did not open its inspector: does it drop node’s flags, or write so much that the address got lost?'
      )
    }
    await load(warmUpMs)
    for (const line of inspectSteps({ address, title })) say(line)
    const seen = await loadUntilAborted({ server, load, signal, say })
    say(
      `The server was under load for ${Math.round(seen.seconds)} s, gave ${seen.answers} answers, and ends now. What ` +
        'DevTools recorded stays in its window.'
    )
    return { sections: [], report: null, kept: [] }
  })
}

/**
 * @param {Pick<UnderLoad, 'server' | 'load'> & { signal: AbortSignal, say: (text: string) => void }} given
 * @returns {Promise<{ seconds: number, answers: number }>}
 * @throws {WorkshopError} the server ends
 */
async function loadUntilAborted ({ server, load, signal, say }) {
  const seen = { seconds: 0, answers: 0 }
  let silent = false
  while (!signal.aborted) {
    try {
      const { seconds, answers } = await load(sliceMs)
      seen.seconds += seconds
      seen.answers += answers
      if (silent) say('The server answers again.')
      silent = false
    } catch (error) {
      if (signal.aborted) break
      if (server.hasExited() || !(error instanceof WorkshopError)) throw error
      // A breakpoint or a heap snapshot pauses the server for a while.
      if (!silent) {
        say('The server gives no answers at the moment: DevTools holds it (a breakpoint, a snapshot), or it is stuck.')
      }
      silent = true
      await sleep(pauseMs, undefined, { signal }).catch(() => {})
    }
  }
  return seen
}

/**
 * The way into Chrome DevTools, as lines for the terminal. Pure.
 *
 * @param {{ address: string, title: string }} given address: `ws://127.0.0.1:9229/…`
 * @returns {string[]}
 */
export function inspectSteps ({ address, title }) {
  const { host } = new URL(address)
  return [
    `${title} is under load; its inspector listens on ${host}, on this machine only.`,
    '',
    '  1. Open Chrome or Edge, go to chrome://inspect and press Configure…',
    `  2. Add ${host} and press Done. Under Remote Target, server.js appears: press inspect.`,
    `     Or give the browser this address: devtools://devtools/bundled/js_app.html?ws=${address.replace('ws://', '')}`,
    '  3. Performance panel: record for about five seconds, then stop. Look at Bottom-up, sorted by self time.',
    '     Which of your functions is next to the largest line? How long is the longest task in Main?',
    '  4. Memory panel: take a heap snapshot, wait ten seconds, take another, choose Comparison.',
    '     Which constructor has many more objects than before (# Delta), and who holds them (Retainers)?',
    '  5. Memory panel, Allocation sampling: record for a while under load.',
    '     Which function allocates most for one request, and is it needed afterwards?',
    '',
    'The load goes on until Ctrl-C. Take no figures from this: an open inspector makes a server slower.'
  ]
}
