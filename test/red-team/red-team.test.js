import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import test from 'node:test'
import { fileURLToPath } from 'node:url'
import { findLessons, loadLesson } from '../../runner/lesson/index.js'
import { runCheck } from '../../runner/check/index.js'
import { failing, table } from './table.js'
import { temporaryFolder } from '../temporary.js'

/**
 * @import { ResultRecord } from '../../runner/judge/record.js'
 * @import { LoadedLesson } from '../../runner/lesson/load.js'
 * @import { Row } from './table.js'
 */

/**
 * Attacks that are put in front of a lesson's own servers, and what must come of each. None may pass.
 * MAKE_IT_FAST_RED_TEAM=all tries each in every lesson where it makes sense, =part-of-a-name only some.
 */

const here = path.dirname(fileURLToPath(import.meta.url))
const wanted = process.env.MAKE_IT_FAST_RED_TEAM ?? ''
const budgetsMs = [3000, 12_000, 25_000]
// Speeds are not asserted here, so nobody needs the servers warm.
const warmUpMs = 200
const skip = process.platform === 'linux' ? false : 'looks for processes in /proc'

/** @type {Map<number, LoadedLesson>} */
const entries = new Map()
for (const found of await findLessons()) {
  const entry = await loadLesson(found)
  if (entry.lesson.kind === 'load plan') continue
  for (const load of Object.values(entry.lesson.loads)) if (load.batches === undefined) load.warmUpMs = warmUpMs
  entries.set(entry.number, entry)
}

const cases = table.flatMap((row) => {
  const all = wanted === 'all' && row.also !== 'no others' ? row.also ?? [...entries.keys()].filter((number) => row.base === 'solution' || !failing.includes(number)) : []
  return [...new Set([...row.lessons, ...all])].map((number) => {
    const entry = entries.get(number)
    assert.ok(entry, `${row.attack}: there is no lesson ${number}`)
    return { row, entry, title: `${row.attack} in lesson ${number}` }
  })
}).filter(({ title }) => wanted === 'all' || title.includes(wanted))

// A verdict that must not be a pass is none on a busy machine either: two at a time.
test('the red team', { skip, concurrency: 2 }, async (t) => {
  await Promise.all(cases.filter(({ row }) => !row.alone).map(({ row, entry, title }) => t.test(title, (t) => attack(t, row, entry))))
})
for (const { row, entry, title } of cases.filter(({ row }) => row.alone)) test(title, { skip }, (t) => attack(t, row, entry))

/** @param {import('node:test').TestContext} t @param {Row} row @param {LoadedLesson} entry */
async function attack (t, row, entry) {
  const folder = temporaryFolder(t)
  // The attacks of the files do not reach the workshop's own slow server.
  const slowDir = path.join(folder, path.basename(entry.slowDir))
  fs.cpSync(entry.slowDir, slowDir, { recursive: true })
  fs.symlinkSync(path.join(entry.root, 'node_modules'), path.join(folder, 'node_modules'), 'junction')
  fs.writeFileSync(path.join(folder, 'package.json'), '{"type":"module"}')
  const dir = attacker(folder, row, entry)
  // An attack that waits for a busy moment may not have had one: then it gets more time. One that passes never does.
  for (const [index, budgetMs] of budgetsMs.entries()) {
    const record = await runCheck({ entry: { ...entry, slowDir }, dir, budgetMs, look: false }).catch((error) => ({ verdict: 'error', reason: String(error.message), contract: [], load: { problems: [] } }))
    assert.notEqual(record.verdict, 'pass', record.reason)
    try {
      return judge(record, row)
    } catch (error) {
      if (index === budgetsMs.length - 1) throw error
    }
  }
}

/** A lesson's server with an attack in front of it. @param {string} folder @param {Row} row @param {LoadedLesson} entry */
function attacker (folder, { attack, base }, entry) {
  const dir = path.join(folder, 'attacker')
  fs.cpSync(base === 'slow' ? entry.slowDir : path.join(entry.root, 'solutions', path.basename(entry.slowDir)), dir, { recursive: true })
  fs.cpSync(path.join(here, 'attacks'), path.join(dir, 'attacks'), { recursive: true })
  fs.writeFileSync(path.join(dir, 'package.json'), '{"type":"module"}')
  const file = path.join(dir, 'server.js')
  // An import is carried out before the rest of its file.
  fs.writeFileSync(file, `import './attacks/${attack}.js'\n${fs.readFileSync(file, 'utf8')}`)
  return dir
}

/**
 * @param {Pick<ResultRecord, 'verdict' | 'reason'> & { contract: { status: string, message: string }[], load: { problems: string[] } }} record
 * @param {Row} row
 */
function judge ({ verdict, reason, contract, load }, { expect, words }) {
  const failed = contract.filter(({ status }) => status === 'fail')
  const said = [reason, ...failed.map(({ message }) => message), ...load.problems].join('\n')
  if (expect === 'wrong') {
    assert.equal(verdict, 'fail', said)
    assert.ok(failed.length > 0 || load.problems.length > 0, `refused, but not for a wrong answer: ${said}`)
  }
  if (words) assert.match(said, words)
}
