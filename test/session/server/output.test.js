import assert from 'node:assert/strict'
import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import test from 'node:test'
import { capture, trimOutput } from '../../../runner/process/server-output.js'

const places = { dir: '/tmp/run', shownDir: 'mine' }

test('a stack shows the learner’s own frames only, relative to their folder', () => {
  const text = `TypeError: x is not a function
    at handler (/tmp/run/server.js:12:3)
    at Layer.handle (/tmp/run/node_modules/express/lib/router/layer.js:95:5)
    at node:internal/main/run_main_module:36:49

Node.js v20.20.2`
  assert.equal(trimOutput(text, places), 'TypeError: x is not a function\n    at handler (mine/server.js:12:3)')
})

test('file URLs become paths, control codes disappear', () => {
  assert.equal(trimOutput('\x1b[31mred\x1b[39m file:///tmp/run/server.js:3', places), 'red mine/server.js:3')
})

test('many lines are cut, and it says how many', () => {
  const output = Array.from({ length: 50 }, (_, i) => `line ${i}`).join('\n')
  const lines = trimOutput(output, places).split('\n')
  assert.deepEqual([lines.length, lines.at(-1)], [12, '… 39 more lines'])
})

test('of a flood the beginning and the end are kept', async () => {
  const stream = new PassThrough()
  const { text, bytes } = capture(stream)
  stream.write('first\n')
  for (let i = 0; i < 100; i++) stream.write('x'.repeat(10_000))
  stream.end('\nlast')
  await once(stream, 'end')
  assert.equal(bytes(), 1_000_011)
  assert.match(text(), /^first\n/)
  assert.match(text(), /\nlast$/)
  assert.match(text(), /bytes left out/)
  assert.ok(text().length < 70_000)
})
