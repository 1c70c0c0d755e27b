import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { checkNamesOf, findLessons, loadLesson } from '../../runner/lesson/index.js'
import { readCases, readRight, submissionsOf, writeCase } from './apply.js'

/**
 * All submissions, right and wrong, with what is expected of each.
 *
 * @import { ResultRecord } from '../../runner/judge/index.js'
 * @import { Lesson, LessonEntry, LoadedLesson } from '../../runner/lesson/index.js'
 *
 * @typedef {object} Submission
 * @property {string} title `03-in-memory-json: valid-restify`, `03-in-memory-json: invalid-no-etag`
 * @property {LoadedLesson} entry
 * @property {string} folder where its server.js lies
 * @property {string | false} skip why it cannot be tried with this Node.js
 * @property {Expected | null} expected null: it is right
 *
 * @typedef {Submission & { expected: Expected }} Wrong by its answers
 *
 * @typedef {object} Expected
 * @property {boolean} [underLoad] only load shows it
 * @property {'contract' | 'load' | 'gate'} refusedBy
 * @property {string[] | null} named names of checks or gates, or parts of the sentence; null: any rule of an answer
 * @property {Expected} [otherwise] the same fault, seen somewhere else: a wait for a busy core hid it from the first
 *   place
 */

/**
 * @param {string} scratch an empty folder, into which the overlays are written
 * @param {LessonEntry[]} [entries] default: all lessons
 * @returns {Promise<Submission[]>}
 */
export async function readSubmissions (scratch, entries) {
  /** @type {Submission[]} */
  const submissions = []
  for (const found of entries ?? await findLessons()) {
    const entry = await loadLesson(found)
    const dir = submissionsOf(found)
    const titleOf = (/** @type {string} */ name) => `${found.folder}: ${name}`
    const wrong = (await readCases(found)).map((one) => (
      { one, name: `invalid-${one.name}`, expected: known(one, entry.lesson) }))
    const right = (await readRight(found)).map((one) => ({ one, name: one.name, expected: null }))
    for (const { one, name, expected } of [...wrong, ...right]) {
      const isFolder = one.files === name
      const folder = isFolder ? path.join(dir, name) : path.join(scratch, found.folder, name)
      if (!isFolder) writeCase(one, folder)
      submissions.push({ title: titleOf(name), entry, folder, skip: tooOldFor(folder), expected })
    }
  }
  return submissions
}

/**
 * A lesson's own two servers, whose answers are right but for what the slow one is known to fail.
 *
 * @param {LoadedLesson} entry
 */
export function ownServers ({ folder, lesson, slowDir, solutionDir }) {
  const knownToFail = (lesson.knownToFail ?? []).map(({ check }) => check)
  return [
    { title: `${folder}: the slow server`, folder: slowDir, expected: null, knownToFail },
    { title: `${folder}: the reference`, folder: solutionDir, expected: null }
  ]
}

/** @param {Submission} submission is it right, or wrong by its answers without load? */
export function isOfAnswers ({ expected }) {
  return expected === null || (expected.refusedBy === 'contract' && !expected.underLoad)
}

/** @param {Submission} submission @returns {submission is Wrong} */
export function isWrong (submission) {
  return submission.expected !== null && submission.expected.refusedBy !== 'gate'
}

/** Node.js takes TypeScript only from a certain version on. @param {string} folder @returns {string | false} */
function tooOldFor (folder) {
  const file = path.join(folder, 'package.json')
  const wanted = fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, 'utf8')).engines?.node : undefined
  if (wanted === undefined) return false
  const parts = /^>=(\d+)\.(\d+)$/.exec(wanted) ?? assert.fail(`${file}: engines.node is ${wanted}, not like >=22.18`)
  const [, major, minor] = parts.map(Number)
  const [ownMajor, ownMinor] = process.versions.node.split('.').map(Number)
  const isNewEnough = ownMajor > major || (ownMajor === major && ownMinor >= minor)
  return isNewEnough ? false : `needs Node.js ${wanted}, this is ${process.versions.node}`
}

/** @param {any} expected as wrong.js has it @param {Lesson} lesson @returns {Expected} */
function known (expected, lesson) {
  const { by, load, gate } = expected
  const refusedBy = load ? 'load' : gate ? 'gate' : 'contract'
  // Where chance decides which of two sees it first, it is a list.
  const named = [by ?? load ?? gate ?? []].flat()
  const names = { contract: checkNamesOf(lesson), gate: lesson.gates.map(({ name }) => name), load: null }[refusedBy]
  for (const name of names ? named : []) {
    const isKnown = names?.includes(name)
    assert.ok(isKnown, `${lesson.id}, wrong.js: there is no ${refusedBy === 'gate' ? 'gate' : 'rule'} “${name}”`)
  }
  const otherwise = expected.otherwise && { otherwise: known(expected.otherwise, lesson) }
  const { underLoad = refusedBy === 'load' } = expected
  return { underLoad, refusedBy, named: named.length > 0 ? named : null, ...otherwise }
}

/**
 * A right submission is never refused. On a bad minute it may be left open.
 *
 * @param {ResultRecord} record
 */
export function assertAccepted (record) {
  assert.ok(record.verdict === 'pass' || record.verdict === 'inconclusive', `${record.verdict}: ${record.reason}`)
  assertRight(record)
}

/** Every answer was right, and there were some. @param {ResultRecord} record */
function assertRight (record) {
  assert.deepEqual(record.contract.filter(({ status }) => status === 'fail'), [])
  assert.deepEqual(record.load.problems, [])
  assert.ok(record.load.requests > 0, `nothing was sent: ${record.reason}`)
}

/** @param {ResultRecord} record @param {Expected} expected */
export function assertRefused (record, { refusedBy, named, otherwise }) {
  const failed = record.contract.filter(({ status }) => status === 'fail').map(({ name }) => name)
  const seen = failed.length > 0 ? 'contract' : record.load.problems.length > 0 ? 'load' : 'gate'
  if (refusedBy !== seen && otherwise?.refusedBy === seen) return assertRefused(record, otherwise)
  if (refusedBy === 'gate') return assertNotPassed(record, named ?? [])
  assert.equal(record.verdict, 'fail', record.reason)
  if (refusedBy === 'contract') {
    const shown = failed.join(', ') || record.reason
    const isNamed = named === null || named.some((name) => failed.includes(name))
    assert.ok(isNamed, `refused by ${shown} and not by ${named?.join(' or ')}`)
  } else {
    const isNamed = named?.some((part) => record.load.problems.some((problem) => problem.includes(part)))
    assert.ok(isNamed, `expected a problem with “${named?.join('” or “')}”, got: ${record.reason}`)
  }
}

/**
 * How many rounds it takes is the machine's affair; that it passes never happens.
 *
 * @param {ResultRecord} record
 * @param {string[]} gates
 */
function assertNotPassed (record, gates) {
  const passed = record.gates.filter(({ name, verdict }) => gates.includes(name) && verdict === 'pass')
  assert.ok(record.verdict === 'fail' || record.verdict === 'inconclusive', `${record.verdict}: ${record.reason}`)
  assertRight(record)
  assert.deepEqual(passed, [], `the gate ${gates.join(' or ')} was passed`)
}
