import assert from 'node:assert/strict'
import { it } from 'node:test'
import { inspectSteps } from '../../runner/profiling/tools/inspect.js'

it('the steps into DevTools name the address, and are numbered', () => {
  const lines = inspectSteps({ address: 'ws://127.0.0.1:9229/1b2c', title: 'Lesson 2, your server' })
  assert.match(lines[0], /^Lesson 2, your server .* 127\.0\.0\.1:9229/)
  assert.ok(lines.some((line) => line.includes('?ws=127.0.0.1:9229/1b2c')))
  assert.deepEqual(lines.flatMap((line) => /^ +(\d)\. /.exec(line)?.[1] ?? []), ['1', '2', '3', '4', '5'])
})
