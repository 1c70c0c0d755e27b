import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { listNames, readText } from '../system/index.js'
import { limits } from './limits.js'

/**
 * Control groups, cgroups(7), which bound the processes and the memory of a server, or of a check, with all that it
 * starts.
 *
 * @typedef {'processes' | 'memory'} Bound
 *
 * @typedef {object} Hierarchy a place in which groups can be made
 * @property {string} parent
 * @property {1 | 2} version
 * @property {Bound[]} bounds
 *
 * @typedef {{ processes: number, memoryBytes: number }} Most what a group may use
 */

const prefix = 'make-it-fast-'
const oldMs = 10 * 60_000
/** The files that bound a group. @type {Record<Bound, Record<1 | 2, (most: Most) => Record<string, string>>>} */
const filesOf = {
  processes: {
    1: ({ processes }) => ({ 'pids.max': String(processes) }),
    2: ({ processes }) => ({ 'pids.max': String(processes) })
  },
  memory: {
    1: ({ memoryBytes: most }) => ({ 'memory.limit_in_bytes': `${most}`, 'memory.memsw.limit_in_bytes': `${most}` }),
    2: ({ memoryBytes: most }) => ({ 'memory.max': `${most}`, 'memory.swap.max': '0' })
  }
}
/** Some of these exist only where swapping is accounted. */
const optional = new Set(['memory.memsw.limit_in_bytes', 'memory.swap.max'])
/** A shell that joins the groups it is given, and then becomes the command. */
const join = 'while [ "$1" != -- ]; do echo 0 > "$1/cgroup.procs" || exit 125; shift; done; shift; exec "$@"'

/** @returns {Hierarchy[]} those in which we can make groups now; empty where the system lets us make none */
export function findHierarchies () {
  /** @type {Hierarchy[]} */
  const found = []
  for (const one of candidates(readText('/proc/self/cgroup') ?? '')) {
    // Where version 1 is mounted, version 2's place may be a plain folder.
    if (!fs.existsSync(path.join(one.parent, 'cgroup.procs'))) continue
    const isBounded = one.bounds.some((bound) => found.some(({ bounds }) => bounds.includes(bound)))
    if (!isBounded && works(one)) found.push(one)
  }
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

/** @param {Hierarchy} hierarchy */
function works (hierarchy) {
  const group = `${prefix}probe-${process.pid}`
  try {
    const [command, ...args] = inGroup([hierarchy], group, ['true'], limits.server)
    return spawnSync(command, args, { stdio: 'ignore' }).status === 0
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
  const places = hierarchies.map(({ parent, version, bounds }) => {
    const place = path.join(parent, name)
    fs.mkdirSync(place)
    for (const [file, value] of bounds.flatMap((bound) => Object.entries(filesOf[bound][version](most)))) {
      if (!optional.has(file) || fs.existsSync(path.join(place, file))) fs.writeFileSync(path.join(place, file), value)
    }
    return place
  })
  return places.length === 0 ? command : ['sh', '-c', join, 'sh', ...places, '--', ...command]
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
