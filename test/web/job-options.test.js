import assert from 'node:assert/strict'
import test from 'node:test'
import { byHandOf } from '../../runner/web/by-hand.js'
import { commandOf, nameOf, readOptions } from '../../runner/web/job-handlers.js'

const names = ['lesson-3', '3', 'in-memory-json']
const of = (/** @type {string} */ line) => commandOf(`npm run ${line}`, names)
const lesson = /** @type {any} */ ({ loads: { movies: {}, alone: {} } })

test('a command of a lesson’s text is a job', () => {
  assert.deepEqual(of('check lesson-3'), { kind: 'check' })
  assert.deepEqual(of('check lesson-3 -- --no-speed'), { kind: 'preview', speed: false })
  assert.deepEqual(of('bench lesson-3 slow -- --load alone --connections 8'),
    { kind: 'bench', load: 'alone', server: 'slow', connections: 8 })
  assert.deepEqual(of('profile 3 mine -- --compare --open'), { kind: 'profile', compare: true })
  assert.deepEqual(of('profile lesson-3 slow -- --tool trace'), { kind: 'profile', tool: 'trace', server: 'slow' })
  assert.deepEqual(of('serve in-memory-json slow -- --port 3000'), { kind: 'serve', server: 'slow', port: 3000 })
  assert.deepEqual(of('serve 3 -- --node=--trace-warnings'), { kind: 'serve', node: '--trace-warnings' })
  assert.deepEqual(of('profile 3 slow -- --seconds 6'), { kind: 'profile', server: 'slow', seconds: 6 })
})

test('a lesson’s own script is a load, by its path or by its name', () => {
  const line = 'node lessons/02-leaking-listeners/latency.js http://127.0.0.1:3000/seed/v1'
  assert.deepEqual(commandOf(line, names), { kind: 'load', line })
  assert.deepEqual(of('send 400 3'), { kind: 'load', line: 'npm run send 400 3' })
  assert.deepEqual(byHandOf('npm run send 400 3')?.args, ['lessons/12-overload/send.js', '400', '3'])
  for (const other of ['node latency.js', 'node lessons/../x.js', 'node -e 1', 'npm run test', 'npm run none']) {
    assert.equal(byHandOf(other), null, other)
  }
})

test('a command for a terminal, or for another lesson, is not a job', () => {
  for (const line of [
    'hint lesson-3', 'check lesson-4', 'check lesson-3 slow', 'check', 'bench lesson-3 solution',
    'profile lesson-3 slow -- --tool inspect', 'serve lesson-3 mine -- --node=--inspect', 'bench lesson-3; rm x',
    'constructor lesson-3', 'bench lesson-3 -- --server /etc',
    'serve lesson-3 -- --node=--import=x', 'check lesson-3 -- --seconds 60'
  ]) assert.equal(of(line), null, line)
})

test('a job’s options are checked, and those that its kind doesn’t take are left out', () => {
  const asked = { server: 'slow', tool: 'heap', load: 'alone', connections: 4, compare: true, more: true, dir: '/etc' }
  assert.deepEqual(readOptions('check', asked, lesson), { more: true })
  assert.deepEqual(readOptions('preview', asked, lesson), {})
  assert.deepEqual(readOptions('preview', { speed: false }, lesson), { speed: false })
  assert.deepEqual(readOptions('bench', asked, lesson), { server: 'slow', load: 'alone', connections: 4 })
  assert.deepEqual(readOptions('profile', asked, lesson), { server: 'slow', load: 'alone', tool: 'heap' })
  assert.deepEqual(readOptions('profile', {}, lesson), { tool: 'cpu' })
  assert.throws(() => readOptions('profile', { seconds: 31 }, lesson), /1 to 30 s/)
  assert.deepEqual(readOptions('bench', asked, { ...lesson, check: {} }), {})
})

test('a command has the name of the job that it starts', () => {
  for (const line of [
    'check lesson-3', 'check lesson-3 -- --no-speed', 'bench lesson-3 slow -- --load alone', 'profile lesson-3',
    'profile lesson-3 slow -- --tool heap'
  ]) {
    const command = of(line)
    assert.ok(command !== null && command.kind !== 'serve' && command.kind !== 'send')
    const job = { kind: command.kind, ...readOptions(command.kind, command, lesson) }
    assert.equal(nameOf(job), nameOf(command))
  }
  assert.notEqual(nameOf({ kind: 'profile' }), nameOf({ kind: 'profile', compare: true }))
})
