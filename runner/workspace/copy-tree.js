import path from 'node:path'

/**
 * Copies a folder. The copies can be written also where the originals cannot (a read-only checkout).
 *
 * @param {string} from
 * @param {string} to made here
 * @param {typeof import('node:fs/promises')} fs
 */
export async function copyTree (from, to, fs) {
  await fs.mkdir(to, { recursive: true })
  for (const item of await fs.readdir(from, { withFileTypes: true })) {
    // A learner who ran npm in the original folder should not copy thousands of files.
    if (item.name === 'node_modules') continue
    const source = path.join(from, item.name)
    const target = path.join(to, item.name)
    if (item.isDirectory()) {
      await copyTree(source, target, fs)
    } else {
      await fs.copyFile(source, target)
      const { mode } = await fs.stat(target)
      await fs.chmod(target, mode | 0o600)
    }
  }
}
