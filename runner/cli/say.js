import path from 'node:path'
import { createInterface } from 'node:readline/promises'
import { WorkshopError } from '../shared/errors.js'
import { openFile } from '../process/index.js'
import { blockText, html } from '../report/index.js'
import { writeFileAtomic } from '../workspace/index.js'

/**
 * Writes each sentence on a new line, wrapped to the window (not for a pipe), in ASCII where the output needs it.
 *
 * @param {Output} output
 * @param {...string} sentences
 */
export function say (output, ...sentences) {
  const look = output.isTTY ? { stream: output } : { stream: output, columns: Infinity }
  for (const sentence of sentences) output.write(`${blockText({ text: [sentence] }, look)}\n`)
}

/**
 * @typedef {NonNullable<import('node:util').ParseArgsConfig['options']>[string]} Flag as util.parseArgs takes it
 *
 * @typedef {Record<string, () => Promise<Command>>} Commands by name; each is imported only where it's needed
 *
 * @typedef {object} Command
 * @property {Record<string, Flag>} options the flags, for util.parseArgs
 * @property {string} usage one line: `npm run hint lesson-N [-- --all]`
 * @property {string} help the first line says what the command does, the rest is for `--help`
 * @property {number} [maxPositionals] more are refused; by default the command checks that itself
 * @property {number} [leastPositionals] how many words it needs: by default 1, if it takes any
 * @property {boolean} [namesNoCommand] in its output
 * @property {boolean} [isForAuthors] the lessons are theirs: they needn't confirm that they trust them
 * @property {boolean} [stays] runs until it is stopped, or npm has ended
 * @property {(given: Given) => Promise<number>} run resolves to the exit code
 *
 * @typedef {object} Given
 * @property {Record<string, any>} values the flags, parsed
 * @property {string[]} positionals
 * @property {Output} stdout
 * @property {Output} stderr
 * @property {NodeJS.ProcessEnv} env
 * @property {AbortSignal} signal aborted on Ctrl-C: clean up and return
 * @property {(argv: string[], given: Given) => Promise<unknown>} runOther runs one of the other commands
 * @property {(sentence: string) => (() => void) | void} [onWait] called instead of printing that it waits for its turn;
 *   the function that it returns is called when the wait is over
 * @property {(sentences: string[]) => void} [onGist] called with the gist of the output
 *
 * @typedef {{ write: (text: string) => unknown, columns?: number, isTTY?: boolean }} Output
 */

/** Flags with a value, and without one. @type {Record<'text' | 'flag', Flag>} */
export const { text, flag } = { text: { type: 'string' }, flag: { type: 'boolean' } }

/**
 * Asks at the terminal for a yes or a no.
 *
 * @param {string} question
 * @param {Pick<Given, 'stdout' | 'signal'> & { unasked: string, isYes?: boolean }} given unasked: the sentence if
 *   there's no terminal; isYes: Enter alone means yes
 * @returns {Promise<boolean>} was it a yes?
 * @throws {WorkshopError} there is no terminal
 */
export async function ask (question, { stdout, signal, unasked, isYes = false }) {
  if (!process.stdin.isTTY) throw new WorkshopError(unasked)
  const lines = createInterface({ input: process.stdin, output: /** @type {any} */ (stdout) })
  try {
    const answer = (await lines.question(`${question} (${isYes ? 'Y/n' : 'y/N'}) `, { signal })).trim()
    return isYes ? !/^no?$/i.test(answer) : /^y(es)?$/i.test(answer)
  } finally {
    lines.close()
  }
}

/**
 * Opens a link that holds a secret. All accounts of a machine see the arguments of its processes, so the browser gets
 * the name of a file that only this user can read, and which leads on.
 *
 * @param {string} link
 * @param {string} folder for that file
 * @returns {Promise<boolean>} was it opened?
 */
export async function openLink (link, folder) {
  const file = path.resolve(folder, 'open.html')
  const page = html`<!doctype html>
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0;url=${link}">
<title>Make It Fast</title>
<p><a href="${link}">Open the workshop</a></p>
`
  await writeFileAtomic(file, String(page), { mode: 0o600 })
  return openFile(file)
}

/**
 * The value of a flag that takes a whole number.
 *
 * @param {string} name of the flag
 * @param {string} given
 * @param {number} low
 * @param {number} high
 * @returns {number}
 * @throws {WorkshopError} it isn't one, or is out of these bounds
 */
export function wholeNumber (name, given, low, high) {
  const value = Number(given)
  if (!Number.isInteger(value) || value < low || value > high) {
    throw new WorkshopError(`${name} takes a whole number from ${low} to ${high}, got ${given}.`)
  }
  return value
}

/** @param {string | undefined} given of --port @returns {number | undefined} */
export function portOf (given) {
  return given === undefined ? undefined : wholeNumber('--port', given, 1, 65535)
}

/** @param {string | undefined} given of --seconds, for rounds of load @returns {number | undefined} ms */
export function budgetOf (given) {
  return given === undefined ? undefined : 1000 * wholeNumber('--seconds', given, 1, 600)
}
