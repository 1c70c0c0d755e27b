import assert from 'node:assert/strict'
import test from 'node:test'
import { inOrderOfText, recordOf } from '../../runner/check/record-of.js'
import { newEvidence } from '../../runner/judge/index.js'
import { loadLesson, resolveLesson } from '../../runner/lesson/index.js'
import { root } from './mini.js'

test('what the inside shows is in the record, and a mechanism that isn’t there warns once', async () => {
  const entry = await loadLesson(await resolveLesson('mini', { env: { MAKE_IT_FAST_LESSONS: root } }))
  const sample = /** @type {any} */ ({ place: 'Begin at server.js:3.' })
  const run = { entry, submission: 'mine', seed: 'seed', startedAt: new Date() }
  const { warnings, next, mechanism } = recordOf(run, {
    decision: { verdict: 'pass', reason: 'Fast.', next: 'Look. Or wait.', advice: 'Look.' },
    evidence: newEvidence(),
    outcome: { cpuPerRequest: { baseline: 2, yours: 2 } },
    inside: { samples: { baseline: null, yours: sample }, limits: new Map() },
    warnings: ['It flooded its output.']
  })
  assert.equal(next, 'Look. Begin at server.js:3. Or wait.')
  assert.equal(mechanism?.figures[0].text, 'CPU time for one answer 2 ms → 2 ms')
  assert.equal(warnings.length, 2)
  assert.equal(warnings[0], 'It flooded its output.')
  assert.match(warnings[1], /^Fast enough, but not for the reason .*CPU time for one answer 2 ms → 2 ms/)
})

test('failures come in the order of the text, and a rule that several checks look at counts once', async () => {
  const entry = await loadLesson(await resolveLesson('mini', { env: { MAKE_IT_FAST_LESSONS: root } }))
  const promises = { 'is first': 'One.', 'is second': 'Two.', 'is second, again': 'Two.', 'is later': 'Three.' }
  const lesson = { ...entry.lesson, promises }
  const result = (/** @type {string} */ name, /** @type {'pass' | 'fail'} */ status) =>
    ({ name, status, when: /** @type {const} */ ('before'), message: '', durationMs: 1 })
  const contract = inOrderOfText([
    result('is unknown', 'pass'),
    result('is second, again', 'fail'),
    result('is second', 'fail'),
    result('is first', 'pass')
  ], lesson)
  assert.deepEqual(contract.map(({ name }) => name), ['is first', 'is second', 'is second, again', 'is unknown'])
  const run = { entry: { ...entry, lesson }, submission: 'mine', seed: 'seed', startedAt: new Date() }
  const { rules } = recordOf(run, {
    decision: { verdict: 'fail', reason: 'Wrong.', next: 'Look.' }, evidence: { ...newEvidence(), contract }
  })
  assert.deepEqual(rules, { hold: 2, of: 4 })
})
