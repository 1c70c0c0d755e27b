import { innerArgs, outerArgs } from './bubblewrap.js'
import { inGroup } from './groups.js'
import { limits } from './limits.js'

/**
 * How things are started in a sandbox.
 *
 * Plain data: it also goes to the process that starts the servers.
 * @import { Launch } from '../process/index.js'
 * @import { Hierarchy } from './groups.js'
 *
 * @typedef {object} Sandbox
 * @property {'bubblewrap' | 'none'} kind
 * @property {string[]} enforced phrases, for people
 * @property {string[]} missing what it can't enforce here, in the same form
 * @property {readonly Hierarchy[]} hierarchies in which each server gets a group
 * @property {boolean} boundsProcesses by user namespace
 */

/** A room on this machine, or its other programs, come first. */
const niceness = ['nice', '-n', '10']

/**
 * Starts a process of ours in the outer sandbox, where only a loopback is its network.
 *
 * @param {Sandbox} sandbox
 * @param {string} run under which `removeGroups` finds the groups that are made
 * @param {string} temporary an empty folder, in which it gets a bounded file system
 * @returns {(command: string, args: readonly string[]) => [command: string, args: string[]]}
 */
export function startIn ({ hierarchies }, run, temporary) {
  const outer = ['bwrap', ...outerArgs(temporary, hierarchies.flatMap(({ parent }) => parent || []))]
  return (command, args) => {
    const whole = [...niceness, ...outer, command, ...args]
    const [first, ...rest] = inGroup(hierarchies, `${run}-0`, whole, limits.check)
    return [first, rest]
  }
}

/**
 * Starts servers in an inner sandbox each.
 *
 * @param {Sandbox} sandbox
 * @param {string} run as above
 * @returns {Launch}
 */
export function launchIn ({ hierarchies, boundsProcesses }, run) {
  let started = 0
  return {
    // bwrap, the first process of its namespace, and the server below that.
    depth: 2,
    wrap: ({ command, args, env }, { dir, dataDir, reads }) => {
      const inner = ['bwrap', ...innerArgs({ dir, dataDir, reads, args, boundsProcesses }), command, ...args]
      const [first, ...rest] = inGroup(hierarchies, `${run}-${++started}`, inner, limits.server)
      return { command: first, args: rest, env: { ...env, HOME: '/tmp', TMPDIR: '/tmp', TEMP: '/tmp', TMP: '/tmp' } }
    }
  }
}
