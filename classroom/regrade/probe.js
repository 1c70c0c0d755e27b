import { execFile } from 'node:child_process'
import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { WorkshopError } from '../../runner/shared/errors.js'
import { makeTemporary } from '../../runner/process/index.js'
import { launchIn, startIn } from './bubblewrap.js'
import { findHierarchies, limits, removeGroups } from './groups.js'

/** @import { Sandbox } from './bubblewrap.js' */

const run = promisify(execFile)
const timeoutMs = 20_000
/** The first one with --disable-userns. */
const leastVersion = [0, 8]
/** From here on Linux counts a user's processes for each user namespace. */
const leastKernel = [5, 14]

const always = [
  'no network but a loopback of its own',
  'no other process to be seen or signalled',
  'no file but its own, Node.js and the packages; only its DATA_DIR and its /tmp can be written',
  `files: ${limits.openFiles} open, ${inMib(limits.fileBytes)} each, ${inMib(limits.diskBytes)} in all`
]

/**
 * Which sandbox is there? It is tried, and says what it enforces here.
 *
 * @param {{ isOptional?: boolean }} [options] isOptional: go without one if there's no sandbox
 * @returns {Promise<Sandbox>}
 * @throws {WorkshopError} there's no sandbox
 */
export async function probeSandbox ({ isOptional = false } = {}) {
  const hierarchies = process.platform === 'linux' ? findHierarchies() : []
  const boundsProcesses = isAtLeast(os.release(), leastKernel) && process.getuid?.() !== 0
  const bounds = new Map([
    [`at most ${limits.server.processes} processes and threads`,
      boundsProcesses || hierarchies.some((one) => one.bounds.includes('processes'))],
    [`at most ${inMib(limits.server.memoryBytes)} of memory`, hierarchies.some((one) => one.bounds.includes('memory'))]
  ])
  const some = (/** @type {boolean} */ wanted) => [...bounds.keys()].filter((phrase) => bounds.get(phrase) === wanted)
  /** @type {Sandbox} */
  const sandbox =
    { kind: 'bubblewrap', enforced: [...always, ...some(true)], missing: some(false), hierarchies, boundsProcesses }
  const problem = await problemWith(sandbox)
  if (problem === null) return sandbox
  if (isOptional) {
    const missing = [...always, ...bounds.keys()]
    return { kind: 'none', enforced: [], missing, hierarchies: [], boundsProcesses: false }
  }
  throw new WorkshopError(`There is no sandbox for other people’s code here: ${problem} With --no-sandbox it runs ` +
    'without one, with all your rights, and the results are marked as unverified.')
}

/**
 * What gets out of a sandbox that root has made is root.
 *
 * @param {NodeJS.ProcessEnv} env
 * @param {number} [uid]
 * @throws {WorkshopError} we are root, and nobody has said that this is meant
 */
export function refuseRoot (env, uid = process.getuid?.()) {
  if (uid !== 0 || env.MAKE_IT_FAST_AS_ROOT === '1') return
  throw new WorkshopError('Other people’s code isn’t run as root: use an ordinary account. In a container or a ' +
    'virtual machine that has nothing else, set MAKE_IT_FAST_AS_ROOT=1.')
}

/** @param {Sandbox} sandbox @returns {Promise<string | null>} a sentence that names the way out */
async function problemWith (sandbox) {
  if (process.platform !== 'linux') return 'bubblewrap runs on Linux only: use a Linux machine or a virtual one.'
  const version = await run('bwrap', ['--version']).then(({ stdout }) => stdout, () => null)
  if (version === null) return 'install bubblewrap (`apt install bubblewrap`).'
  if (!isAtLeast(version, leastVersion)) {
    return `${version.trim()} is too old: install bubblewrap ${leastVersion.join('.')} or newer.`
  }
  return tryIt(sandbox)
}

/** Starts Node.js as a server will be. @param {Sandbox} sandbox @returns {Promise<string | null>} */
async function tryIt (sandbox) {
  const folder = await makeTemporary()
  const name = path.basename(folder.dir)
  try {
    const [temporary, dir, dataDir] = ['run', 'server', 'own/data'].map((one) => path.join(folder.dir, one))
    for (const one of [temporary, dir, dataDir]) await fs.mkdir(one, { recursive: true })
    const given = { command: process.execPath, args: ['--version'], env: process.env }
    const inner = launchIn(sandbox, name).wrap(given, { dir, dataDir })
    const [command, args] = startIn(sandbox, name, temporary)(inner.command, inner.args)
    await run(command, args, { timeout: timeoutMs, env: given.env })
    return null
  } catch (error) {
    const said = String(error.stderr ?? error.message).trim().split('\n').at(-1)
    return `bubblewrap is installed, but can’t work (${said}): does this system allow user namespaces?`
  } finally {
    await folder.remove()
    await removeGroups(sandbox.hierarchies, name)
  }
}

/** @param {string} text with a version in it @param {number[]} least major and minor */
function isAtLeast (text, [major, minor]) {
  const [one = 0, two = 0] = /(\d+)\.(\d+)/.exec(text)?.slice(1).map(Number) ?? []
  return one > major || (one === major && two >= minor)
}

/** @param {number} bytes */
function inMib (bytes) {
  return `${bytes / 1024 ** 2} MiB`
}

/** @param {Pick<Sandbox, 'kind' | 'enforced' | 'missing'>} sandbox @returns {string[]} sentences */
export function aboutSandbox ({ kind, enforced, missing }) {
  if (kind === 'none') return ['NO SANDBOX: submissions run with all your rights, and results are unverified.']
  return [
    `Sandbox: ${kind}. Enforced: ${enforced.join('; ')}.`,
    ...missing.length > 0 ? [`NOT ENFORCED on this machine: ${missing.join('; ')}.`] : [],
    ...process.getuid?.() === 0 ? ['You are root: an ordinary account is safer, and is enough.'] : []
  ]
}
