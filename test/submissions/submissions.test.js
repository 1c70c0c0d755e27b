import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import test, { after } from 'node:test'
import { fileURLToPath } from 'node:url'
import { findLessons, loadLesson } from '../../runner/catalogue/index.js'
import { profileChecks, runCheck } from '../../runner/check/index.js'
import { makeFolder } from '../temporary.js'
import { readCases, writeCase } from './apply.js'

/**
 * The grader's own test cases. Every invalid submission is refused for the reason that it was written for, every valid
 * one is accepted or, on a bad minute, left open. MAKE_IT_FAST_SUBMISSIONS=part-of-a-path tries only some.
 */

const here = path.dirname(fileURLToPath(import.meta.url))
const wanted = process.env.MAKE_IT_FAST_SUBMISSIONS ?? ''
const refusals = ['contract', 'load', 'gate']
// Gates need rounds, whose number depends on the machine; correctness needs none. Whole checks are for bench/honest.js.
const budgetMs = 3000
const budgetOfProfileMs = 12_000
// A fault that is seen only in some answers under load takes more of them on a bad minute.
const budgetOfSecondLookMs = 25_000
// Speeds are not asserted here, so nobody needs the servers warm.
const warmUpMs = 200

/** @type {{ title: string, folder: string, skip: string | false, entry: import('../../runner/catalogue/load.js').LoadedLesson, expected: Expected | null }[]} */
const cases = []
const { dir: written, remove } = makeFolder('mif-wrong-')
after(remove)
for (const found of await findLessons()) {
  const dir = path.join(here, found.folder)
  const names = fs.existsSync(dir) ? fs.readdirSync(dir).filter((name) => name.startsWith('valid-')).sort() : []
  const entry = await loadLesson(found)
  for (const load of Object.values(entry.lesson.loads)) if (load.batches === undefined) load.warmUpMs = warmUpMs
  for (const wrong of await readCases(found.folder)) {
    const name = `invalid-${wrong.name}`
    if (!`${found.folder}/${name}`.includes(wanted)) continue
    const folder = path.join(written, found.folder, name)
    writeCase(wrong, folder)
    cases.push({ title: `${found.folder}: ${name}`, folder, skip: tooOldFor(folder), entry, expected: known(wrong, entry.lesson) })
  }
  for (const name of names.filter((name) => `${found.folder}/${name}`.includes(wanted))) {
    const folder = path.join(dir, name)
    cases.push({ title: `${found.folder}: ${name}`, folder, skip: tooOldFor(folder), entry, expected: null })
  }
}

// A wrong answer is wrong on a busy machine as well: two of these at a time.
test('refused for wrong answers', { concurrency: 2 }, async (t) => {
  const wrong = cases.filter(({ expected }) => expected !== null && expected.refusedBy !== 'gate')
  await Promise.all(wrong.map(({ title, folder, skip, entry, expected }) => t.test(title, { skip }, () => refusedInTime(entry, folder, /** @type {Expected} */ (expected)))))
})

for (const { title, folder, skip, entry, expected } of cases.filter(({ expected }) => expected === null || expected.refusedBy === 'gate')) {
  test(title, { skip }, async () => {
    const record = await runCheck({ entry, dir: folder, budgetMs: entry.lesson.kind === 'profile' ? budgetOfProfileMs : budgetMs, look: false })
    if (expected === null) accepted(record)
    else refused(record, expected)
  })
}

/**
 * Which fault of several is seen first, and whether one under load is seen at all, hangs on the machine's minute. So a
 * check that did not show the expected one is repeated, with more time; one that passes never is.
 *
 * @param {import('../../runner/catalogue/load.js').LoadedLesson} entry @param {string} folder @param {Expected} expected
 */
