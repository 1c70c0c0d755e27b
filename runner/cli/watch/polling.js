import { readFile, statfs } from 'node:fs/promises'

/**
 * File systems whose changes the system does not report, as statfs(2) names them: NFS, SMB, CIFS, SMB2, 9P (the drives
 * of Windows under WSL 2), FUSE, VirtualBox, the overlay of AFS.
 */
const silent = [0x6969, 0x517b, 0xff534d42, 0xfe534d42, 0x01021997, 0x65735546, 0x786f4256, 0x5346414f]

/**
 * Do changes in a folder have to be looked for again and again? Pure.
 *
 * @param {object} given
 * @param {string} given.dir
 * @param {number | null} given.fileSystem type as statfs(2) gives it; null where the system does not tell
 * @param {boolean} given.isWsl
 */
export function needsPolling ({ dir, fileSystem, isWsl }) {
  // WSL 1 shows the drives of Windows as a file system that Linux does not know.
  if (isWsl && /^\/mnt\/[a-z](\/|$)/.test(dir)) return true
  return fileSystem !== null && silent.includes(fileSystem >>> 0)
}

/** @param {string} dir @returns {Promise<boolean>} */
export async function isSilent (dir) {
  if (process.platform !== 'linux') return false
  const kernel = await readFile('/proc/sys/kernel/osrelease', 'utf8').catch(() => '')
  const fileSystem = await statfs(dir).then(({ type }) => type, () => null)
  return needsPolling({ dir, fileSystem, isWsl: /microsoft/i.test(kernel) })
}
