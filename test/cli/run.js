import { spawn } from 'node:child_process'
import { EventEmitter } from 'node:events'
import { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { main } from '../../runner/cli/main.js'

/**
 * @typedef {object} RunOptions
 * @property {NodeJS.ProcessEnv} [env] default: ours
 * @property {string} [cwd]
 * @property {import('../../runner/cli/say.js').Commands} [commands]
 * @property {number} [graceMs]
 * @property {(said: string, signal: (name: NodeJS.Signals) => void) => unknown} [onOutput] called after each piece with
 *   all of standard output; `signal` is for what would be sent to the process
 */

export const cli = fileURLToPath(new URL('../../runner/cli.js', import.meta.url))

let isRunning = false

/**
 * Runs a command in the test's own process, where nobody can be asked. One at a time: it gets the process's own
 * environment, folder and input, which come back after it.
 *
 * @param {string[]} argv
 * @param {RunOptions} [options]
 * @returns {Promise<{ code: number, stdout: string, stderr: string }>}
 */
export async function runCommand (argv, { env = process.env, cwd = process.cwd(), onOutput, ...options } = {}) {
  if (isRunning) throw new Error('A command is running: wait for its end.')
  isRunning = true
  const before = {
    cwd: process.cwd(),
    env: { ...process.env },
    stdin: Object.getOwnPropertyDescriptor(process, 'stdin') ?? {}
  }
  const said = { stdout: '', stderr: '' }
  const signals = new EventEmitter()
  const output = (/** @type {'stdout' | 'stderr'} */ name) => Object.assign(new EventEmitter(), {
    write: (/** @type {string} */ text) => {
      said[name] += text
      // A signal comes between two tasks, never within one.
      if (name === 'stdout') onOutput?.(said.stdout, (name) => { setImmediate(() => signals.emit(name, name)) })
    }
  })
  const host = Object.assign(signals, {
    stdout: /** @type {any} */ (output('stdout')),
    stderr: /** @type {any} */ (output('stderr')),
    env: withoutNpm(env),
    exit: (/** @type {number} */ _code) => {}
  })
  try {
    setEnvironment(host.env)
    process.chdir(cwd)
    Object.defineProperty(process, 'stdin', { value: Readable.from([]), configurable: true })
    /** @type {number} */
    const code = await new Promise((resolve, reject) => {
      host.exit = resolve
      main({ argv, host, ...options }).then(resolve, reject)
    })
    return { code, ...said }
  } finally {
    Object.defineProperty(process, 'stdin', before.stdin)
    process.chdir(before.cwd)
    setEnvironment(before.env)
    isRunning = false
  }
}

/**
 * For `onOutput`: sends the signal once the output matches.
 *
 * @param {RegExp} [pattern]
 * @param {NodeJS.Signals} [name]
 * @returns {NonNullable<RunOptions['onOutput']>}
 */
export function endAt (pattern = /./, name = 'SIGINT') {
  let isSent = false
  return (said, signal) => {
    if (isSent || !pattern.test(said)) return
    isSent = true
    signal(name)
  }
}

/** @param {NodeJS.ProcessEnv} env */
function setEnvironment (env) {
  for (const name of Object.keys(process.env)) if (env[name] === undefined) delete process.env[name]
  for (const [name, value] of Object.entries(env)) if (value !== undefined) process.env[name] = value
}

/**
 * Runs node and waits for its end.
 *
 * @param {string[]} args
 * @param {object} [options]
 * @param {NodeJS.ProcessEnv} [options.env]
 * @param {string} [options.cwd]
 * @param {(child: import('node:child_process').ChildProcessWithoutNullStreams) => void} [options.started]
 * @returns {Promise<{ code: number | null, signal: NodeJS.Signals | null, stdout: string, stderr: string }>}
 */
export async function runNode (args, { env = process.env, cwd, started } = {}) {
  const child = spawn(process.execPath, args, { env: withoutNpm(env), cwd })
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (text) => { stdout += text })
  child.stderr.setEncoding('utf8').on('data', (text) => { stderr += text })
  started?.(child)
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code, signal) => resolve({ code, signal, stdout, stderr }))
  })
}

/**
 * `npm test` sets variables that the command line reads.
 *
 * @param {NodeJS.ProcessEnv} env
 * @returns {NodeJS.ProcessEnv} without them
 */
export function withoutNpm (env) {
  const kept = Object.entries(env).filter(([name]) => process.env[name] !== env[name] ||
    !/^(npm_lifecycle_event|NODE_TEST_CONTEXT)$/.test(name))
  return Object.fromEntries(kept)
}
