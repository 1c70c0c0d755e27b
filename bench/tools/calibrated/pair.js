import fs from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { selfTestEntry } from '../../../runner/check/self-test/self-test.js'

/** @import { Gate, LoadedLesson } from '../../../runner/lesson/index.js' */

/**
 * The self-test as an entry that `runCheck` takes, with gates of its own.
 *
 * @param {object} [options]
 * @param {Gate[]} [options.gates]
 * @param {number} [options.overhead] what an answer without work costs, as a share of the slower server's work
 * @returns {LoadedLesson}
 */
export function calibratedEntry ({ gates, overhead = 0 } = {}) {
  const entry = selfTestEntry()
  const { units } = JSON.parse(filesOf(entry)['work.json'])
  const files = { 'work.json': JSON.stringify({ units, overhead: overhead * units }) }
  return { ...entry, lesson: { ...entry.lesson, gates: gates ?? entry.lesson.gates, data: () => ({ files }) } }
}

/** @param {LoadedLesson} entry @returns {Record<string, string>} its data */
export function filesOf (entry) {
  return /** @type {any} */ (entry.lesson.data)().files
}

/**
 * Puts a server into a folder that is so many times as fast as that of the self-test.
 *
 * @param {string} dir is made where it is missing
 * @param {number} ratio 1 is the same
 * @returns {string} that folder
 */
export function writeCalibrated (dir, ratio) {
  fs.mkdirSync(dir, { recursive: true })
  fs.writeFileSync(path.join(dir, 'package.json'), '{"type":"module"}')
  fs.copyFileSync(fileURLToPath(new URL('server.js', import.meta.url)), path.join(dir, 'server.js'))
  fs.copyFileSync(path.join(selfTestEntry().dir, 'work.js'), path.join(dir, 'work.js'))
  fs.writeFileSync(path.join(dir, 'ratio.json'), JSON.stringify(ratio))
  return dir
}
