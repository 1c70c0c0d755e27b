/**
 * @param {string} file
 * @param {Pick<typeof import('node:fs/promises'), 'stat'>} fs
 * @returns {Promise<boolean>}
 */
export async function exists (file, fs) {
  try {
    await fs.stat(file)
    return true
  } catch (error) {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return false
    throw error
  }
}
