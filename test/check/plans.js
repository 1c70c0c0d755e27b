import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { loadLesson, resolveLesson } from '../../runner/lesson/index.js'
import { temporaryFolder } from '../temporary.js'

/** Lesson 7, which brings its own check, and learners' load plans for it. */

export const entry = await loadLesson(await resolveLesson('7', { env: {} }))
export const [isPlan, shows] = entry.lesson.check?.checks ?? []

export const tail = "tail: { rate: 100, duration: 1, report: 'p99' }"
/** A plan that keeps the server busy in so many turns. @param {number} rounds */
export function saturating (rounds) {
  return `export default { compare: { connections: 8, duration: 1, rounds: ${rounds}, report: 'rate' }, ${tail} }`
}

/** @param {import('node:test').TestContext} t @param {string} source of load.js */
export function planOf (t, source) {
  const dir = temporaryFolder(t, 'mif-plan-')
  fs.writeFileSync(path.join(dir, 'load.js'), source)
  fs.writeFileSync(path.join(dir, 'package.json'), '{"type":"module"}')
  return dir
}

/** @param {any} record @param {string} name @param {RegExp} message */
export function refused (record, name, message) {
  assert.equal(record.verdict, 'fail', record.reason)
  const failed = record.contract.filter((/** @type {any} */ { status }) => status === 'fail')
  assert.deepEqual(failed.map((/** @type {any} */ { name }) => name), [name])
  assert.match(failed[0].message, message)
}
