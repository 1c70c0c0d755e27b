import assert from 'node:assert/strict'
import test from 'node:test'
import { sampleInside } from '../../runner/check/sample-inside.js'
import { loadLesson, resolveLesson } from '../../runner/lesson/index.js'
import { startGenerator } from '../../runner/load/index.js'
import { withSession } from '../../runner/session/index.js'
import { check, healthCostsToo, submission, variant } from './mini.js'

/** @import { Sides } from '../../runner/judge/index.js' */

test('what is only asked while the load runs is not looked at: its handler is no place to begin', async (t) => {
  const dir = submission(t, healthCostsToo)
  const entry = await loadLesson(await resolveLesson('sync-login'))
  assert.ok(entry.lesson.loads.login.probe, 'the lesson has a probe')
  const samples = await withSession(entry, { seed: 'inside' }, async (session) => {
    const context = /** @type {any} */ ({ lesson: entry.lesson, session, submission: session.openSubmission(dir) })
    return sampleInside(context, await startGenerator(session))
  })
  /** @type {Sides} */
  const { yours } = samples
  const names = yours?.functions.map(({ name }) => name) ?? []
  assert.ok(names.includes('login'), names.join())
  assert.ok(!names.includes('health'), names.join())
  assert.match(yours?.place ?? '', /^Begin at server\.js:2, login: \d+ %/)
})

test('a server that does not let itself be looked into is graded all the same', async (t) => {
  const dir = submission(t, variant({ before: 'if (process.env.NODE_OPTIONS) process.exit(3)' }))
  const record = await check(dir, { sampleInside: true, budgetMs: 6000 })
  assert.ok(record.verdict === 'pass' || record.verdict === 'inconclusive', record.reason)
  assert.deepEqual(record.mechanism?.figures.filter(({ does }) => does === null) ?? [], [])
})

test('a server that forges what the recorder says changes its mechanism and nothing else', async (t) => {
  const forge = `
import { connect } from 'node:net'

const [port, token] = (process.env.MAKE_IT_FAST_RECORDER ?? '').split(' ')
if (token) {
  const socket = connect(Number(port), '127.0.0.1')
  socket.write(JSON.stringify({ hello: token, pid: 1, threadId: 0, main: true, script: '' }) + '\\n')
  socket.on('error', () => {})
  socket.on('data', (lines) => {
    for (const line of String(lines).trim().split('\\n')) {
      const { id } = JSON.parse(line)
      const value = { nodes: 'none', wallMs: -1, gcMs: {}, heapBytes: 'much', cpuMs: [] }
      socket.write(JSON.stringify({ id, value }) + '\\n')
    }
  })
  socket.unref()
}`
  const dir = submission(t, variant({ before: forge }))
  const record = await check(dir, { sampleInside: true, budgetMs: 6000 })
  assert.ok(record.verdict === 'pass' || record.verdict === 'inconclusive', record.reason)
  for (const figure of record.mechanism?.figures ?? []) {
    assert.ok(Number.isFinite(figure.baseline) && Number.isFinite(figure.yours))
  }
})
