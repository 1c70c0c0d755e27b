import fs from 'node:fs'
import path from 'node:path'
import { WorkshopError } from '../../errors.js'

/** @import { StartOptions } from '../../process/index.js' */

const example = 'as in --start "node app.js"'
/** Frameworks take their time. */
const readyTimeoutMs = 30_000
/** No quotes, variables or other signs that a shell would read. */
const plainNode = /^node(\.exe)? +[\w./:=@\\ -]+$/

/**
 * How a server of people's own is started: as its package.json says, or with their command.
 *
 * @param {string} dir
 * @param {{ name: string, start?: string, inspect: boolean }} given name: what the folder is called; start: the command
 * @returns {StartOptions}
 * @throws {WorkshopError} nothing says how
 */
export function startOptionsOf (dir, { name, start, inspect }) {
  const command = (start ?? scriptOf(dir, name)).trim()
  const words = plainNode.test(command) ? command.split(/ +/).slice(1) : null
  if (inspect && words === null) {
    throw new WorkshopError('--gate memory reads the heap of Node.js, so the command has to be `node` itself: give ' +
      `one such as --start "node server.js" instead of “${command}”.`)
  }
  return {
    called: `“${command}” in ${name}`,
    env: withPackages(dir),
    inspect,
    readyTimeoutMs,
    through: ({ nodeArgs }) => words
      ? { args: [...nodeArgs, ...words], cwd: dir }
      : { args: [], shell: command, cwd: dir }
  }
}

/** @param {string} dir @param {string} name */
function scriptOf (dir, name) {
  const settings = readPackage(dir, name)
  const { scripts: { start = undefined } = {}, main } = settings ?? {}
  if (typeof start === 'string' && start.trim() !== '') return start
  // As npm does.
  if (fs.existsSync(path.join(dir, 'server.js'))) return 'node server.js'
  if (typeof main === 'string' && /^[\w./-]+$/.test(main)) return `node ${main}`
  const file = `package.json in ${name}`
  const lack = settings === null ? `There is no ${file}` : `The ${file} has no start script`
  throw new WorkshopError(`${lack}: say how the server is started, ${example}.`)
}

/** @param {string} dir @param {string} name @returns {any} null: missing */
function readPackage (dir, name) {
  const file = path.join(dir, 'package.json')
  if (!fs.existsSync(file)) return null
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8')) ?? {}
  } catch (error) {
    throw new WorkshopError(`The package.json in ${name} can’t be read (${error.message}): correct it, or say how ` +
      `the server is started, ${example}.`)
  }
}

/**
 * It is their own server: it gets their whole environment, as from their shell, and finds its packages' programs.
 *
 * @param {string} dir
 * @returns {Record<string, string>}
 */
function withPackages (dir) {
  const own = Object.entries(process.env).flatMap(([name, value]) => value === undefined ? [] : [[name, value]])
  const isPath = (/** @type {string[]} */ [name]) => name.toUpperCase() === 'PATH'
  const [, before = ''] = own.find(isPath) ?? []
  const bin = path.join(dir, 'node_modules', '.bin')
  return { ...Object.fromEntries(own.filter((one) => !isPath(one))), PATH: `${bin}${path.delimiter}${before}` }
}
