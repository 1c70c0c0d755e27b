import { randomBytes } from 'node:crypto'
import fs from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { WorkshopError } from '../shared/errors.js'

/**
 * Writes a file so that a reader sees the old text or the new, even after Ctrl-C or a power cut. Creates the folder.
 *
 * @param {string} file
 * @param {string} text
 * @param {{ mode?: number }} [options] mode: permissions, on systems that have them
 * @throws {WorkshopError} the folder cannot be written, the disk is full
 */
export async function writeFileAtomic (file, text, { mode } = {}) {
  const folder = path.dirname(file)
  // In the same folder, since a rename across disks is a copy.
  const temporary = path.join(folder, `.${path.basename(file)}.${process.pid}-${randomBytes(4).toString('hex')}.tmp`)
  try {
    await fs.mkdir(folder, { recursive: true })
    await writeThrough(temporary, text, mode)
    await retryBusy(() => fs.rename(temporary, file))
  } catch (error) {
    await fs.rm(temporary, { force: true }).catch(() => {})
    throw explainFsError(error, folder)
  }
}

/** @param {string} file @param {string} text @param {number} [mode] */
async function writeThrough (file, text, mode) {
  const handle = await fs.open(file, 'wx', mode)
  try {
    await handle.writeFile(text)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/**
 * Retries what Windows refuses while a virus scanner or an editor has the file open.
 *
 * @template T
 * @param {() => Promise<T>} action
 * @returns {Promise<T>}
 */
export async function retryBusy (action) {
  for (const pauseMs of process.platform === 'win32' ? [10, 20, 40, 80, 160] : []) {
    try {
      return await action()
    } catch (error) {
      if (!['EPERM', 'EBUSY', 'EACCES'].includes(error.code)) throw error
      await sleep(pauseMs)
    }
  }
  return action()
}

/** @param {string} file @returns {Promise<boolean>} */
export async function exists (file) {
  try {
    await fs.stat(file)
    return true
  } catch (error) {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return false
    throw error
  }
}

/**
 * A file system error as a sentence that names the folder and the way out; any other error unchanged.
 *
 * @param {any} error
 * @param {string} folder
 * @returns {Error}
 */
export function explainFsError (error, folder) {
  const sentence = sentences[error?.code]
  return sentence ? new WorkshopError(sentence(folder), { cause: error }) : error
}

const elsewhere = 'or set the variable MAKE_IT_FAST_WORKSPACE to a folder of your own'
const isFile = (/** @type {string} */ folder) =>
  `There is a file where the folder ${folder} should be: move the file away and run the command again.`

/** @type {Record<string, (folder: string) => string>} */
const sentences = {
  EACCES: (folder) => `You don’t have permission to write to ${folder}: change its permissions, ${elsewhere}.`,
  EROFS: (folder) => `The disk that holds ${folder} is read-only: make it writable, ${elsewhere}.`,
  ENOSPC: (folder) => `The disk that holds ${folder} is full: free some space and run the command again.`,
  EDQUOT: (folder) =>
    `Your quota on the disk that holds ${folder} is used up: free some space and run the command again.`,
  EPERM: (folder) =>
    `The system doesn’t let us change ${folder}: close the editor, terminal or server that uses it and ` +
    `run the command again, ${elsewhere}.`,
  EBUSY: (folder) =>
    `Another program is using ${folder}: close the editor, terminal or server that uses it and run the ` +
    'command again.',
  ENOTDIR: isFile,
  EEXIST: isFile
}

/**
 * Reads a file that the workshop wrote and that may have been damaged since.
 *
 * @param {string} file
 * @returns {Promise<{ value: any, unreadable: boolean }>} value: undefined where the file is missing or not JSON
 */
export async function readJson (file) {
  try {
    return { value: JSON.parse(await fs.readFile(file, 'utf8')), unreadable: false }
  } catch (error) {
    return { value: undefined, unreadable: error.code !== 'ENOENT' }
  }
}

/**
 * A file to show: its text, or why it cannot be shown.
 *
 * @typedef {{ text: string, note?: undefined } | { text?: undefined, note: string }} TreeFile
 */

const mostBytes = 200 * 1024

/**
 * The files of a folder, without packages and hidden files.
 *
 * @param {string} dir
 * @param {{ first?: string }} [options] first: this file, then the others by name
 * @returns {Promise<Map<string, TreeFile>>} by path below `dir`, with slashes; empty where the folder is missing
 */
export async function readTree (dir, { first = '' } = {}) {
  const names = (await namesBelow(dir)).sort((a, b) =>
    Number(b === first) - Number(a === first) || a.localeCompare(b, 'en'))
  const files = await Promise.all(names.map((name) => readOne(path.join(dir, name))))
  return new Map(names.map((name, at) => [name, files[at]]))
}

/** @param {string} dir @returns {Promise<string[]>} */
async function namesBelow (dir) {
  const items = await fs.readdir(dir, { withFileTypes: true }).catch((error) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  const shown = items.filter(({ name }) => name !== 'node_modules' && !name.startsWith('.'))
  return (await Promise.all(shown.map(async (item) => item.isDirectory()
    ? (await namesBelow(path.join(dir, item.name))).map((name) => `${item.name}/${name}`)
    : [item.name]))).flat()
}

/** @param {string} file @returns {Promise<TreeFile>} */
async function readOne (file) {
  try {
    const { size, ...stats } = await fs.lstat(file)
    if ((stats.mode & fs.constants.S_IFMT) !== fs.constants.S_IFREG) return { note: 'isn’t an ordinary file' }
    if (size > mostBytes) return { note: `is too large to be shown (${Math.round(size / 1024)} kB)` }
    const bytes = await fs.readFile(file)
    return bytes.includes(0) ? { note: 'is binary' } : { text: bytes.toString('utf8') }
  } catch (error) {
    return { note: `cannot be read (${error.code})` }
  }
}
