import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { listNames, readText } from '../../runner/process/index.js'

const mib = 1024 ** 2

/** What a server in the sandbox may use at most, and the check beside it. */
export const limits = {
  /** threads count, too */
  server: { processes: 512, memoryBytes: 1024 * mib },
  check: { processes: 512, memoryBytes: 2048 * mib },
  openFiles: 8192,
  /** of one file */
  fileBytes: 256 * mib,
  /** of what all servers of a kind write in a check, and of the check's own copies */
  diskBytes: 512 * mib,
  /** of a server's own /tmp */
  temporaryBytes: 64 * mib
}

/**
 * Control groups, cgroups(7), which bound the processes and the memory of a server, or of a check, with all that it
 * starts.
 *
 * @typedef {'processes' | 'memory'} Bound
 *
 * @typedef {object} Hierarchy a place in which groups can be made
 * @property {string} parent
 * @property {1 | 2 | 'scope'} version scope: systemd makes them
 * @property {Bound[]} bounds
 *
 * @typedef {{ processes: number, memoryBytes: number }} Most what a group may use
 * @typedef {Record<Bound, (most: Most) => Record<string, number>>} Settings
 */

const prefix = 'make-it-fast-'
const oldMs = 10 * 60_000
/** What bounds a group: files, or properties for systemd. @type {Record<Hierarchy['version'], Settings>} */
const settings = {
  1: {
    processes: ({ processes }) => ({ 'pids.max': processes }),
    memory: ({ memoryBytes }) => ({ 'memory.limit_in_bytes': memoryBytes, 'memory.memsw.limit_in_bytes': memoryBytes })
  },
  2: {
    processes: ({ processes }) => ({ 'pids.max': processes }),
    memory: ({ memoryBytes }) => ({ 'memory.max': memoryBytes, 'memory.swap.max': 0 })
  },
  scope: {
    processes: ({ processes }) => ({ TasksMax: processes }),
    memory: ({ memoryBytes }) => ({ MemoryMax: memoryBytes, MemorySwapMax: 0 })
  }
}
/** Some of these exist only where swapping is accounted. */
const optional = new Set(['memory.memsw.limit_in_bytes', 'memory.swap.max'])
/** The user's own manager, which an ordinary desktop or server has. @type {Hierarchy} */
const scope = { parent: '', version: 'scope', bounds: ['processes', 'memory'] }
/** With version 1 systemd takes the bound, and doesn't keep it. */
const isBounded = 'read -r most < "/sys/fs/cgroup$(sed -n s/^0:://p /proc/self/cgroup)/memory.max" && ' +
  `[ "$most" = ${limits.server.memoryBytes} ]`
/** A shell that joins the groups it is given, and then becomes the command. */
const join = 'while [ "$1" != -- ]; do echo 0 > "$1/cgroup.procs" || exit 125; shift; done; shift; exec "$@"'

/** @returns {Hierarchy[]} those in which we can make groups now; empty where the system lets us make none */
export function findHierarchies () {
  /** @type {Hierarchy[]} */
  const found = []
  for (const one of candidates(readText('/proc/self/cgroup') ?? '')) {
    // Where version 1 is mounted, version 2's place may be a plain folder.
    if (!fs.existsSync(path.join(one.parent, 'cgroup.procs'))) continue
    const isKnown = one.bounds.some((bound) => found.some(({ bounds }) => bounds.includes(bound)))
    if (!isKnown && works(one)) found.push(one)
  }
  const isWhole = found.some(({ bounds }) => bounds.includes('memory'))
  if (!isWhole && process.env.XDG_RUNTIME_DIR && works(scope, ['sh', '-c', isBounded])) return [scope]
  // A grader that was killed has left its own.
  for (const { parent } of found) groupsIn(parent, prefix).filter(isOld).forEach(removeOne)
  return found
}

/**
 * Our own group and those above it, the nearest first, in both versions. Pure.
 *
 * @param {string} text of /proc/self/cgroup
 * @returns {Hierarchy[]}
 */
export function candidates (text) {
  return text.split('\n').flatMap((line) => {
    const [, controllers, group] = /^\d+:([^:]*):(\/.*)$/.exec(line) ?? []
    if (group === undefined) return []
    const groups = [group]
    while (groups[groups.length - 1] !== '/') groups.push(path.posix.dirname(groups[groups.length - 1]))
    return kindsOf(controllers).flatMap(({ root, ...rest }) =>
      groups.map((one) => ({ parent: path.posix.join(root, one).replace(/\/$/, ''), ...rest })))
  })
}

