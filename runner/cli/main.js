import path from 'node:path'
import { cleanLines } from '../clean.js'
import { WorkshopError } from '../errors.js'
import { explain } from './error-messages.js'
import { parseCommandLine } from './parse.js'
import { listenForStop } from './stop.js'

/** @import { Host } from './stop.js' */

/**
 * Runs one command. What few commands need is imported only for them: each file costs half a millisecond.
 *
 * @param {object} [options]
 * @param {string[]} [options.argv]
 * @param {URL} [options.commandsDir]
 * @param {number} [options.graceMs] how long a command may clean up after Ctrl-C, ms
 * @param {Host & Pick<NodeJS.Process, 'stdout' | 'stderr' | 'env'>} [options.host] whose signals and outputs these are
 * @returns {Promise<number>} the exit code, which the process of the host has then, too: the command's own, 3 when the
 *   command was used wrongly or the workshop is at fault, 130 after Ctrl-C, 143 after SIGTERM
 */
export async function main ({
  argv = process.argv.slice(2),
  commandsDir = new URL('./commands/', import.meta.url),
  graceMs = 5000,
  host = process
} = {}) {
  const { stdout, stderr, env } = host
  /** @param {Error} error */
  // It may contain a room's or a server's words.
  const tell = (error) => { stderr.write(`${cleanLines(explain(error, env)).join('\n')}\n`) }
  const stop = listenForStop({ graceMs, tell, host })
  watchOutput(stdout, stop.fault)
  watchOutput(stderr, () => {})

  let exitCode
  try {
    const { command, values: { lessons, trust: isTrusted = false, ...values }, positionals } =
      await parseCommandLine(argv, { commandsDir, env, stdout, stderr })
    const { signal } = stop
    if (command && lessons !== undefined && !command.isForAuthors) {
      const { requireTrust } = await import('./trust-pack.js')
      await requireTrust(lessons, { env, stdout, signal, isTrusted })
    }
    if (command?.stays) (await import('../process/index.js')).watchNpm(stop.end, env)
    const given = { values, positionals, stdout, stderr, env: withLessons(env, lessons), signal }
    exitCode = command ? await command.run(given) : 0
    const isTold = lessons === undefined || !command || command.namesNoCommand || signal.aborted
    if (!isTold) stderr.write(reminderOf(lessons))
  } catch (error) {
    if (!stop.isReason(error)) tell(error)
    exitCode = error instanceof WorkshopError ? error.exitCode : 3
  }
  stop.finish()
  // Not process.exit: it would lose output that is still being written to a pipe.
  host.exitCode = stop.exitCode() ?? exitCode
  return host.exitCode
}

/**
 * Reports errors of an output, except that its reader has closed the pipe (`npm run list | head`).
 *
 * @param {NodeJS.WriteStream} stream
 * @param {(error: Error) => void} fault
 */
function watchOutput (stream, fault) {
  stream.on('error', (/** @type {NodeJS.ErrnoException} */ error) => {
    // Windows says EOF where others say EPIPE.
    if (error.code !== 'EPIPE' && error.code !== 'EOF') fault(error)
  })
}

/** @param {NodeJS.ProcessEnv} env @param {string} [lessons] a flag wins over the variable */
function withLessons (env, lessons) {
  return lessons === undefined ? env : { ...env, MAKE_IT_FAST_LESSONS: lessons }
}

/** The commands in the output lack the flag, and would find the workshop's lessons. @param {string} dir */
function reminderOf (dir) {
  return '\nAny command above needs the same --lessons again, or the variable\n' +
    `MAKE_IT_FAST_LESSONS=${path.resolve(dir)}\n`
}
