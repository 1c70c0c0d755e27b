import fs from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { targetOf } from '../../judge/index.js'
import { workshopRoot } from '../../workshop.js'
import lesson, { workMs } from './lesson.js'
import { work } from './work.js'

/**
 * @import { Machine } from '../../judge/index.js'
 * @import { Gate, LoadedLesson } from '../../lesson/index.js'
 */

/** Where the slower of the two servers lies. */
const place = fileURLToPath(new URL('.', import.meta.url))
/** Of work, on this machine: measured once in each process. @type {number | undefined} */
let unitsPerMs

/**
 * The self-test as an entry that `runCheck` takes.
 *
 * @param {object} [options]
 * @param {Gate[]} [options.gates]
 * @param {number} [options.overhead] what an answer without work costs, as a share of the slower server's work
 * @returns {LoadedLesson}
 */
export function calibratedEntry ({ gates = lesson.gates, overhead = 0 } = {}) {
  // The fastest of several: what disturbs a measurement makes it slower.
  unitsPerMs ??= Math.max(...Array.from({ length: 5 }, speed))
  const units = Math.round(unitsPerMs * workMs)
  const files = { 'work.json': JSON.stringify({ units, overhead: overhead * units }) }
  return {
    number: 0,
    id: lesson.id,
    folder: '00-self-test',
    root: workshopRoot,
    dir: place,
    slowDir: place,
    solutionDir: place,
    workspaceDir: place,
    file: 'server.js',
    lesson: { ...lesson, gates, data: () => ({ files }) }
  }
}

/** @returns {number} units a millisecond */
function speed () {
  const units = 5000
  const startedAt = performance.now()
  work(units)
  return units / (performance.now() - startedAt)
}

/**
 * Puts a server into a folder that is so many times as fast as the other one.
 *
 * @param {string} dir is made where it is missing
 * @param {number} ratio 1 is the same
 * @returns {string} that folder
 */
export function writeCalibrated (dir, ratio) {
  fs.mkdirSync(dir, { recursive: true })
  fs.writeFileSync(path.join(dir, 'package.json'), '{"type":"module"}')
  for (const name of ['server.js', 'work.js']) fs.copyFileSync(path.join(place, name), path.join(dir, name))
  fs.writeFileSync(path.join(dir, 'ratio.json'), JSON.stringify(ratio))
  return dir
}

/**
 * What a learner can expect of this machine, lesson by lesson.
 *
 * @typedef {object} Times how long the checks of the references took where the project measured them
 * @property {number} pace of that machine
 * @property {Record<string, number>} seconds by folder
 */

/** Of a check's time, so much is work; the rest is waiting, which takes as long everywhere. */
const workShare = 0.6
const longest = 70

/**
 * Pure.
 *
 * @param {readonly LoadedLesson[]} entries
 * @param {{ times: Times | null, pace: number, machine: Machine }} given pace: of this machine
 * @returns {{ lesson: string, text: string }[]}
 */
export function expectations (entries, { times, pace, machine }) {
  return entries.map(({ number, folder, lesson }) => {
    const there = times?.seconds[folder]
    const stretch = 1 - workShare + workShare * pace / (times?.pace ?? 1)
    const time = there === undefined ? [] : [`about ${Math.round(Math.min(longest, there * stretch))} s`]
    const hidden = lesson.gates.filter((gate) => targetOf(gate, machine) === undefined).map(({ name }) => name)
    const dropped = hidden.length === 0 ? [] : [`without ${hidden.map((name) => `“${name}”`).join(' and ')}`]
    return { lesson: `lesson ${number}`, text: [...time, ...dropped].join(', ') }
  })
}