/** @param {string} controllers @returns {({ root: string } & Omit<Hierarchy, 'parent'>)[]} */
function kindsOf (controllers) {
  if (controllers === '') return [{ root: '/sys/fs/cgroup', version: 2, bounds: ['processes', 'memory'] }]
  const place = { root: `/sys/fs/cgroup/${controllers}`, version: /** @type {const} */ (1) }
  const names = controllers.split(',')
  if (names.includes('pids')) return [{ ...place, bounds: ['processes'] }]
  return names.includes('memory') ? [{ ...place, bounds: ['memory'] }] : []
}

/** @param {Hierarchy} hierarchy @param {string[]} [command] */
function works (hierarchy, command = ['true']) {
  const group = `${prefix}probe-${process.pid}`
  try {
    const [first, ...args] = inGroup([hierarchy], group, command, limits.server)
    return spawnSync(first, args, { stdio: 'ignore' }).status === 0
  } catch {
    return false
  } finally {
    removeOne(path.join(hierarchy.parent, group))
  }
}

/**
 * Makes a group in each hierarchy.
 *
 * @param {readonly Hierarchy[]} hierarchies
 * @param {string} name
 * @param {string[]} command
 * @param {Most} most
 * @returns {string[]} the command that starts it in them, under the same pid
 * @throws the error of the file system
 */
export function inGroup (hierarchies, name, command, most) {
  if (hierarchies[0]?.version === 'scope') return inScope(name, command, most)
  const places = hierarchies.map(({ parent, version, bounds }) => {
    const place = path.join(parent, name)
    fs.mkdirSync(place)
    for (const [name, value] of bounds.flatMap((bound) => Object.entries(settings[version][bound](most)))) {
      const file = path.join(place, name)
      if (!optional.has(name) || fs.existsSync(file)) fs.writeFileSync(file, String(value))
    }
    return place
  })
  return places.length === 0 ? command : ['sh', '-c', join, 'sh', ...places, '--', ...command]
}

/**
 * @param {string} name
 * @param {string[]} command
 * @param {Most} most
 * @returns {string[]} systemd-run becomes the command, too
 */
function inScope (name, command, most) {
  const bounds = scope.bounds.flatMap((bound) => Object.entries(settings.scope[bound](most)))
  return [
    'env', `XDG_RUNTIME_DIR=${process.env.XDG_RUNTIME_DIR ?? `/run/user/${process.getuid?.()}`}`,
    'systemd-run', '--user', '--scope', '--quiet', '--collect', `--unit=${name}`,
    ...bounds.flatMap(([key, value]) => ['-p', `${key}=${value}`]), '--', ...command
  ]
}

/**
 * Removes the groups of a run. They are empty as soon as the system has ended what was in them.
 *
 * @param {readonly Hierarchy[]} hierarchies
 * @param {string} run with which their names begin
 */
export async function removeGroups (hierarchies, run) {
  for (let tries = 0; tries < 100; tries++) {
    const left = hierarchies.flatMap(({ parent }) => groupsIn(parent, run))
    if (left.filter((place) => !removeOne(place)).length === 0) return
    await sleep(20)
  }
}

/**
 * Has the system ended a process of this group because it needed more memory than it may have?
 *
 * @param {readonly Hierarchy[]} hierarchies
 * @param {string} name of the group
 */
export function hasRunOut (hierarchies, name) {
  return hierarchies.some(({ parent, version }) => {
    const said = readText(path.join(parent, name, version === 1 ? 'memory.oom_control' : 'memory.events'))
    return /^oom_kill [1-9]/m.test(said ?? '')
  })
}

/** @param {string} parent @param {string} start of their names */
function groupsIn (parent, start) {
  return listNames(parent).filter((name) => name.startsWith(start)).map((name) => path.join(parent, name))
}

/** @param {string} place */
function isOld (place) {
  return Date.now() - (fs.statSync(place, { throwIfNoEntry: false })?.mtimeMs ?? Infinity) > oldMs
}

/** @param {string} place @returns {boolean} is it gone? */
function removeOne (place) {
  try {
    fs.rmdirSync(place)
    return true
  } catch (error) {
    return error.code === 'ENOENT'
  }
}
