import { pbkdf2, pbkdf2Sync } from 'node:crypto'
import fs from 'node:fs'
import os, { availableParallelism } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { plural } from '../shared/format.js'
import { listNames, readText } from './proc.js'

/** @import { MachineResult } from '../judge/index.js' */

/** Below this share of a second core, nothing gains from running in parallel. */
const leastSecond = 0.75

/**
 * The properties of this machine that decide which gates can be judged here.
 *
 * @param {{ gain?: number }} [measured] gain: what two threads get done, as a multiple of what one does
 */
export function judgedOn ({ gain } = {}) {
  const limit = cpuLimit()
  const cores = os.availableParallelism()
  const usable = limit === null ? cores : Math.min(cores, Math.max(1, Math.floor(limit + 1 - leastSecond)))
  return { cores: usable, tellsUse: process.platform === 'linux', gain }
}

/** @returns {string[]} full sentences */
function limitWarnings () {
  const limit = cpuLimit()
  if (limit === null) return []
  const share = Number(limit.toPrecision(2))
  const isOne = limit < 1 + leastSecond
  return [
    `This system lets us use ${plural(share, 'CPU')}, as containers do, and stops everything for the ` +
      `rest of each tenth of a second: checks take longer here${isOne ? ', and no second core can be shown' : ''}.`
  ]
}

/** @param {{ steal?: number | null, work?: number }} [seen] @returns {MachineResult} */
export function describeMachine ({ steal = null, work = 1 } = {}) {
  return {
    node: process.version,
    v8: process.versions.v8,
    cpu: os.cpus()[0]?.model.trim() ?? 'unknown',
    cores: os.availableParallelism(),
    platform: `${process.platform} ${process.arch}`,
    steal,
    work,
    warnings: [...powerWarnings(), ...limitWarnings()]
  }
}

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
 * @param {(file: string) => string | null} read @returns {number | null}
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
 * @param {string} group @param {string[]} roots
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

const governors = '/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor'
const supplies = '/sys/class/power_supply'

/** Reasons why this machine is below its full speed, as sentences. Linux only; empty elsewhere. @returns {string[]} */
function powerWarnings () {
  const warnings = []
  if (read(governors) === 'powersave' && !fs.existsSync('/sys/devices/system/cpu/intel_pstate')) {
    warnings.push(
      'The CPU is set to save power (governor “powersave”): speeds will be low and uneven. Plug it in, or choose the ' +
        'performance profile.'
    )
  }
  if (onBattery()) {
    warnings.push('This machine runs on its battery, and most laptops slow down then. Plug it in for steadier results.')
  }
  return warnings
}

function onBattery () {
  return listNames(supplies).some((name) =>
    read(path.join(supplies, name, 'type')) === 'Battery' &&
    read(path.join(supplies, name, 'status')) === 'Discharging')
}

/** @param {string} file */
function read (file) {
  return readText(file)?.trim()
}

/** Time of the hash below on the machine on which the lessons' targets were set, ms. */
const tunedMs = 3.5
const tries = 4
const work = /** @type {const} */ (['correct horse battery', 'staple', 10_000, 64, 'sha512'])
/** Few steps, so that a run with the same seed mostly gets the same data. */
const steps = [1, 0.8, 0.65, 0.5, 0.4]

/**
 * How fast is a core of this machine, compared with one on which the lessons' targets were set?
 *
 * @returns {number} 1 for as fast or faster
 */
export function coreSpeed () {
  const durations = Array.from({ length: tries }, () => {
    const startedAt = performance.now()
    pbkdf2Sync(...work)
    return performance.now() - startedAt
  })
  // Other programs can make it slower, never faster.
  return Math.min(1, tunedMs / Math.min(...durations))
}

/**
 * How many times the work of one thread two threads get done at the same time. Two cores that are parts of one, as
 * virtual machines often have, don't do twice as much.
 *
 * @returns {Promise<number>} about 2 with two whole cores, 1 with a single one
 */
export async function gainOfTwo () {
  /** @param {number} threads */
  const timeOf = async (threads) => {
    const startedAt = performance.now()
    await Promise.all(Array.from({ length: threads }, () => promisify(pbkdf2)(...work)))
    return performance.now() - startedAt
  }
  const alone = []
  const together = []
  for (let at = 0; at < tries; at++) {
    alone.push(await timeOf(1))
    together.push(await timeOf(2))
  }
  return 2 * Math.min(...alone) / Math.min(...together)
}

/**
 * The share of a lesson's work that its data is sized to. Half of what a slow core lacks (on a log scale) makes the
 * work smaller, so that rounds don't get too long. The other half makes it take longer, because HTTP and scheduling are
 * slower as well: work as short as on a fast machine would lose its ratio to them. Pure.
 *
 * @param {number} speed of a core
 * @returns {number} one of a few steps, 1 or less
 */
export function sizeFor (speed) {
  // A step is left only when it is clearly missed.
  return steps.find((step) => Math.sqrt(speed) >= step * 0.93) ?? steps[steps.length - 1]
}

/**
 * How many times as long this machine needs for the same work. A core that we may use half of the time is half as fast.
 * Pure.
 *
 * @param {number} speed of a core
 * @param {number | null} limit CPUs that we may use, where that is limited
 * @returns {number} 1 or more
 */
export function paceOf (speed, limit) {
  return 1 / (Math.min(1, speed) * Math.min(1, limit ?? 1))
}
