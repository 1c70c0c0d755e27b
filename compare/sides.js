import { execFile } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { WorkshopError } from '../runner/shared/errors.js'
import { plural } from '../runner/shared/format.js'
import { textOf } from './recordings.js'

/**
 * The two servers that are compared: folders, commits of one repository, or servers that run already; and how they're
 * started.
 *
 * @import { Role, Server, StartOptions } from '../runner/process/index.js'
 *
 * @typedef {object} Side one of the two, before it's started
 * @property {string} name what people call it
 * @property {(scratch: string) => Promise<string> | string} dir its folder, made where it has to be; scratch: an empty
 *   folder to make it in, which is removed afterwards
 * @property {string} [start] the command that starts it; default: what its package.json says
 * @property {Server} [running] it runs already, and is left running
 */

/** @param {Side} side @param {string} scratch @param {{ inspect: boolean }} how */
export async function openSide ({ name, dir: find, start, running }, scratch, { inspect }) {
  const dir = await find(scratch)
  const options = running ? {} : startOptionsOf(dir, { name, start, inspect })
  // Its name may be a sentence.
  return { folder: { dir, shownDir: running ? name : '.' }, options, running }
}

/** @param {string} dir @returns {Side} */
export function folderAt (dir) {
  const real = path.resolve(dir)
  if (!fs.statSync(real, { throwIfNoEntry: false })?.isDirectory()) {
    throw new WorkshopError(`There is no folder ${dir}: name two folders, or with --git two commits.`)
  }
  const name = path.basename(dir) === path.basename(real) ? dir : path.basename(real)
  return { name, dir: () => fs.realpathSync(real) }
}

const run = promisify(execFile)
const mostBytes = 64 * 1024 * 1024

/** @typedef {(...args: string[]) => Promise<string>} Git */

/**
 * @param {readonly string[]} refs what git calls the two; `.`: the folder as it is
 * @param {string} cwd in the repository; where it is a folder of it, that folder is what is started
 * @returns {Promise<{ sides: [Side, Side], notes: string[] }>} notes: what to know about them, as sentences
 * @throws {WorkshopError} there is no repository, or no such ref
 */
export async function openRepository (refs, cwd) {
  /** @type {Git} */
  const git = (...args) => gitIn(cwd, args)
  const root = path.resolve(await git('rev-parse', '--show-toplevel').catch((error) => {
    if (!/not a git repository/i.test(error.message)) throw error
    throw new WorkshopError(`${cwd} is in no Git repository: run it in one, or name two folders.`)
  }))
  const inside = path.relative(root, fs.realpathSync(cwd))
  const commits = await Promise.all(refs.map((ref) => ref === '.' ? null : commitOf(git, ref)))
  const [before, after] = commits.map((commit, i) => sideOf({ name: refs[i], commit, root, inside }))
  return { sides: [before, after], notes: await notesOf(git, commits) }
}

/** @param {string} cwd @param {string[]} args @param {Record<string, string>} [env] */
async function gitIn (cwd, args, env = {}) {
  // Its words are read here.
  const own = { ...process.env, LC_ALL: 'C', ...env }
  try {
    const { stdout } = await run('git', args, { cwd, env: own, maxBuffer: mostBytes })
    return stdout.trim()
  } catch (error) {
    if (error.code === 'ENOENT') {
      throw new WorkshopError('Git isn’t installed, or isn’t in the PATH: install it, or name two folders.')
    }
    const reason = (error.stderr || error.message).trim().replace(/\s*\n\s*/g, ' ')
    throw new WorkshopError(`Git says: ${reason}`, { cause: error })
  }
}

/** @param {Git} git @param {string} ref */
async function commitOf (git, ref) {
  return git('rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`).catch(() => {
    throw new WorkshopError(`There is no commit “${ref}” here: \`git log\` and \`git branch -a\` show what there is` +
      '; a clone in CI may be shallow, so fetch it first.')
  })
}

/** @param {{ name: string, commit: string | null, root: string, inside: string }} given @returns {Side} */
function sideOf ({ name, commit, root, inside }) {
  if (commit === null) return { name: 'the working tree', dir: () => path.join(root, inside) }
  return {
    name,
    dir: async (scratch) => {
      const tree = fs.mkdtempSync(path.join(scratch, 'tree-'))
      await writeTree(root, commit, { tree, index: path.join(scratch, `index-${path.basename(tree)}`) })
      const dir = path.join(tree, inside)
      if (!fs.existsSync(dir)) throw new WorkshopError(`${name} has no folder ${inside}: start the command elsewhere.`)
      for (const place of new Set(['', inside])) linkPackages(path.join(root, place), path.join(tree, place))
      return dir
    }
  }
}

