import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'

/**
 * Temporary folders of the workshop, and processes that one of its checks started. `test/run.js` gives the tests a
 * temporary folder of their own, so that another check on the same machine is not taken for a leftover.
 *
 * @returns {string[]}
 */
export function findLeftovers () {
  const folders = fs.readdirSync(os.tmpdir())
    .filter((name) => /^(make-it-fast|mif)-/.test(name))
    .map((name) => path.join(os.tmpdir(), name))
  return [...folders, ...processes()]
}

function processes () {
  if (process.platform !== 'linux') return []
  return fs.readdirSync('/proc').filter((name) => /^\d+$/.test(name)).filter((pid) => {
    try {
      const environment = fs.readFileSync(`/proc/${pid}/environ`, 'latin1')
      return environment.includes('\0MAKE_IT_FAST_RUN=') && environment.includes(`\0DATA_DIR=${fs.realpathSync(os.tmpdir())}`)
    } catch {
      return false
    }
  }).map((pid) => `process ${pid}`)
}
