import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { listNames, readText } from '../runner/process/index.js'

/**
 * Temporary folders of the workshop, and processes that one of its checks started. `test/run.js` gives each file of
 * tests its own temporary folder, so that another check on the same machine isn't taken for a leftover.
 *
 * @param {string} [temporary] the temporary folder
 * @returns {string[]}
 */
export function findLeftovers (temporary = os.tmpdir()) {
  const folders = fs.readdirSync(temporary)
    .filter((name) => /^(make-it-fast|mif)-/.test(name))
    .map((name) => path.join(temporary, name))
  return [...folders, ...processes(temporary)]
}

/**
 * Servers have their data there, helpers their marker, and the guard has the folder that it is to remove.
 *
 * @param {string} temporary
 */
function processes (temporary) {
  const folder = fs.realpathSync(temporary)
  return listNames('/proc').filter((name) => /^\d+$/.test(name)).filter((pid) => {
    const command = readText(`/proc/${pid}/cmdline`) ?? ''
    const environment = readText(`/proc/${pid}/environ`) ?? ''
    const isServer = environment.includes('\0MAKE_IT_FAST_RUN=') && environment.includes(`\0DATA_DIR=${folder}`)
    const isHelper = environment.includes('\0MAKE_IT_FAST_HELPER=') && environment.includes(`\0TMPDIR=${folder}`)
    const isGuard = /guard.process\.js\0/.test(command) && command.includes(`\0${folder}`)
    return isServer || isHelper || isGuard
  }).map((pid) => `process ${pid}`)
}
