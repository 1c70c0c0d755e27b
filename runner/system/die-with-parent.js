import { spawnSync } from 'node:child_process'

const flags = ['--pdeathsig', 'KILL']

/** @type {boolean | undefined} */
let hasSetpriv

/**
 * A command that the system itself ends when what starts it is gone, however that ended: setpriv(1) of util-linux asks
 * the kernel for it (PR_SET_PDEATHSIG of prctl(2)) and then becomes the command, under the same pid. The kernel means
 * the thread that starts it, so that has to be one that lives as long as the run. Where there is no such program, the
 * command as it is. It is the second safeguard, beside the guard.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @returns {[command: string, args: string[]]}
 */
export function dieWithParent (command, args) {
  hasSetpriv ??=
    process.platform === 'linux' && spawnSync('setpriv', [...flags, 'true'], { stdio: 'ignore' }).status === 0
  return hasSetpriv ? ['setpriv', [...flags, command, ...args]] : [command, [...args]]
}
