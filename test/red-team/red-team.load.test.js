import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import test from 'node:test'
import { fileURLToPath } from 'node:url'
import { findLessons, loadLesson } from '../../runner/lesson/index.js'
import { runCheck } from '../../runner/check/index.js'
import { cases } from '../shard.js'
import { repeated } from '../until.js'
import { temporaryFolder } from '../temporary.js'
import { failing, table } from './table.js'

/**
 * Attacks that are put in front of a lesson’s own servers, and what must come of each. None may pass. Each is
 * tried in the lessons that its row names; with `--everywhere` in every lesson where it makes sense.
 *
 * @import { TestContext } from 'node:test'
 * @import { ResultRecord } from '../../runner/judge/index.js'
 * @import { LoadedLesson } from '../../runner/lesson/index.js'
 * @import { Row } from './table.js'
 *
 * @typedef {{ row: Row, entry: LoadedLesson, title: string }} Case
 * @typedef {Pick<ResultRecord, 'verdict' | 'reason'> & { contract: { status: string, message: string }[],
 *   load: { problems: string[] } }} Seen
 */

const here = path.dirname(fileURLToPath(import.meta.url))
const isEverywhere = process.argv.includes('--everywhere')
/** An attack that waits for a busy moment may not have had one: then it gets more time. */
const budgetsMs = [3000, 12_000, 25_000]
// Speeds are not asserted here, so the servers need not be warm.
const warmUpMs = 200
const skip = process.platform === 'linux' ? false : 'looks for processes in /proc'

/** @type {Map<number, LoadedLesson>} */
const entries = new Map()
for (const found of await findLessons()) {
  const entry = await loadLesson(found)
  if (entry.lesson.check === undefined) entries.set(entry.number, withShortWarmUp(entry))
}

for (const { row, entry, title } of cases(table.flatMap(casesOf), ({ title }) => title)) {
  test(title, { skip }, (t) => attack(t, row, entry))
}

/** @param {LoadedLesson} entry @returns {LoadedLesson} */
function withShortWarmUp (entry) {
  const loads = Object.entries(entry.lesson.loads).map(([name, load]) => {
    return [name, load.batches === undefined ? { ...load, warmUpMs } : load]
  })
  return { ...entry, lesson: { ...entry.lesson, loads: Object.fromEntries(loads) } }
}

/** @param {Row} row @returns {Case[]} */
function casesOf (row) {
  const others = [...entries.keys()].filter((number) => row.base === 'solution' || !failing.includes(number))
  const also = isEverywhere && row.also !== 'no others' ? row.also ?? others : []
  return [...new Set([...row.lessons, ...also])].map((number) => {
    const entry = entries.get(number)
    assert.ok(entry, `${row.attack}: there is no lesson ${number}`)
    return { row, entry, title: `${row.attack} in lesson ${number}` }
  })
}

/** @param {TestContext} t @param {Row} row @param {LoadedLesson} entry */
async function attack (t, row, entry) {
  const folder = temporaryFolder(t)
  // The attacks of the files do not reach the workshop's own slow server.
  const slowDir = path.join(folder, path.basename(entry.slowDir))
  fs.cpSync(entry.slowDir, slowDir, { recursive: true })
  fs.symlinkSync(path.join(entry.root, 'node_modules'), path.join(folder, 'node_modules'), 'junction')
  fs.writeFileSync(path.join(folder, 'package.json'), '{"type":"module"}')
  const submission = { entry: { ...entry, slowDir }, dir: attacker(folder, row, entry) }
  const ways = budgetsMs.map((budgetMs, at) => ({ budgetMs, sampleInside: false, seed: `${t.name} ${at}` }))
  const check = (/** @type {{ seed: string, speed?: boolean, budgetMs?: number }} */ way) => {
    return runCheck({ ...submission, ...way }).then(({ record }) => record).catch(/** @returns {Seen} */ (error) => {
      return { verdict: 'error', reason: String(error.message), contract: [], load: { problems: [] } }
    })
  }
  await repeated(ways, check, (record) => judge(record, row), neverPasses)
}

/** @param {Pick<ResultRecord, 'verdict' | 'reason'>} record */
function neverPasses ({ verdict, reason }) {
  assert.notEqual(verdict, 'pass', reason)
}

/**
 * A lesson's server with an attack in front of it.
 *
 * @param {string} folder
 * @param {Row} row
 * @param {LoadedLesson} entry
 */
function attacker (folder, { attack, base }, entry) {
  const dir = path.join(folder, 'attacker')
  fs.cpSync(base === 'slow' ? entry.slowDir : entry.solutionDir, dir, { recursive: true })
  fs.cpSync(path.join(here, 'attacks'), path.join(dir, 'attacks'), { recursive: true })
  fs.writeFileSync(path.join(dir, 'package.json'), '{"type":"module"}')
  const file = path.join(dir, 'server.js')
  // An import is carried out before the rest of its file.
  fs.writeFileSync(file, `import './attacks/${attack}.js'\n${fs.readFileSync(file, 'utf8')}`)
  return dir
}

/** @param {Seen} record @param {Row} row */
function judge ({ verdict, reason, contract, load }, { expect, words }) {
  const failed = contract.filter(({ status }) => status === 'fail')
  const said = [reason, ...failed.map(({ message }) => message), ...load.problems].join('\n')
  if (expect === 'wrong') {
    assert.equal(verdict, 'fail', said)
    assert.ok(failed.length > 0 || load.problems.length > 0, `refused, but not for a wrong answer: ${said}`)
  }
  if (words) assert.match(said, words)
}
