import assert from 'node:assert/strict'
import test from 'node:test'
import { modelFault } from '../../../runner/contract/run-model-test.js'

/** @import { Moment } from '../../../runner/contract/operation.js' */

/** A counter: `add` is accepted, `refuse` is not, and `read` should show how many were accepted. */
function played (/** @type {[name: string, status: number, body?: string][]} */ answers, event = 1e9) {
  const expects = (/** @type {any} */ step, /** @type {any} */ { body }, /** @type {any} */ { accepted }) => {
    const count = accepted.filter((/** @type {any} */ { name }) => name === 'add').length
    return step.name !== 'read' || body === String(count) ? null : `expected ${count}, got ${body}`
  }
  const steps = answers.map(([name], id) => ({ id, name, operation: { rule: name, expects }, asked: { path: '/' } }))
  const moments = steps.map((step, at) => ({ steps: [step], ...at === event && { event: 'restart' } }))
  const answerOf = (/** @type {number} */ at) => ({ status: answers[at][1], body: answers[at][2] })
  const outcomes = new Map(steps.map((step, at) => [step, { answer: answerOf(at) }]))
  return modelFault(/** @type {Moment[]} */ (/** @type {unknown} */ (moments)), /** @type {any} */ ({ outcomes }), {})
}

test('the slow server agrees with the model, which counts what was accepted', () => {
  assert.equal(played([['read', 200, '0'], ['add', 201], ['refuse', 400], ['add', 409], ['read', 200, '1']]), null)
})

test('where they disagree, the sentence names the operation and both values', () => {
  const fault = played([['add', 201], ['read', 200, '0']])
  assert.equal(fault, 'the lesson’s model disagrees with the slow server at “read”: expected 1, got 0')
})

test('what happens after a restart says nothing of the model', () => {
  assert.equal(played([['add', 201], ['read', 200, '0']], 1), null)
})
