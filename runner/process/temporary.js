import nodeFs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { shownPath } from '../shared/text.js'
import { entryOf, isThere, readLink, readText } from './proc.js'
import { freePort } from './sockets.js'

/**
 * Temporary folders. The only place that removes a folder with its contents; the linter refuses it everywhere else.
 *
 * @typedef {object} TemporaryFolder
 * @property {string} dir its real path
 * @property {string} identity tells it from any other folder at that path
 * @property {() => Promise<boolean>} remove with its contents; never rejects; false where it could not be removed, or
 *   is no longer the folder that was made
 *
 * @typedef {object} Owner of a folder: the process that made it
 * @property {string} dir
 * @property {number} pid
 * @property {number | null} start of that process; null where the system does not tell
 * @property {string} world
 */

const usualPrefix = 'make-it-fast-'
/** The letters that mkdtemp adds to the prefix. */
const suffix = /^\w{6}$/
const ownerFile = '.make-it-fast-owner.json'

/** A younger folder may still be in the making. */
const youngMs = 10 * 60_000
/** Whether an owner in another container, or from before a reboot, still runs can't be known. */
const foreignMs = 24 * 3_600_000

/**
 * @param {object} [options]
 * @param {string} [options.parent] default: the system's temporary folder
 * @param {string} [options.prefix]
 * @param {typeof nodeFs} [options.fs]
 * @returns {Promise<TemporaryFolder>}
 * @throws the error of the file system
 */
export async function makeTemporary ({ parent = os.tmpdir(), prefix = usualPrefix, fs = nodeFs } = {}) {
  // Everything else first: from mkdtemp on, a process that is killed leaves the folder behind.
  const owner = { pid: process.pid, start: entryOf(process.pid)?.start ?? null, world: world() }
  const real = await fs.realpath(parent)
  const dir = await fs.mkdtemp(path.join(real, prefix))
  const identity = await identityOf(dir, fs) ?? ''
  const remove = () => removeMade({ dir, identity }, { fs })
  try {
    await fs.writeFile(path.join(dir, ownerFile), JSON.stringify(/** @type {Owner} */ ({ dir, ...owner })))
  } catch (error) {
    await remove()
    throw error
  }
  return { dir, identity, remove }
}

/**
 * Removes a folder, if it is still the one that was made. Links in it are removed, not followed.
 *
 * @param {Pick<TemporaryFolder, 'dir' | 'identity'>} folder
 * @param {{ fs?: typeof nodeFs }} [options]
 * @returns {Promise<boolean>} was it removed? Never rejects
 */
export async function removeMade ({ dir, identity }, { fs = nodeFs } = {}) {
  try {
    if (identity === '' || await identityOf(dir, fs) !== identity) return false
    // The owner file goes last, so that what could not be removed now can be swept up later.
    for (const name of await fs.readdir(dir)) {
      if (name !== ownerFile) await fs.rm(path.join(dir, name), { recursive: true, force: true, maxRetries: 5 })
    }
    await fs.rm(path.join(dir, ownerFile), { force: true })
    await fs.rmdir(dir)
    return true
  } catch {
    // Leftovers in a temporary folder are swept up later.
    return false
  }
}

/**
 * Removes the folders of runs that were killed: this user's, old enough, and made there by a process that is gone
 * according to their owner file. An empty folder goes as well: its maker was killed before it could write one.
 *
 * @param {object} [options]
 * @param {string} [options.parent]
 * @param {string} [options.prefix]
 * @param {number} [options.now] ms since 1970
 * @param {typeof nodeFs} [options.fs]
 * @returns {Promise<number>} how many were removed; never rejects
 */
export async function sweepTemporary (options = {}) {
  const { parent = os.tmpdir(), prefix = usualPrefix, now = Date.now(), fs = nodeFs } = options
  /** @type {string[]} */
  const names = await fs.readdir(parent).catch(() => [])
  let removed = 0
  for (const name of names) {
    if (!name.startsWith(prefix) || !suffix.test(name.slice(prefix.length))) continue
    const dir = path.join(parent, name)
    const stat = await fs.lstat(dir).catch(() => null)
    const ageMs = stat === null ? 0 : now - stat.mtimeMs
    if (!stat?.isDirectory() || ageMs < youngMs || stat.uid !== (process.getuid?.() ?? stat.uid)) continue
    const identity = (await identityOf(dir, fs)) ?? ''
    const owner = await readOwner(dir, fs)
    const isHere =
      owner === null
        ? (await fs.readdir(dir).catch(() => [''])).every((inside) => inside === ownerFile)
        : owner.dir === (await fs.realpath(dir).catch(() => null))
    if (!isHere || (owner && !isAbandoned(owner, { ageMs, world: world(), isThere: isOwnerThere }))) continue
    removed += Number(await removeMade({ dir, identity }, { fs }))
  }
  return removed
}

