import assert from 'node:assert/strict'
import { availableParallelism } from 'node:os'
import { after, describe, test } from 'node:test'
import { runCheck } from '../../runner/check/index.js'
import { testModel } from '../../runner/check/model-test.js'
import { checksOf } from '../../runner/contract/index.js'
import { startGenerator } from '../../runner/load/index.js'
import { createRandom } from '../../runner/random.js'
import { withSession } from '../../runner/session/index.js'
import { chosen } from '../chosen.js'
import { makeFolder } from '../temporary.js'
import { compareWithBaseline, failsOne, runChecks } from './compare.js'
import { assertRefused, isWrong, readSubmissions } from './cases.js'

/**
 * In every run, each submission that is wrong by its answers is refused, for the reason that it was written for or by a
 * sequence. Those that only load shows, and how they are told, are in graded.long.test.js.
 *
 * @import { Generator } from '../../runner/load/index.js'
 * @import { Session } from '../../runner/session/index.js'
 * @import { FindMismatch } from './compare.js'
 * @import { Wrong } from './cases.js'
 */

const { dir: scratch, remove } = makeFolder('mif-wrong-')
after(remove)
const submissions = (await readSubmissions(scratch)).filter(isWrong).filter(({ expected }) => !expected.underLoad)
const wrong = chosen(submissions, ({ title }) => title, Infinity)

// Two at a time: the checks of one lesson wait while those of the other work.
describe('wrong answers', { concurrency: 2 }, () => {
  for (const lesson of new Set(wrong.map(({ entry }) => entry.folder))) {
    const ofLesson = wrong.filter(({ entry }) => entry.folder === lesson)
    if (ofLesson[0].entry.lesson.kind === 'load plan') tryPlans(ofLesson)
    else tryServers(lesson, ofLesson)
  }
})

/** @param {Wrong[]} plans */
function tryPlans (plans) {
  for (const { title, entry, folder, expected } of plans) {
    const check = () => runCheck({ entry, dir: folder, speed: false, seed: title })
    test(title, async () => assertRefused(await check(), expected))
  }
}

/** One session for all of a lesson pays once for its data. @param {string} lesson @param {Wrong[]} ofLesson */
function tryServers (lesson, ofLesson) {
  const [{ entry }] = ofLesson
  test(lesson, (t) => withSession(entry, { seed: lesson }, async (session) => {
    const findMismatch = compareWithBaseline(entry.lesson, session)
    await t.test(`${lesson}: the slow server and the solution are right`, async () => {
      const known = (entry.lesson.knownToFail ?? []).map(({ check }) => check)
      const checks = checksOf(entry.lesson, 'before').filter(({ name }) => !known.includes(name))
      const results = await runChecks(session, entry.slowDir, checks)
      assert.equal(results.length, checks.length)
      assert.deepEqual(results.filter(({ status }) => status === 'fail'), [])
      assert.equal(await findMismatch(entry.solutionDir), null)
    })
    for (const submission of ofLesson) {
      await t.test(submission.title, { skip: submission.skip }, async () => {
        assert.ok(await isRefused(submission, session, findMismatch), 'no check and no sequence refuses it')
      })
    }
  }))
}

/** @param {Wrong} submission @param {Session} session @param {FindMismatch} findMismatch */
async function isRefused ({ title, entry: { lesson }, folder, expected }, session, findMismatch) {
  const { named } = expected
  const checks = checksOf(lesson, 'before').filter(({ name }) => named === null || named.includes(name))
  const inTurn = async () => checks.length > 0 && failsOne(session, folder, checks)
  const differs = async () => await findMismatch(folder) !== null
  // The check that is there for it is the shorter way.
  const [first, second] = named === null ? [differs, inTurn] : [inTurn, differs]
  const atOnce = async (/** @type {number} */ attempt) => {
    const context = contextOf(`${title} ${attempt}`, lesson, session, folder)
    const { results } = await testModel(context, { shrinkMs: 0 })
    return results.some(({ status }) => status === 'fail')
  }
  // A busy machine can hide what a check measures, and what only requests in flight at the same moment show.
  for (const attempt of [1, 2, 3]) {
    if (await first() || await second() || await atOnce(attempt)) return true
  }
  return false
}

/** One generator for all of a session. @type {WeakMap<Session, Promise<Generator>>} */
const generators = new WeakMap()

/** @param {string} seed @param {Wrong['entry']['lesson']} lesson @param {Session} session @param {string} folder */
function contextOf (seed, lesson, session, folder) {
  return {
    lesson,
    session,
    submission: session.openSubmission(folder),
    random: createRandom(seed),
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
