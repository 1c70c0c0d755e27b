import { once } from 'node:events'
import path from 'node:path'
import { lessonsRoot, workspaceRoot } from '../../lesson/index.js'
import { openFile } from '../../profiling/index.js'
import { openRoom, qrText } from '../../room/index.js'
import { shownPath } from '../../shown-path.js'
import { portOf } from '../port.js'
import { say } from '../say.js'

/** @import { Given } from '../main.js' */

const text = { type: /** @type {const} */ ('string') }

export const options = {
  port: text,
  host: { ...text, default: '127.0.0.1' },
  dir: text,
  'no-open': { type: /** @type {const} */ ('boolean') }
}

export const maxPositionals = 0

export const usage = 'npm run class [-- --host ADDRESS] [--port N] [--dir DIR] [--no-open]'

export const help = `For instructors: open a room in which learners report their checks.
It shows live who is where, and who is stuck. Ctrl-C closes it; the next start opens it as it was.

  --host ADDRESS   on which network: an address of this machine, or 0.0.0.0 for all it has.
                   Without it only this machine reaches the room.
  --port N         default: the one it had before, else a free one
  --dir DIR        where the room is kept; default workspace/class
  --no-open        print the addresses, and open nothing`

/** @param {Given} given */
export async function run ({ values, stdout, env, signal }) {
  const dir = values.dir ?? path.join(workspaceRoot(lessonsRoot(env), env), 'class')
  const { code, learners, instructor, close } =
    await openRoom({ env, dir, host: values.host, port: portOf(values.port), signal })
  try {
    say(stdout, `The room is open, and kept in ${shownPath(path.resolve(dir))}.`)
    const qr = await qrText(learners[0], stdout)
    stdout.write(`\nLearners:\n${lines(learners)}\n`)
    stdout.write(`Join code:\n${lines([code])}\n`)
    if (qr !== null) stdout.write(`${qr}\n\n`)
    say(stdout, 'They join with:')
    stdout.write(`${lines([`npm run join ${learners[0]} -- --name "Ada"`])}\n`)
    say(stdout, 'Yours alone, and not for the projector:')
    stdout.write(`${lines([instructor])}\n`)
    if (!values['no-open']) await openFile(instructor)
    if (isOnlyHere(learners[0])) say(stdout, 'Only this machine reaches it: --host 0.0.0.0 opens it to its network.')
    say(stdout, 'Ctrl-C closes it. The same command opens it again, as it was.')
    if (!signal.aborted) await once(signal, 'abort')
  } finally {
    await close()
  }
  say(stdout, 'Closed. Everything is kept.')
  return 0
}

/** Never wrapped: they are copied. @param {string[]} texts */
function lines (texts) {
  return texts.map((line) => `  ${line}\n`).join('')
}

/** @param {string} address */
function isOnlyHere (address) {
  return /^http:\/\/(127\.|localhost|\[::1\])/.test(address)
}
