import fs from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { workshopRoot } from '../../runner/shared/workshop.js'
import { inGroup, limits } from './groups.js'

/**
 * The command lines of bubblewrap, bwrap(1): an outer sandbox with its own network for everything that a check
 * starts, and in it an inner one for each server.
 *
 * The outer one keeps the system's PID namespace: with another one the inner couldn't mount /proc.
 *
 * @import { Launch } from '../../runner/process/index.js'
 * @import { Hierarchy } from './groups.js'
 */

/** Those that are there: on many systems they're links into /usr. */
const systemFolders = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64']
/** With solutions, tests and results: they may lie in a system's folder. */
const hidden = ['/usr/src', workshopRoot].filter((place) => fs.existsSync(place))
const usualPath = ['/usr/local/bin', '/usr/bin', '/bin', '/usr/sbin', '/sbin']
const settings = ['sys', 'sysrq-trigger', 'fs', 'acpi', 'scsi', 'mtrr', 'driver', 'pressure']
const systemFiles = ['/etc/ld.so.cache', '/etc/hosts', '/etc/nsswitch.conf', '/etc/localtime']

/**
 * What the check itself writes may lie behind a link that a submission has laid: only these can be written.
 *
 * @param {string[]} disks folders that become bounded file systems, one after the other
 * @param {string[]} writes further folders
 */
function outerArgs (disks, writes) {
  return [
    '--unshare-user', '--unshare-net', '--die-with-parent', '--ro-bind', '/', '/', '--dev', '/dev',
    '--dev-bind', '/proc', '/proc', ...writes.flatMap((place) => ['--bind', place, place]),
    ...disks.flatMap((place) => ['--size', String(limits.diskBytes), '--tmpfs', place]), '--'
  ]
}

/**
 * @param {object} server
 * @param {string} server.dir where it runs; it can read it, not write to it
 * @param {string} server.dataDir the one place to which it can write, besides its own /tmp
 * @param {string[]} [server.reads] what else it can read
 * @param {string[]} server.args its command
 * @param {boolean} server.boundsProcesses does the system count processes for each user namespace?
 */
export function innerArgs ({ dir, dataDir, reads: more = [], args, boundsProcesses }) {
  const modules = args.filter((arg) => arg.startsWith('file:')).map((url) => fileURLToPath(url))
  const own = [fs.realpathSync(process.execPath), ...modules, ...more, dir]
  const reads = new Set([...own, path.dirname(dataDir), ...own.flatMap(foundAbove)])
  return [
    '--unshare-user', '--unshare-pid', '--unshare-ipc', '--unshare-uts', '--unshare-cgroup-try', '--disable-userns',
    '--die-with-parent', '--new-session', '--cap-drop', 'ALL',
    ...[...systemFolders, ...systemFiles].flatMap((place) => ['--ro-bind-try', place, place]),
    // What root may write there, root may write in a user namespace, too.
    '--proc', '/proc', ...settings.flatMap((name) => ['--ro-bind-try', `/proc/${name}`, `/proc/${name}`]),
    '--dev', '/dev', '--remount-ro', '/dev',
    '--size', String(limits.temporaryBytes), '--tmpfs', '/tmp',
    // The workshop may lie in there, too.
    ...hidden.flatMap((place) => ['--tmpfs', place]),
    ...[...reads].flatMap((place) => ['--ro-bind', place, place]),
    '--bind', dataDir, dataDir,
    ...['/', ...hidden].flatMap((place) => ['--remount-ro', place]), '--chdir', dir,
    // The grader's own says where its programs are.
    '--setenv', 'PATH', [path.dirname(own[0]), ...usualPath].join(':'), '--',
    'prlimit', `--nofile=${limits.openFiles}`, '--core=0', `--fsize=${limits.fileBytes}`,
    ...boundsProcesses ? [`--nproc=${limits.server.processes}`] : []
  ]
}

/** What Node.js looks for in the folders above a place. @param {string} place @returns {string[]} */
function foundAbove (place) {
  const above = path.dirname(place)
  if (above === place) return []
  const here = ['package.json', 'node_modules'].map((name) => path.join(above, name))
  return [...here.filter((one) => fs.existsSync(one)), ...foundAbove(above)]
}

/**
 * How things are started in a sandbox.
 *
 * Plain data: it also goes to the process that starts the servers.
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
 * @param {string[]} disks those of the servers
 * @returns {(command: string, args: readonly string[]) => [command: string, args: string[]]}
 */
export function startIn ({ hierarchies }, run, temporary, disks) {
  const outer = ['bwrap', ...outerArgs([temporary, ...disks], hierarchies.flatMap(({ parent }) => parent || []))]
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
 * @param {Launch['disks']} disks
 * @returns {Launch}
 */
export function launchIn ({ hierarchies, boundsProcesses }, run, disks) {
  let started = 0
  return {
    // bwrap, the first process of its namespace, and the server below that.
    depth: 2,
    disks,
    wrap: ({ command, args, env }, { dir, dataDir, reads }) => {
      const inner = ['bwrap', ...innerArgs({ dir, dataDir, reads, args, boundsProcesses }), command, ...args]
      const [first, ...rest] = inGroup(hierarchies, `${run}-${++started}`, inner, limits.server)
      return { command: first, args: rest, env: { ...env, HOME: '/tmp', TMPDIR: '/tmp', TEMP: '/tmp', TMP: '/tmp' } }
    }
  }
}
