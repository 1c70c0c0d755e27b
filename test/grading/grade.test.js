import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import test from 'node:test'
import { grade, preview } from '../../runner/grading/index.js'
import { loadLesson, resolveLesson } from '../../runner/lesson/index.js'
import { readProgress } from '../../runner/workspace/index.js'
import { root, solution } from '../check/mini.js'
import { temporaryFolder } from '../temporary.js'

/** @param {import('node:test').TestContext} t @param {string} [source] of server.js; default: the solution's */
async function learner (t, source = fs.readFileSync(path.join(solution, 'server.js'), 'utf8')) {
  const env = { MAKE_IT_FAST_LESSONS: root, MAKE_IT_FAST_WORKSPACE: temporaryFolder(t) }
  const entry = await loadLesson(await resolveLesson('mini', { env }))
  fs.cpSync(solution, entry.workspaceDir, { recursive: true })
  fs.writeFileSync(path.join(entry.workspaceDir, 'server.js'), source)
  return entry
}

const quiet = { onWait: () => {}, onProgress: () => {} }

test('what is stopped after its verdict keeps that verdict, and what is stopped before keeps nothing', async (t) => {
  for (const [moment, isSettled] of Object.entries({ verdict: true, round: false })) {
    const entry = await learner(t)
    const controller = new AbortController()
    const reason = new Error('Ctrl-C')
    const graded = grade({
      ...quiet,
      entry,
      dir: entry.workspaceDir,
      isKept: true,
      budgetMs: 1,
      onProgress: ({ type }) => { if (type === moment) controller.abort(reason) },
      signal: controller.signal
    })
    if (isSettled) {
      const { isStopped, said, report } = await graded
      assert.deepEqual([isStopped, said, await report()], [true, [], []])
    } else await assert.rejects(graded, reason)
    const { history } = await readProgress(entry)
    assert.equal(history.length, isSettled ? 1 : 0, moment)
  }
})

test('a result that can’t be kept is reported, and the verdict holds', async (t) => {
  const entry = await learner(t, 'const half = ;')
  fs.writeFileSync(path.join(path.dirname(entry.workspaceDir), 'results'), 'a file where the folder should be')
  const signal = new AbortController().signal
  const { record, said } = await grade({ ...quiet, entry, dir: entry.workspaceDir, isKept: true, signal })
  assert.equal(record.verdict, 'fail')
  assert.match(said.join(), /^This result was not saved: /)
})

test('a preview keeps nothing, and says whether the server is still the slow one', async (t) => {
  const entry = await learner(t)
  const { record, isUnchanged } = await preview({
    ...quiet,
    entry,
    dir: entry.workspaceDir,
    signal: new AbortController().signal
  })
  assert.deepEqual([record.verdict, isUnchanged, record.rounds.length], ['inconclusive', false, 1])
  assert.deepEqual((await readProgress(entry)).history, [])
})
