import assert from 'node:assert/strict'
import path from 'node:path'
import test from 'node:test'
import { sayWhatItDoes } from '../../../runner/inside/inspector.js'

const dir = path.resolve('workspace', '01-mini')
const place = (/** @type {string} */ name, /** @type {string} */ file, line = 1) => {
  return { name, file: path.join(dir, file), line, id: name }
}
const handler = place('', 'server.js', 20)
const find = place('find', 'server.js', 32)
const library = place('next', path.join('node_modules', 'express', 'index.js'))

test('the innermost function of the learner’s that lasts is named', () => {
  const stacks = [[place('step', 'lib.js'), find, library, handler], [find, handler], [library, find, handler]]
  const say = (turns = false) => sayWhatItDoes({ turns, isBusy: true, stacks }, dir)
  assert.equal(say(), 'your server is busy in find (server.js:32) and doesn’t return.')
  assert.equal(say(true), 'your server is busy in find (server.js:32), again and again.')
})

test('a function without a name has its place', () => {
  assert.match(sayWhatItDoes({ turns: false, isBusy: true, stacks: [[handler]] }, dir), /busy at server\.js:20 and/)
})

test('what runs none of the learner’s code is told apart', () => {
  assert.match(sayWhatItDoes({ turns: true, isBusy: false, stacks: [] }, dir), /is idle and waits/)
  assert.match(sayWhatItDoes({ turns: true, isBusy: true, stacks: [[library]] }, dir), /another of its threads/)
  assert.match(sayWhatItDoes({ turns: false, isBusy: true, stacks: [] }, dir), /its event loop/)
})