async function refusedInTime (entry, folder, expected) {
  const budgets = entry.lesson.kind === 'profile' ? Array(3).fill(budgetOfProfileMs) : [budgetMs, budgetOfSecondLookMs, budgetOfSecondLookMs]
  for (const [index, budgetMs] of budgets.entries()) {
    const record = await runCheck({ entry, dir: folder, budgetMs, look: false })
    assert.notEqual(record.verdict, 'pass', record.reason)
    try {
      return refused(record, expected)
    } catch (error) {
      if (index === budgets.length - 1) throw error
    }
  }
}

/** Node.js takes TypeScript only from a certain version on. @param {string} folder @returns {string | false} why it cannot be tried with this one */
function tooOldFor (folder) {
  const file = path.join(folder, 'package.json')
  const wanted = fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, 'utf8')).engines?.node : undefined
  if (wanted === undefined) return false
  const [, major, minor] = (/^>=(\d+)\.(\d+)$/.exec(wanted) ?? assert.fail(`${file}: engines.node is ${wanted}, not like >=22.18`)).map(Number)
  const [ownMajor, ownMinor] = process.versions.node.split('.').map(Number)
  return ownMajor > major || (ownMajor === major && ownMinor >= minor) ? false : `needs Node.js ${wanted}, this is ${process.versions.node}`
}

/** @param {import('../../runner/judge/record.js').ResultRecord} record */
function accepted (record) {
  assert.ok(record.verdict === 'pass' || record.verdict === 'inconclusive', `${record.verdict}: ${record.reason}`)
  assert.deepEqual(record.contract.filter(({ status }) => status === 'fail'), [])
  assert.deepEqual(record.load.problems, [])
}

/**
 * @typedef {object} Expected
 * @property {string} refusedBy contract, load or gate
 * @property {string[]} named
 * @property {Expected} [otherwise] the same fault, seen somewhere else: a wait for a busy core hid it from the first place
 */

/** @param {import('../../runner/judge/record.js').ResultRecord} record @param {Expected} expected */
function refused (record, { refusedBy, named, otherwise }) {
  if (otherwise !== undefined && record.contract.every(({ status }) => status !== 'fail')) return refused(record, otherwise)
  if (refusedBy === 'gate') {
    // How many rounds it takes is the machine's affair; that it passes never happens.
    const passed = record.gates.filter(({ name, verdict }) => named.includes(name) && verdict === 'pass')
    assert.ok(record.verdict === 'fail' || record.verdict === 'inconclusive', `${record.verdict}: ${record.reason}`)
    assert.deepEqual(record.contract.filter(({ status }) => status === 'fail'), [])
    assert.deepEqual(record.load.problems, [])
    assert.deepEqual(passed, [], `the gate ${named.join(' or ')} was passed`)
    return
  }
  assert.equal(record.verdict, 'fail', record.reason)
  if (refusedBy === 'contract') {
    const failed = record.contract.filter(({ status }) => status === 'fail').map(({ name }) => name)
    assert.ok(named.some((name) => failed.includes(name)), `refused by ${failed.join(', ') || record.reason} and not by ${named.join(' or ')}`)
  } else {
    assert.ok(named.some((part) => record.load.problems.some((problem) => problem.includes(part))), `expected a problem with “${named.join('” or “')}”, got: ${record.reason}`)
  }
}

/** @param {any} expected @param {import('../../runner/catalogue/load.js').LoadedLesson['lesson']} lesson @returns {Expected} */
function known (expected, lesson) {
  assert.ok(refusals.includes(expected.refusedBy), `wrong.js: refusedBy is none of ${refusals.join(', ')}`)
  const checks = lesson.kind === 'profile' ? Object.values(profileChecks).map((name) => ({ name })) : lesson.contract
  const names = { contract: checks, gate: lesson.gates }[/** @type {'contract' | 'gate'} */ (expected.refusedBy)]
  // Where chance decides which of two checks sees it first, `named` is a list.
  const named = [expected.named].flat()
  for (const name of names ? named : []) assert.ok(names?.some((known) => known.name === name), `wrong.js: there is no ${expected.refusedBy} called “${name}”`)
  return { refusedBy: expected.refusedBy, named, ...(expected.otherwise && { otherwise: known(expected.otherwise, lesson) }) }
}
