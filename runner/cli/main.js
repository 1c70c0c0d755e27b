import path from 'node:path'
import { cleanLines } from '../shared/text.js'
import { WorkshopError } from '../shared/errors.js'
import { commands as ownCommands, parseCommandLine } from './parse.js'

/** @import { Commands } from './say.js' */

/**
 * Runs one command. What few commands need is imported only for them: each file costs half a millisecond.
 *
 * @param {object} [options]
 * @param {string[]} [options.argv]
 * @param {Commands} [options.commands]
 * @param {number} [options.graceMs] how long a command may clean up after Ctrl-C, ms
 * @param {Host & Pick<NodeJS.Process, 'stdout' | 'stderr' | 'env'>} [options.host] whose signals and outputs these are
 * @returns {Promise<number>} the exit code, which the process of the host has then, too: the command's own, 3 when the
 *   command was used wrongly or the workshop is at fault, 130 after Ctrl-C, 143 after SIGTERM
 */
export async function main ({
  argv = process.argv.slice(2),
  commands = ownCommands,
  graceMs = 5000,
  host = process
} = {}) {
  const { stdout, stderr, env } = host
  // An error may contain a room's or a server's words.
  const tell = (/** @type {Error} */ error) => { stderr.write(`${cleanLines(explain(error, env)).join('\n')}\n`) }
  const stop = listenForStop({ graceMs, tell, host })
  watchOutput(stdout, stop.fault)
  watchOutput(stderr, () => {})

  let exitCode
  try {
    const { command, values: { lessons, trust: isTrusted = false, ...values }, positionals } =
      await parseCommandLine(argv, { commands, env, stdout, stderr })
    const { signal } = stop
    if (command && lessons !== undefined && !command.isForAuthors) {
      const { requireTrust } = await import('./commands/lesson-packs.js')
      await requireTrust(lessons, { env, stdout, signal, isTrusted })
    }
    if (command?.stays) (await import('../process/index.js')).watchNpm(stop.end, env)
    exitCode = await command?.run({
      values,
      positionals,
      stdout,
      stderr,
      env: withLessons(env, lessons),
      signal,
      runOther: async (other, given) => {
        const { command, ...rest } = await parseCommandLine(other, { ...given, commands })
        return command?.run({ ...given, ...rest })
      }
    }) ?? 0
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

/**
 * Turns signals into one AbortSignal, so that a command can clean up. A second Ctrl-C changes nothing (npm passes the
 * first one on, so two arrive for one key press). A command that has not cleaned up after `graceMs` is abandoned.
 *
 * @typedef {{ on: (name: string, act: (...given: any[]) => void) => unknown, off: Host['on'],
 *   exit: (code: number) => void, exitCode?: any }} Host `process`, or what a test has instead
 *
 * @param {object} options
 * @param {number} options.graceMs
 * @param {(error: Error) => void} options.tell prints an error
 * @param {Host} options.host
 */
function listenForStop ({ graceMs, tell, host }) {
  const controller = new AbortController()
  /** @type {number | undefined} */
  let exitCode

  const stop = (/** @type {number} */ code) => {
    if (exitCode !== undefined) return
    exitCode = code
    controller.abort()
    setTimeout(() => host.exit(code), graceMs).unref()
  }
  const onSignal = (/** @type {NodeJS.Signals} */ name) => stop(name === 'SIGTERM' ? 143 : 130)
  // For an uncaught exception Node.js would exit with 1, which means "your server failed".
  const fault = (/** @type {Error} */ error) => {
    // Work that was in flight fails because it was stopped.
    const isStopping = exitCode !== undefined && exitCode !== 3
    if (!isReason(error) && !isStopping) tell(error)
    stop(3)
  }
  const isReason = (/** @type {any} */ error) => controller.signal.aborted &&
    (error === controller.signal.reason || error?.name === 'AbortError')

  for (const name of signals) host.on(name, onSignal)
  host.on('uncaughtException', fault)

  return {
    signal: controller.signal,
    fault,
    isReason,
    exitCode: () => exitCode,
    /** As SIGTERM does. */
    end: () => stop(143),
    /** The command is done: Ctrl-C ends the process at once again. */
    finish () {
      for (const name of signals) host.off(name, onSignal)
    }
  }
}

/** @type {NodeJS.Signals[]} */
const signals = process.platform === 'win32'
  ? ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGBREAK']
  : ['SIGINT', 'SIGTERM', 'SIGHUP']

/**
 * An error for the learner: one sentence, with the stack only on request.
 *
 * @param {any} error
 * @param {NodeJS.ProcessEnv} env `MAKE_IT_FAST_DEBUG=1` adds the stack
 * @returns {string}
 */
export function explain (error, env) {
  const sentence = sentenceFor(error)
  return env.MAKE_IT_FAST_DEBUG === '1' && error?.stack ? `${sentence}\n${error.stack}` : sentence
}

const noSpace = 'There is no space left where files are written: make room, or set TMPDIR to another folder'
const noFiles = 'Too many files are open: close other programs, or raise the limit with `ulimit -n`'
/** What the system lacks, by its code. @type {Record<string, string>} */
const fullSentences = {
  ENOSPC: noSpace,
  EDQUOT: noSpace,
  EROFS: 'Files can’t be written there: set TMPDIR to another folder',
  EMFILE: noFiles,
  ENFILE: noFiles
}

/** @param {any} error */
function sentenceFor (error) {
  if (error instanceof WorkshopError) return error.message
  const [, full] = /\b(ENOSPC|EDQUOT|EROFS|EMFILE|ENFILE): /.exec(error?.message ?? '') ?? []
  if (full !== undefined) return `${fullSentences[full]} (${error.message}).`
  const missing = error?.code === 'ERR_MODULE_NOT_FOUND' && /Cannot find package '([^']+)'/.exec(error.message)
  if (missing) return `The package ${missing[1]} is not installed: run \`npm ci\` in the workshop’s folder.`
  // An author's function: a lesson is no part of the workshop's engine.
  const [, place] = /[\\/](lessons[\\/]\d[^\\/]*[\\/][^\n]*?\.js:\d+)/.exec(error?.stack ?? '') ?? []
  if (place !== undefined) {
    const shown = place.replaceAll('\\', '/')
    return `The lesson can’t be used: ${error.message} (${shown}). Correct it there, or report it.`
  }
  return 'This is a bug in the workshop, not in your server (MAKE_IT_FAST_DEBUG=1 shows where): ' +
    (error?.message ?? String(error))
}
