import { openFile } from '../../system/index.js'
import { once } from 'node:events'
import { startWeb } from '../../web/index.js'
import { portOf } from '../port.js'
import { say } from '../say.js'

/** @import { Given } from '../types.js' */

export const options = {
  port: { type: /** @type {const} */ ('string') },
  'no-open': { type: /** @type {const} */ ('boolean') }
}

export const maxPositionals = 0

export const stays = true

export const usage = 'npm start [-- --port N] [--no-open]'

export const help = `Open the whole workshop in my browser.
Lessons, checks, profiles and hints, on this machine alone, and without a network. Ctrl-C stops it.

  --port N    default: any free one
  --no-open   print the address, and open nothing`

/** @param {Given} given */
export async function run ({ values, stdout, env, signal }) {
  const { url, isNew, close } = await startWeb({ env, port: portOf(values.port), signal })
  try {
    say(stdout, isNew ? 'The workshop is open, here:' : 'The workshop is already open, here:')
    stdout.write(`\n  ${url}\n\n`)
    const isOpened = values['no-open'] || await openFile(url)
    if (!isOpened) say(stdout, 'No browser could be opened from here: open that address yourself.')
    if (!isNew) return 0
    say(stdout, 'Ctrl-C stops it.')
    if (!signal.aborted) await once(signal, 'abort')
  } finally {
    await close()
  }
  say(stdout, 'Stopped. Nothing is left running.')
  return 0
}