/**
 * Has every process that needs this folder gone? Pure.
 *
 * @param {Owner} owner
 * @param {{ ageMs: number, world: string, isThere: (owner: Owner) => boolean }} seen ageMs: since its last change
 * @returns {boolean}
 */
export function isAbandoned (owner, { ageMs, world, isThere }) {
  if (ageMs < youngMs) return false
  return owner.world === world ? !isThere(owner) : ageMs >= foreignMs
}

/** @param {Owner} owner */
function isOwnerThere ({ pid, start }) {
  // Without a start, the owner can't be told from a process that reuses its pid: the folder stays.
  return start === null ? isTaken(pid) : isThere({ pid, start })
}

/** @param {number} pid */
function isTaken (pid) {
  try {
    os.getPriority(pid)
    return true
  } catch (error) {
    return error.info?.code !== 'ESRCH'
  }
}

/** Where a pid means one process: this boot of this machine, or this container. */
function world () {
  return [os.hostname(), readText('/proc/sys/kernel/random/boot_id')?.trim(), readLink('/proc/self/ns/pid')].join(' ')
}

/** @param {string} dir @param {typeof nodeFs} fs @returns {Promise<string | null>} null: there is no folder */
async function identityOf (dir, fs) {
  const stat = await fs.lstat(dir, { bigint: true }).catch(() => null)
  return stat?.isDirectory() ? `${stat.dev}:${stat.ino}` : null
}

/** @param {string} dir @param {typeof nodeFs} fs @returns {Promise<Owner | null>} */
async function readOwner (dir, fs) {
  try {
    const owner = JSON.parse(await fs.readFile(path.join(dir, ownerFile), 'utf8'))
    const isWhole = typeof owner.dir === 'string' && Number.isInteger(owner.pid) && typeof owner.world === 'string' &&
      (owner.start === null || Number.isInteger(owner.start))
    return isWhole ? owner : null
  } catch {
    return null
  }
}

/**
 * @typedef {object} Place
 * @property {string} what what is fine, one sentence
 * @property {string | null} problem what is wrong, one sentence
 * @property {string} [fix]
 */

/** Can the folders be written, and does 127.0.0.1 give ports? @param {string[]} folders @returns {Promise<Place[]>} */
export async function checkPlaces (folders) {
  return Promise.all([...folders.map(canWrite), canListen()])
}

/**
 * Removes what killed runs have left in the system's temporary folder.
 *
 * @returns {Promise<Place[]>} empty where nothing was left
 */
export async function sweepPlaces () {
  const folders = await sweepTemporary()
  if (folders === 0) return []
  const what =
    folders === 1
      ? 'One temporary folder of a run that was killed has'
      : `${folders} temporary folders of runs that were killed have`
  return [{ what: `${what} now been removed.`, problem: null }]
}

/** @param {string} folder @returns {Promise<Place>} */
async function canWrite (folder) {
  const shown = shownPath(folder)
  try {
    await nodeFs.mkdir(folder, { recursive: true })
    const probe = await nodeFs.mkdtemp(path.join(folder, '.doctor-'))
    await nodeFs.rmdir(probe)
    return { what: `${shown} is writable.`, problem: null }
  } catch (error) {
    return {
      what: shown,
      problem: `${shown} isn’t writable (${error.code}).`,
      fix: 'Change its permissions, or free some space on the disk.'
    }
  }
}

/** @returns {Promise<Place>} */
function canListen () {
  return freePort().then(() => ({ what: 'Ports can be opened on 127.0.0.1.', problem: null }), (error) => ({
    what: 'ports',
    problem: `No port can be opened on 127.0.0.1 (${error.code}).`,
    fix: 'Does a firewall or a sandbox forbid it?'
  }))
}
