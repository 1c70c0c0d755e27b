import path from 'node:path'
import { parseArgs } from 'node:util'
import { WorkshopError } from '../shared/errors.js'
import { cleanLines } from '../shared/text.js'
import { capabilitiesOf, wrapText } from '../report/index.js'
import { flag, text } from './say.js'

/**
 * The command line: the table of commands, how one is found, read and run, and what its end looks like.
 *
 * @import { Command, Commands, Output } from './say.js'
 */

/** Every command, and the file that has it. @type {Commands} */
export const commands = {
  bench: () => import('./commands/lesson-servers.js').then(({ bench }) => bench),
  certificate: () => import('./commands/own-progress.js').then(({ certificate }) => certificate),
  check: () => import('./commands/check-lesson.js').then(({ check }) => check),
  class: () => import('../../classroom/commands/open-class.js').then(({ openClass }) => openClass),
  compare: () => import('../../compare/command.js'),
  diff: () => import('./commands/lesson-texts.js').then(({ diff }) => diff),
  doctor: () => import('./commands/open-workshop.js').then(({ doctor }) => doctor),
  export: () => import('./commands/own-seat.js').then(({ exportResults }) => exportResults),
  grade: () => import('../../classroom/commands/grade.js').then(({ gradeFolder }) => gradeFolder),
  hand: () => import('./commands/own-seat.js').then(({ hand }) => hand),
  hint: () => import('./commands/lesson-texts.js').then(({ hint }) => hint),
  join: () => import('./commands/own-seat.js').then(({ join }) => join),
  leave: () => import('./commands/own-seat.js').then(({ leave }) => leave),
  list: () => import('./commands/own-progress.js').then(({ list }) => list),
  'new-lesson': () => import('./commands/lesson-packs.js').then(({ newLesson }) => newLesson),
  next: () => import('./commands/own-progress.js').then(({ next }) => next),
  predict: () => import('./commands/own-seat.js').then(({ predict }) => predict),
  profile: () => import('./commands/profile-server.js').then(({ profile }) => profile),
  read: () => import('./commands/lesson-texts.js').then(({ read }) => read),
  reset: () => import('./commands/own-progress.js').then(({ reset }) => reset),
  serve: () => import('./commands/lesson-servers.js').then(({ serve }) => serve),
  solution: () => import('./commands/lesson-texts.js').then(({ solution }) => solution),
  start: () => import('./commands/open-workshop.js').then(({ start }) => start),
  submit: () => import('./commands/own-seat.js').then(({ submit }) => submit),
  watch: () => import('./watch-lesson.js').then(({ watch }) => watch),
  worker: () => import('../../classroom/commands/worker.js').then(({ worker }) => worker)
}

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
  commands: known = commands,
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
      await parseCommandLine(argv, { commands: known, env, stdout, stderr })
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
      // A flag wins over the variable.
      env: lessons === undefined ? env : { ...env, MAKE_IT_FAST_LESSONS: lessons },
      signal,
      runOther: async (other, given) => {
        const { command, ...rest } = await parseCommandLine(other, { ...given, commands: known })
        return command?.run({ ...given, ...rest })
      }
    }) ?? 0
    const isTold = lessons === undefined || !command || command.namesNoCommand || signal.aborted
    // The commands in the output lack the flag, and would find the workshop's lessons.
    if (!isTold) {
      stderr.write('\nAny command above needs the same --lessons again, or the variable\n' +
        `MAKE_IT_FAST_LESSONS=${path.resolve(lessons)}\n`)
    }
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

/** Flags of every command. */
const everywhere = { lessons: text, trust: flag }
const help = { ...flag, short: 'h' }
const everywhereHelp = `With every command:
  --lessons DIR   your own lessons in that folder, instead of the workshop's; the first time, it asks whether you
                  trust them, because they're programs; --trust answers yes
                  (for good: set the variable MAKE_IT_FAST_LESSONS to DIR)`

