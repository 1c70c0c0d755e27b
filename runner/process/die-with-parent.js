import { spawnSync } from 'node:child_process'

const flags = ['--pdeathsig', 'KILL']

/** @type {boolean | undefined} */
let hasSetpriv

/**
 * A command that the kernel ends together with its parent, however that ends: setpriv(1) of util-linux sets
 * PR_SET_PDEATHSIG (prctl(2)) and then becomes the command, under the same pid. For the kernel the parent is a thread,
 * so it has to live as long as the run. Without setpriv the command is unchanged: the guard is the first safeguard.
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
