import { spawn } from 'node:child_process'
import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import path from 'node:path'

/** Editors that run in the terminal. */
const inTerminal = 'vi vim nvim view nano pico emacs micro helix hx kak joe ne ed'.split(' ')

/** Editors with a window of their own that are looked for where none is set, or none that works without a terminal. */
const withWindow = ['code', 'cursor', 'windsurf', 'codium', 'zed', 'webstorm', 'subl']

/** How to open a file at a line; other editors get the file alone. @type {[names: string, Naming][]} */
const lineNaming = [
  ['code code-insiders codium cursor windsurf', (file, line) => ['--goto', `${file}:${line}`]],
  ['vi vim nvim gvim view nano pico emacs micro kak joe ne', (file, line) => [`+${line}`, file]],
  ['subl zed hx helix', (file, line) => [`${file}:${line}`]],
  ['webstorm', (file, line) => ['--line', String(line), file]]
]

/** How to leave editors in which people get stuck. @type {[names: string, keys: string][]} */
const leaving = [
  ['vi vim nvim view helix hx kak', 'Esc, then :q and Enter'],
  ['nano pico', 'Ctrl-X'],
  ['emacs', 'Ctrl-X, then Ctrl-C'],
  ['micro', 'Ctrl-Q']
]

/**
 * @typedef {(file: string, line: number) => string[]} Naming
 *
 * @typedef {object} Editor
 * @property {string} command
 * @property {string[]} args
 * @property {boolean} takesTerminal
 */

/**
 * The learner's editor: $VISUAL, $EDITOR, or the first with a window that's installed. Pure.
 *
 * @param {Record<string, string | undefined>} env
 * @param {{ installed?: string }} found
 * @returns {Editor | null}
 */
export function editorOf (env, { installed = '' }) {
  const line = env.VISUAL?.trim() || env.EDITOR?.trim() || installed
  if (line === '') return null
  const words = line.match(/"[^"]*"|'[^']*'|\S+/g) ?? []
  const [command, ...args] = words.map((word) => word.replace(/^(["'])(.*)\1$/, '$2'))
  const name = nameOf(command)
  const isWindowed = name === 'emacs' && (env.DISPLAY ?? '') !== '' && !args.includes('-nw')
  return { command, args, takesTerminal: inTerminal.includes(name) && !isWindowed }
}

/**
 * The arguments with which it opens a file. Pure.
 *
 * @param {Editor} editor
 * @param {string} file
 * @param {number} [line] from 1
 * @returns {string[]}
 */
export function argumentsFor ({ command, args }, file, line) {
  const [, naming] = lineNaming.find(([names]) => names.split(' ').includes(nameOf(command))) ?? []
  return [...args, ...(line === undefined || naming === undefined ? [file] : naming(file, line))]
}

/** @param {string} command */
function nameOf (command) {
  return path.basename(command).replace(/\.(exe|cmd)$/i, '')
}

/**
 * The editor that openInEditor would use.
 *
 * @param {NodeJS.ProcessEnv} env
 * @param {{ hasTerminal?: boolean }} [options] without one, another editor takes the place of one that needs it
 * @returns {Promise<Editor & { leave: string } | null>} leave: how to leave it; empty where we don't know
 */
export async function findEditor (env, { hasTerminal = true } = {}) {
  const found = await Promise.all(withWindow.map((name) => isInPath(name, env)))
  const installed = withWindow.find((name, at) => found[at])
  const wanted = editorOf(env, { installed })
  const editor = wanted?.takesTerminal && !hasTerminal ? editorOf({}, { installed }) ?? wanted : wanted
  if (editor === null) return null
  const [, leave = ''] = leaving.find(([names]) => names.split(' ').includes(nameOf(editor.command))) ?? []
  return { ...editor, leave }
}

/**
 * Opens a file. An editor in the terminal has it until it exits; any other outlives us.
 *
 * @param {string} file
 * @param {NodeJS.ProcessEnv} env
 * @param {{ hasTerminal?: boolean, line?: number }} [options] hasTerminal: may it take ours? line: from 1
 * @returns {Promise<string | null>} why it could not be opened, a sentence
 */
export async function openInEditor (file, env, { hasTerminal = true, line } = {}) {
  const editor = await findEditor(env, { hasTerminal })
  if (editor === null) return `Set the variable VISUAL or EDITOR to your editor, or open ${file} yourself.`
  const { command, takesTerminal } = editor
  if (takesTerminal && !hasTerminal) return `Your editor works in a terminal: open it there with ${command} ${file}`
  return new Promise((resolve) => {
    const args = argumentsFor(editor, file, line)
    const isWindows = process.platform === 'win32'
    // On Windows, `code` is a shell script.
    const [program, given] = isWindows ? forCmd(command, args, env) : [command, args]
    const child = spawn(program, given, {
      stdio: takesTerminal ? 'inherit' : 'ignore',
      detached: !takesTerminal && !isWindows,
      windowsVerbatimArguments: isWindows,
      // Else cmd looks in the current folder first.
      env: isWindows ? { ...process.env, NoDefaultCurrentDirectoryInExePath: '1' } : undefined
    })
    child.on('error', ({ message }) => {
      resolve(`The editor ${command} cannot be started (${message}): open ${file} yourself.`)
    })
    if (takesTerminal) return child.on('exit', () => resolve(null))
    child.on('spawn', () => {
      child.unref()
      resolve(null)
    })
  })
}

/**
 * A command for cmd.exe that it takes word by word, whatever the words are: quoted as programs read it, and what means
 * something to cmd behind a caret, as cross-spawn does it. Pure. Untested on Windows.
 *
 * @param {string} command
 * @param {string[]} args
 * @param {Record<string, string | undefined>} env
 * @returns {[program: string, args: string[]]} to be passed on verbatim
 */
export function forCmd (command, args, env) {
  const careted = (/** @type {string} */ word) => word.replace(/[()\][%!^"`<>&|;, *?]/g, '^$&')
  const quotedWord = (/** @type {string} */ word) =>
    `"${word.replace(/(\\*)"/g, '$1$1\\"').replace(/(\\*)$/, '$1$1')}"`
  const line = [careted(command), ...args.map((word) => careted(quotedWord(word)))].join(' ')
  return [env.ComSpec ?? env.comspec ?? 'cmd.exe', ['/d', '/s', '/c', `"${line}"`]]
}

/** @param {string} name @param {NodeJS.ProcessEnv} env */
async function isInPath (name, env) {
  const endings = process.platform === 'win32' ? ['.cmd', '.exe'] : ['']
  const dirs = (env.PATH ?? env.Path ?? '').split(path.delimiter)
  const files = dirs.flatMap((dir) => endings.map((end) => path.join(dir, name + end)))
  const found = await Promise.all(files.map((file) => access(file, constants.X_OK).then(() => true, () => false)))
  return found.includes(true)
}
