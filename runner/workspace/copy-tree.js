import path from 'node:path'

/**
 * Copies a folder. The copies are writable even when the originals are not (a read-only checkout).
 *
 * @param {string} from
 * @param {string} to is created
 * @param {typeof import('node:fs/promises')} fs
 */
export async function copyTree (from, to, fs) {
  await fs.mkdir(to, { recursive: true })
  for (const item of await fs.readdir(from, { withFileTypes: true })) {
    // There if a learner ran npm in the original folder: thousands of files.
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
