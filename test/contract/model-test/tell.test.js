import assert from 'node:assert/strict'
import test from 'node:test'
import { brokenRule, curl, tell } from '../../../runner/contract/shorten-failure.js'
import { rules } from '../../../runner/shared/model-rules.js'

/** @import { Moment, Operation, Plain, Step } from '../../../runner/contract/operation.js' */

/** @type {Operation} */
const read = { rule: 'reads', draw: () => null }
/** @type {Operation} */
const write = { rule: 'writes', effect: 'shows what was written', touches: [], draw: () => null }
let id = 0
/** @param {Operation} operation @param {any} [asked] @returns {Step} */
const step = (operation, asked = { path: '/' }) => {
  return { id: ++id, name: 'it', operation, asked, transport: { fresh: false, chunked: false } }
}
/** @param {...Step} steps @returns {Moment} */
const moment = (...steps) => ({ steps })

test('what a sequence could not do without names the rule that it breaks', () => {
  const [first, then] = [step(write), step(read)]
  assert.equal(brokenRule([moment(then)], then), 'reads')
  assert.equal(brokenRule([moment(first), moment(then)], then), 'shows what was written')
  assert.equal(brokenRule([moment(first, step(write)), moment(step(read))], step(read)), rules.together)
  assert.equal(brokenRule([moment(first), { steps: [], event: 'restart' }, moment(then)], then), rules.restart)
  assert.equal(brokenRule([{ steps: [], event: 'load' }, moment(then)], then), rules.load)
  const asked = { path: '/same' }
  const [one, again] = [step(read, asked), step(read, asked)]
  assert.equal(brokenRule([moment(one), moment(again)], again), rules.again)
  assert.equal(brokenRule([moment(step(read)), moment(again)], again), 'reads')
})

test('a failure is told as lines for a shell', () => {
  const [first, act, fault, then] = [step(write), step(read), step(read), step(read)]
  const done = new Map(/** @type {[Step, Plain][]} */ ([
    [act, { act: () => {}, says: 'the file is replaced' }],
    [fault, { act: () => {}, says: '/a fails', faults: [{ path: '/a', status: 500 }] }],
    [first, { method: 'POST', path: '/a', json: { name: "O'Hara" } }],
    [then, { path: '/a', headers: { 'If-None-Match': '"1"' } }]
  ]))
  const moments = [moment(first), moment(act), moment(fault), moment(then)]
  const told = tell(moments, done, then, { what: 'the status', expected: '200', got: '304' }, 'shows it')
  assert.deepEqual(told.requests, [
    'curl -i -X POST -H \'Content-Type: application/json\' -d \'{"name":"O\'\\\'\'Hara"}\' \'http://127.0.0.1:PORT/a\'',
    '# the file is replaced',
    '# /a fails',
    'curl -d \'[{"path":"/a","status":500}]\' \'http://127.0.0.1:FAULTS\'',
    'curl -i -H \'If-None-Match: "1"\' \'http://127.0.0.1:PORT/a\''
  ])
  assert.equal(told.message, 'GET /a: yours differs from the slow server in the status: expected 200, got 304')
})

test('a long body is cut', () => {
  assert.ok(curl({ method: 'POST', path: '/', body: 'x'.repeat(5000) }).length < 400)
})
