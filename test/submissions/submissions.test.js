import assert from 'node:assert/strict'
import { availableParallelism } from 'node:os'
import test, { after } from 'node:test'
import { runCheck } from '../../runner/check/index.js'
import { testModel } from '../../runner/check/model-test.js'
import { checksOf, runContract } from '../../runner/contract/index.js'
import { startGenerator } from '../../runner/load/index.js'
import { createRandom, newSeed } from '../../runner/random.js'
import { withSession } from '../../runner/session/index.js'
import { drawn } from '../drawn.js'
import { ofThisPart } from '../part.js'
import { repeated } from '../repeated.js'
import { makeFolder } from '../temporary.js'
import { assertRefused, assertRight, readSubmissions } from './cases.js'

/**
 * Wrong submissions are refused for the reason that they were written for, and right ones are not refused for their
 * answers, nor is a slow server. `npm test` draws some of each; `npm run test:whole` has all that are wrong here, and
 * every right one with its speed (full.js).
 *
 * @import { ContractResult, ResultRecord } from '../../runner/judge/index.js'
 * @import { Lesson, LoadedLesson } from '../../runner/lesson/index.js'
 * @import { Generator } from '../../runner/load/index.js'
 * @import { Session } from '../../runner/session/index.js'
 * @import { Expected, Submission } from './cases.js'
 *
 * @typedef {Submission & { expected: Expected }} Wrong
 */

const { dir: scratch, remove } = makeFolder('mif-wrong-')
after(remove)
const submissions = await readSubmissions(scratch)
/** Which fault of several is seen first hangs on the machine's minute: a check that shows another one is repeated. */
const budgetsMs = [3000, 12_000, 25_000]

const isWhole = process.env.MAKE_IT_FAST_WHOLE === '1'
const oneEach = drawn(wrongOnes().filter((submission) => !needsLoad(submission)), lessonOf, 1)
const atOnce = drawn(oneEach.some, () => 'all', 5)
const wrongAtOnce = isWhole ? [] : atOnce.some
test(`wrong answers of each lesson (${atOnce.note})`, () => {})
for (const lesson of ofThisPart([...new Set(wrongAtOnce.map(lessonOf))])) {
  const wrong = wrongAtOnce.filter((submission) => lessonOf(submission) === lesson)
  const { entry } = wrong[0]
  // One session for all of a lesson: what its data cost is paid once.
  test(`${lesson}: wrong answers`, (t) => withSession(entry, { seed: newSeed() }, async (session) => {
    await t.test(`${lesson}: the slow server is right`, { skip: entry.lesson.kind === 'load plan' }, async () => {
      const known = (entry.lesson.knownToFail ?? []).map(({ check }) => check)
      const checks = checksOf(entry.lesson, 'before').filter(({ name }) => !known.includes(name))
      const results = await runBefore(session, entry.slowDir, checks)
      assert.ok(results !== null && results.length === checks.length)
      assert.deepEqual(results.filter(({ status }) => status === 'fail'), [])
    })
    for (const submission of wrong) {
      await t.test(submission.title, { skip: submission.skip }, async () => {
        if (!await isRefusedByContract(submission, session)) await refusedByCheck(submission)
      })
    }
  }))
}

// What a sequence finds is made short before it is told, which takes seconds: by a sample, that it is told rightly.
const told = drawn(isWhole ? atOnce.some : wrongAtOnce, () => 'all', 1)
test(`told as what they are (${told.note})`, () => {})
for (const { title, skip, entry, folder, expected } of ofThisPart(told.some)) {
  test(`${title}, as it is told`, { skip }, async () => {
    const check = () => runCheck({ entry, dir: folder, speed: false })
    await repeated([1, 2, 3], check, (record) => assertWrong(record, expected), neverPasses)
  })
}

const ofLoad = drawn(wrongOnes().filter(needsLoad), () => 'all', 1)
test(`wrong only under load, or after it (${ofLoad.note})`, () => {})
for (const submission of ofThisPart(ofLoad.some)) {
  test(submission.title, { skip: submission.skip }, () => refusedByCheck(submission))
}