/**
 * Finds the command and reads its flags; prints help if asked.
 *
 * @param {string[]} argv
 * @param {object} options
 * @param {Commands} options.commands
 * @param {NodeJS.ProcessEnv} options.env
 * @param {Output} options.stdout
 * @param {Output} options.stderr
 * @returns {Promise<{ command?: Command, values: Record<string, any>, positionals: string[] }>} no command: help
 *   was requested, and is printed
 * @throws {WorkshopError} unknown command, unknown flag, flag without its value, too many words
 */
export async function parseCommandLine (argv, { commands, env, stdout, stderr }) {
  const [name, ...given] = argv
  // pnpm passes them on.
  const args = given.filter((word) => word !== '--')
  const printHelp = (/** @type {string} */ text) => {
    stdout.write(`${fitHelp(text, stdout)}\n`)
    return { values: {}, positionals: [] }
  }
  if (name === undefined) throw new WorkshopError(`Say which command you want.\n\n${await overview(commands)}`)
  if (['--help', '-h', 'help'].includes(name)) return printHelp(await overview(commands))
  if (!Object.hasOwn(commands, name)) {
    throw new WorkshopError(`${await unknownSentence('command', name, Object.keys(commands))}\n${usageLine}`)
  }
  const command = await commands[name]()
  const ownOptions = { ...command.options, ...everywhere }
  const options = { ...ownOptions, help }
  const { tokens } = parseArgs({ args, options, allowPositionals: true, strict: false, tokens: true })
  const flags = tokens.filter((token) => token.kind === 'option')
  if (flags.some((flag) => flag.name === 'help')) {
    return printHelp(`Usage: ${command.usage}\n\n${command.help.trim()}\n\n${everywhereHelp}`)
  }

  const unknown = flags.find((flag) => !Object.hasOwn(options, flag.name))
  if (unknown) {
    const known = Object.keys(options).map((option) => `--${option}`)
    const sentence = await unknownSentence('flag', unknown.rawName, known)
    throw new WorkshopError(`${sentence}\nUsage: ${command.usage}`)
  }
  const { values, positionals } = parseStrictly(args, options, command.usage)
  // An npm script may have a colon in its name; a file on Windows may not.
  const script = env.npm_lifecycle_event
  const kept = script?.replace(':', '-') === name ? keptFlags({ options: ownOptions, values, env }) : []
  const refused = { name: script ?? name, kept, positionals }
  refuseLostValue({ ...refused, least: command.leastPositionals ?? (command.maxPositionals === 0 ? 0 : 1) })
  const tooMany = positionals[command.maxPositionals ?? Infinity]
  if (tooMany !== undefined) {
    throw new WorkshopError(
      `"${tooMany}" is one word too many: \`${name}\` does one thing at a time.\nUsage: ${command.usage}`
    )
  }
  warnAboutKeptFlags({ ...refused, stderr })
  return { command, values, positionals }
}

/** @param {'command' | 'flag'} kind @param {string} name @param {string[]} known */
async function unknownSentence (kind, name, known) {
  const { nearest } = await import('../shared/rules.js')
  const [near] = nearest(name, known, { limit: 1 })
  const advice = near ? `did you mean "${near}"?` : `the ${kind}s are ${known.join(', ')}.`
  return `There is no ${kind} "${name}": ${advice}`
}

/** @param {string[]} args @param {Command['options']} options @param {string} usage */
function parseStrictly (args, options, usage) {
  try {
    return parseArgs({ args, options, allowPositionals: true })
  } catch (error) {
    if (!error.code?.startsWith('ERR_PARSE_ARGS')) throw error
    throw new WorkshopError(`${error.message.split('\n')[0]}\nUsage: ${usage}`)
  }
}

/**
 * `npm run check lesson-3 --json` gives --json to npm; we only get an environment variable.
 *
 * @typedef {{ flag: string, takesValue: boolean, value: string }} Kept value: as npm passes it on
 *
 * @param {{ options: Command['options'], values: Record<string, any>, env: NodeJS.ProcessEnv }} given
 * @returns {Kept[]}
 */
