import fs from 'node:fs'

/** Reads /proc, where everything can vanish at any moment: null or an empty list then. */

/** @param {string} file @returns {string | null} */
export function readText (file) {
  try {
    return fs.readFileSync(file, 'latin1')
  } catch {
    return null
  }
}

/** @param {string} file @returns {string | null} */
export function readLink (file) {
  try {
    return fs.readlinkSync(file)
  } catch {
    return null
  }
}

/** @param {string} folder @returns {string[]} */
export function listNames (folder) {
  try {
    return fs.readdirSync(folder)
  } catch {
    return []
  }
}
