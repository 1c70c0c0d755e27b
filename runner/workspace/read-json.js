import nodeFs from 'node:fs/promises'

/**
 * Reads a file that the workshop wrote once and that anything may have happened to since.
 *
 * @param {string} file
 * @param {Pick<typeof nodeFs, 'readFile'>} [fs]
 * @returns {Promise<{ value: any, unreadable: boolean }>} value: undefined when there is no file or it makes no sense
 */
export async function readJson (file, fs = nodeFs) {
  try {
    return { value: JSON.parse(await fs.readFile(file, 'utf8')), unreadable: false }
  } catch (error) {
    return { value: undefined, unreadable: error.code !== 'ENOENT' }
  }
}
