import assert from 'node:assert/strict'
import test from 'node:test'
import { unicodeMarks as marks } from '../../runner/report/marks.js'
import { errorOf, roughnessOf, sayAbout, sayUnchanged, whyRough } from '../../runner/report/numbers.js'
import { failed } from './records.js'

const gate = failed().gates[0]
const [round] = failed().rounds

test('how far off a look at an unchanged server is', () => {
  assert.equal(roughnessOf({ ...gate, ratio: 0.5 }), 2)
  assert.equal(roughnessOf({ ...gate, ratio: null }), null)
  assert.equal(roughnessOf({ ...gate, unit: '×' }), null, 'it is compared with nothing')
  assert.match(sayUnchanged({ ...gate, ratio: 1.9 }, marks), /^Unchanged: 1× .+ 1\.9×, so looks here are that rough\.$/)
  assert.match(sayUnchanged({ ...gate, ratio: 1.04 }, marks), /just measured 1\.0×\.$/)
  assert.equal(sayUnchanged(undefined, marks), '')
})

test('a look is rough when its round was disturbed, or the machine is known to be', () => {
  const calm = [{ ...round, disturbed: null }]
  assert.equal(whyRough({ rounds: calm, roughness: 1.05 }, marks), '')
  assert.match(whyRough({ rounds: calm, roughness: 1.9 }, marks), /1\.9×/)
  assert.equal(whyRough({ rounds: [{ ...round, disturbed: 'others were busy.' }] }, marks), 'others were busy')
  assert.deepEqual([sayAbout(4.32, false, marks), sayAbout(4.32, true, marks)], ['about 4.3×', 'about 4×'])
})

test('the error is found in what a server wrote, with the place in the learner’s files', () => {
  const submission = 'workspace/14-waterfall'
  const say = (/** @type {string[]} */ ...lines) => errorOf({
    submission, output: [{ server: 'yours', text: lines.join('\n') }]
  })
  assert.deepEqual(say('listening', `${submission}/server.js:7`, "  throw new TypeError('x')", '  ^', 'TypeError: x',
    `    at load (${submission}/lib/load.js:3:9)`), {
    error: 'TypeError: x (lib/load.js:3)',
    code: ["throw new TypeError('x')", '^'],
    place: { file: 'lib/load.js', line: 3 }
  })
  assert.equal(say('[UnhandledPromiseRejection: This error originated …] {')?.error.slice(0, 27),
    '[UnhandledPromiseRejection:')
  assert.deepEqual(say('  process.nextTick(() => { throw err; });', '     ^', 'Error: out')?.code, [])
  assert.equal(say('listening', 'errors: none'), null)
  assert.equal(errorOf({ submission, output: [] }), null)
})
