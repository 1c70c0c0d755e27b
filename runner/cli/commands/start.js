import { once } from 'node:events'
import { workspaceRoot } from '../../lesson/index.js'
import { openLink, portOf, say } from '../say.js'

/** @import { Flag, Given } from '../say.js' */

/** @type {Record<string, Flag>} */
export const options = {
  port: { type: 'string' },
  'no-open': { type: 'boolean' }
}

export const maxPositionals = 0

export const stays = true

export const usage = 'npm start [-- --port N] [--no-open]'

export const help = `Open the whole workshop in your browser.
Lessons, checks, profiles and hints, on this machine alone, and without a network. Ctrl-C stops it. If it's already
open, the same command lets in another browser.

  --port N    default: any free one
  --no-open   print a link, and open nothing`

/** @param {Given} given */
export async function run ({ values, stdout, env, signal }) {
  const { startWeb } = await import('../../web/index.js')
  const { newLink, isNew, close } = await startWeb({ env, port: portOf(values.port), signal })
  try {
    say(stdout, isNew ? 'The workshop is open, here:' : 'The workshop is already open, here:')
    stdout.write(`\n  ${newLink()}\n\n`)
    const isOpened = values['no-open'] || await openLink(newLink(), workspaceRoot(env))
    if (!isOpened) say(stdout, 'No browser could be opened from here: open that link yourself.')
    say(stdout, 'It works once, and the browser that opens it is remembered.')
    if (!isNew) return 0
    say(stdout, 'Ctrl-C stops it.')
    if (!signal.aborted) await once(signal, 'abort')
  } finally {
    await close()
  }
  say(stdout, 'Stopped. Nothing is left running.')
  return 0
}
