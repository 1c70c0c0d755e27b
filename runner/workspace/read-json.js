import nodeFs from 'node:fs/promises'

/**
 * Reads a file that the workshop wrote and that may have been damaged since.
 *
 * @param {string} file
 * @param {Pick<typeof nodeFs, 'readFile'>} [fs]
 * @returns {Promise<{ value: any, unreadable: boolean }>} value: undefined where the file is missing or not JSON
 */
export async function readJson (file, fs = nodeFs) {
  try {
    return { value: JSON.parse(await fs.readFile(file, 'utf8')), unreadable: false }
  } catch (error) {
    return { value: undefined, unreadable: error.code !== 'ENOENT' }
  }
}
