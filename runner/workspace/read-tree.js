import fs from 'node:fs/promises'
import path from 'node:path'

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