/**
 * The files of a commit, through a separate index: the repository itself isn't touched, so nothing can be left
 * behind in it, as `git worktree` would when it is killed.
 *
 * @param {string} root
 * @param {string} commit
 * @param {{ tree: string, index: string }} to
 */
async function writeTree (root, commit, { tree, index }) {
  const env = { GIT_INDEX_FILE: index }
  await gitIn(root, ['read-tree', commit], env)
  await gitIn(root, ['checkout-index', '--all', '--force', `--prefix=${tree}/`], env)
}

/** @param {string} from @param {string} to */
function linkPackages (from, to) {
  const [own, link] = [from, to].map((dir) => path.join(dir, 'node_modules'))
  if (fs.existsSync(own) && !fs.existsSync(link)) fs.symlinkSync(fs.realpathSync(own), link, 'junction')
}

/** @param {Git} git @param {(string | null)[]} commits */
async function notesOf (git, commits) {
  const [before, after] = commits
  const changed = (await git('status', '--porcelain', '--untracked-files=no')).split('\n').filter(Boolean).length
  const range = [before ?? 'HEAD', ...after === null ? [] : [after]]
  const locks = await git('diff', '--name-only', ...range, '--', '*package-lock.json', '*yarn.lock', '*pnpm-lock.yaml')
  return [
    ...changed > 0 && !commits.includes(null)
      ? [`Your uncommitted changes (${plural(changed, 'file')}) are in neither: \`.\` instead of ` +
          'a ref names the folder as it is.']
      : [],
    ...locks === ''
      ? []
      : [`${locks.split('\n')[0]} differs between the two, and both run with the packages installed now: to compare ` +
          'packages, name two folders, each with its own.']
  ]
}

/**
 * A server that runs already, in any language: nothing is known of its processes.
 *
 * @param {string} address
 * @param {{ flag: string, role: Role }} given
 * @returns {Side}
 * @throws {WorkshopError} it is no address of this machine
 */
export function runningAt (address, { flag, role }) {
  const url = URL.canParse(address) ? new URL(address) : null
  const isHere = url !== null && url.protocol === 'http:' && ['127.0.0.1', 'localhost'].includes(url.hostname)
  if (!isHere || url.port === '' || url.pathname !== '/' || url.search !== '') {
    const isSecure = url?.protocol === 'https:' ? ' Only plain HTTP is compared: let it listen without TLS.' : ''
    throw new WorkshopError(`${flag} takes the address of a server on this machine, such as ` +
      `http://127.0.0.1:3000, got ${address}.${isSecure}`)
  }
  return { name: url.host, dir: () => process.cwd(), running: handleOf(role, Number(url.port)) }
}

/** @param {Role} role @param {number} port @returns {Server} */
function handleOf (role, port) {
  return {
    role,
    // A stand-in: what is seen of our process is the same for both.
    pid: process.pid,
    port,
    dir: '',
    dataDir: '',
    patience: 1,
    upstream: null,
    origin: `http://127.0.0.1:${port}`,
    proof: { noted: [], markers: [] },
    hasExited: () => false,
    exited: new Promise(() => {}),
    howItEnded: () => null,
    children: async () => null,
    output: () => '',
    outputBytes: () => 0,
    use: async () => null,
    footprint: async () => null,
    members: () => [],
    isStopped: () => false,
    isConnectedTo: () => false,
    isApart: false,
    accepted: () => null,
    inspector: () => null,
    stop: async () => ({ forced: false, orphans: 0 })
  }
}

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
    return JSON.parse(textOf(fs.readFileSync(file))) ?? {}
  } catch (error) {
    throw new WorkshopError(`The package.json in ${name} can’t be read (${error.message}): correct it, or say how ` +
      `the server is started, ${example}.`)
  }
}

/**
 * People's own server gets their whole environment, as from their shell, and finds its packages' programs.
 *
 * @param {string} dir
 */
function withPackages (dir) {
  const own = Object.entries(process.env).flatMap(([name, value]) => value === undefined ? [] : [[name, value]])
  const isPath = (/** @type {string[]} */ [name]) => name.toUpperCase() === 'PATH'
  const [, before = ''] = own.find(isPath) ?? []
  const bin = path.join(dir, 'node_modules', '.bin')
  return { ...Object.fromEntries(own.filter((one) => !isPath(one))), PATH: `${bin}${path.delimiter}${before}` }
}