// What only gates refuse answers rightly, like a right one.
const ofGates = submissions.filter(({ expected }) => !expected || expected.refusedBy === 'gate')
const right = drawn(isWhole ? [] : ofGates, () => 'all', 1)
test(`right answers (${right.note})`, () => {})
for (const { title, skip, entry, folder } of ofThisPart(right.some)) {
  test(title, { skip }, async () => assertRight(await runCheck({ entry, dir: folder, speed: false })))
}

/**
 * Of several checks that see a fault, chance decides which one does so first: the names are held against all that were
 * ever seen in `npm run test:whole`.
 *
 * @param {ResultRecord} record
 * @param {Expected} expected
 */
function assertWrong (record, expected) {
  if (isWhole) return assertRefused(record, expected)
  assert.equal(record.verdict, 'fail', record.reason)
  const isOfAnswers = record.contract.some(({ status }) => status === 'fail') || record.load.problems.length > 0
  assert.ok(isOfAnswers, `refused, and not for its answers: ${record.reason}`)
}

/** @param {Submission} submission */
function lessonOf ({ entry }) {
  return entry.folder
}

/** @returns {Wrong[]} */
function wrongOnes () {
  return /** @type {Wrong[]} */ (submissions.filter(({ expected }) => expected && expected.refusedBy !== 'gate'))
}

/** Is it wrong only under load, or after it? @param {Wrong} submission */
function needsLoad ({ entry, expected: { refusedBy, named } }) {
  const checks = entry.lesson.contract.filter(({ name }) => named.includes(name))
  return refusedBy === 'load' || (checks.length > 0 && checks.every(({ when }) => when && !when.includes('before')))
}

/**
 * Do the check that it was written for, or a sequence, refuse it? Asked alone, and told as it was seen.
 *
 * @param {Submission & { expected: Expected }} submission
 * @param {Session} session
 */
async function isRefusedByContract ({ entry, folder, expected }, session) {
  const { lesson } = entry
  // A load plan has other checks.
  if (lesson.kind === 'load plan') return false
  const checks = lesson.contract.filter(({ name }) => expected.named.includes(name))
  const ofChecks = checks.length > 0 ? await runBefore(session, folder, checks) : []
  if (ofChecks?.some(({ status }) => status === 'fail')) return true
  const { results } = await testModel(contextOf(lesson, session, folder), { shrinkMs: 0 })
  return results.some(({ status }) => status === 'fail')
}

/** One generator for all of a session. @type {WeakMap<Session, Promise<Generator>>} */
const generators = new WeakMap()

/** @param {Lesson} lesson @param {Session} session @param {string} folder */
function contextOf (lesson, session, folder) {
  return {
    lesson,
    session,
    submission: session.openSubmission(folder),
    random: createRandom(newSeed()),
    cores: availableParallelism(),
    getGenerator: () => {
      const started = generators.get(session) ?? startGenerator(session)
      generators.set(session, started)
      return started
    },
    onProgress: () => {},
    phase: () => {}
  }
}

/**
 * @param {Session} session
 * @param {string} folder
 * @param {LoadedLesson['lesson']['contract']} checks
 * @returns {Promise<ContractResult[] | null>} null: it does not start
 */
async function runBefore (session, folder, checks) {
  const place = session.openSubmission(folder)
  const { server, failure } = await session.start('yours', place)
  if (failure !== null) return null
  const results = await runContract({
    checks,
    when: 'before',
    server,
    startAnother: (options) => session.start('yours', place, options),
    random: createRandom(newSeed()),
    data: session.data
  })
  await session.stop(server)
  return results
}

/** @param {Wrong} submission */
async function refusedByCheck ({ entry, folder, expected }) {
  const measured = budgetsMs.map((budgetMs) => ({ budgetMs, sampleInside: false }))
  const ways = [...(isWhole ? [] : [{ speed: false }]), ...measured]
  const check = (/** @type {{ speed?: boolean, budgetMs?: number }} */ way) => runCheck({ entry, dir: folder, ...way })
  await repeated(ways, check, (record) => assertWrong(record, expected), neverPasses)
}

/** @param {Pick<ResultRecord, 'verdict' | 'reason'>} record */
function neverPasses ({ verdict, reason }) {
  assert.notEqual(verdict, 'pass', reason)
}
