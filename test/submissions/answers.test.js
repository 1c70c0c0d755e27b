import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { makeFolder } from '../temporary.js'
import { withAnswers } from './answers.js'
import { isOfAnswers, isWrong, ownServers, readSubmissions } from './cases.js'

/**
 * One right and one wrong submission of each lesson, by the answers to one request after the other: the reference is
 * right, and the first of wrong.js for which a request is enough is refused. `npm run test:submissions` tries all of
 * them, and the lessons' checks.
 */

const { dir: scratch, remove } = makeFolder('mif-answers-')
after(remove)
const submissions = await readSubmissions(scratch)

for (const entry of new Set(submissions.map(({ entry }) => entry))) {
  const reference = ownServers(entry)[1]
  const isPlan = entry.lesson.check !== undefined
  const wrong = submissions.find((one) =>
    one.entry === entry && isOfAnswers(one) && isWrong(one) && (isPlan || one.expected.named === null))
  if (wrong === undefined) throw new Error(`${entry.folder} has no submission that is wrong by its answers`)
  test(`${entry.folder}: the reference is right, and ${wrong.title.split(': ')[1]} isn’t`, () => {
    return withAnswers(entry, { inTurn: true }, async (tryAnswers) => {
      assert.equal(await tryAnswers(reference), null)
      assert.equal(await tryAnswers(wrong), null)
    })
  })
}
