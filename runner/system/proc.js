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

/** Fewer bytes than a page: the system makes up only what is read, and a whole table takes it milliseconds. */
const pieceBytes = 1024

/** Line by line, as far as the caller wants them. @param {string} file @returns {Generator<string>} */
export function * readLines (file) {
  const piece = Buffer.alloc(pieceBytes)
  let fd
  let rest = ''
  try {
    fd = fs.openSync(file, 'r')
    for (let read; (read = fs.readSync(fd, piece, 0, pieceBytes, null)) > 0;) {
      const lines = (rest + piece.toString('latin1', 0, read)).split('\n')
      rest = lines.pop() ?? ''
      yield * lines
    }
  } catch {} finally {
    if (fd !== undefined) fs.closeSync(fd)
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
