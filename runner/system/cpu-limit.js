import { availableParallelism } from 'node:os'
import path from 'node:path'
import { readText } from './proc.js'

/**
 * How many CPUs' worth of time we may use. Containers often get less than the machine has cores, and are throttled:
 * stopped for the rest of each 100 ms. Linux only.
 *
 * @returns {number | null} null: no limit below the number of cores, or the system does not tell
 */
export function cpuLimit () {
  if (process.platform !== 'linux') return null
  const limit = limitIn(readText)
  return limit !== null && limit < availableParallelism() ? limit : null
}

/**
 * The tightest limit of our control group and those around it, of either version: cgroups(7).
 *
 * @param {(file: string) => string | null} read
 * @returns {number | null}
 */
export function limitIn (read) {
  const limits = (read('/proc/self/cgroup') ?? '').split('\n').flatMap((line) => {
    const [, controllers, group] = /^\d+:([^:]*):(\/.*)$/.exec(line) ?? []
    if (group === undefined) return []
    if (controllers === '') {
      return foldersOf(group, ['/sys/fs/cgroup', '/sys/fs/cgroup/unified']).map((folder) => limitOfTwo(folder, read))
    }
    if (!controllers.split(',').includes('cpu')) return []
    return foldersOf(group, ['/sys/fs/cgroup/cpu', `/sys/fs/cgroup/${controllers}`])
      .map((folder) => limitOfOne(folder, read))
  }).filter((limit) => limit > 0)
  return limits.length > 0 ? Math.min(...limits) : null
}

/**
 * A container may see its own group as the root, or under the name that it has outside.
 *
 * @param {string} group
 * @param {string[]} roots
 */
function foldersOf (group, roots) {
  const groups = ['/']
  for (let one = group; one !== '/'; one = path.posix.dirname(one)) groups.push(one)
  return roots.flatMap((root) => groups.map((one) => path.posix.join(root, one).replace(/\/$/, '')))
}

/** @param {string} folder @param {(file: string) => string | null} read @returns {number} NaN: no limit, `max` */
function limitOfTwo (folder, read) {
  const [quota, period] = (read(`${folder}/cpu.max`) ?? '').trim().split(' ').map(Number)
  return quota / period
}

/** @param {string} folder @param {(file: string) => string | null} read @returns {number} NaN or below 0: no limit */
function limitOfOne (folder, read) {
  const [quota, period] = ['quota', 'period'].map((name) => Number(read(`${folder}/cpu.cfs_${name}_us`) ?? NaN))
  return quota / period
}