function keptFlags ({ options, values, env }) {
  return Object.entries(options).flatMap(([option, { type }]) => {
    const value = env[`npm_config_${option.replaceAll('-', '_')}`]
    return value && values[option] === undefined ? [{ flag: `--${option}`, takesValue: type === 'string', value }] : []
  })
}

/**
 * Of `check lesson-1 --server DIR` npm keeps the flag, and passes its value to us as one more word.
 *
 * @param {{ name: string, kept: Kept[], positionals: string[], least: number }} given least: words that it needs
 * @throws {WorkshopError} a value lost its flag
 */
function refuseLostValue ({ name, kept, positionals, least }) {
  const lost = kept.filter(({ takesValue, value }) => takesValue && value === 'true')
  const first = positionals.length - lost.length
  if (lost.length === 0 || first < least) return
  const words = positionals.slice(first)
  // With several flags there is no telling which word belongs to which.
  const flags = lost.length === 1 ? [lost[0].flag, quoted(words[0])] : lost.flatMap(({ flag }) => [flag, '…'])
  const others = kept.filter((one) => !lost.includes(one)).map(({ flag }) => flag)
  const command = ['npm run', name, ...positionals.slice(0, first), '--', ...others, ...flags].join(' ')
  throw new WorkshopError(`npm kept ${lost.map(({ flag }) => flag).join(' ')} to itself: put two dashes before the ` +
    `flags, as in \`${command}\`.`)
}

/** @param {string} word */
function quoted (word) {
  return /\s/.test(word) ? `"${word}"` : word
}

/**
 * A warning only: a line in the user's .npmrc sets the same variable.
 *
 * @param {{ name: string, kept: Kept[], positionals: string[], stderr: Output }} given
 */
function warnAboutKeptFlags ({ name, kept, positionals, stderr }) {
  if (kept.length === 0) return
  const flags = kept.map(({ flag }) => flag)
  const given = kept.map(({ flag, takesValue, value }) => {
    return takesValue && value !== 'true' ? `${flag} ${quoted(value)}` : flag
  })
  const example = ['npm run', name, ...positionals, '--', ...given].join(' ')
  stderr.write(`npm kept ${flags.join(' ')} to itself: put two dashes before the flags, as in \`${example}\`.\n`)
}

/** @param {Commands} commands */
async function overview (commands) {
  const lines = []
  for (const { usage, help } of await Promise.all(Object.values(commands).map((load) => load()))) {
    lines.push(`  ${usage}`, `      ${help.trim().split('\n')[0]}`)
  }
  return [usageLine, '', ...lines, '', everywhereHelp].join('\n')
}

const usageLine = 'Usage: npm run <command> [lesson-N] [-- --flag …], and `npm run <command> -- --help` for more'

/**
 * Fits help to the window: a flag's explanation stays next to the flag where there is room.
 *
 * @param {string} text
 * @param {Output} output
 * @returns {string}
 */
export function fitHelp (text, output) {
  const { columns, uncut } = capabilitiesOf(output)
  return uncut ? text : text.split('\n').flatMap((line) => fitLine(line, columns)).join('\n')
}

/** @param {string} line @param {number} columns */
function fitLine (line, columns) {
  if (line.length <= columns) return [line]
  const [lead] = /^ *(?:\S+(?: \S+)* {2,})?/.exec(line) ?? ['']
  const rest = line.slice(lead.length)
  const isDeep = lead.length > columns / 2
  const indent = isDeep ? 6 : Math.max(lead.length, lead === '' ? 0 : 2)
  const lines = wrapText(rest, columns - indent).map((part) => ' '.repeat(indent) + part)
  if (isDeep) return lead.trim() === '' ? lines : [lead.trimEnd(), ...lines]
  return [lead + lines[0].slice(indent), ...lines.slice(1)]
}
