import assert from 'node:assert/strict'
import test from 'node:test'
import { record } from '../../../bench/tour/record.js'
import { skipWithoutTerminal } from '../../terminal/available.js'

/** @import { Picture } from '../../terminal/screen.js' */

/** @param {Picture} picture */
const textOf = ({ rows }) => rows.map((row) => row.map(({ text }) => text).join('')).join('\n').trimEnd()

test('commands, keys and saved files are recorded as a person sees them', { skip: skipWithoutTerminal() }, async () => {
  // It says when it runs: a key that comes before that is nobody's.
  const waiting = 'cat workspace/a; node -e "console.log(\'up\'); process.stdin.resume()"'
  const { frames, waits, endMs } = await record([
    { type: 'mkdir workspace; echo one > workspace/a', readMs: 0 },
    { type: waiting, until: /^up$/m, readMs: 0 },
    { save: { file: 'a', from: 'one', to: 'two' }, until: /^up$/m, readMs: 0 },
    { key: 'ctrl-c', readMs: 0 },
    { type: 'cat workspace/a', readMs: 0 }
  ], { columns: 90, rows: 12 })
  assert.equal(textOf(frames[0].picture), '$')
  assert.ok(frames.some(({ picture }) => textOf(picture) === '$ mkdir work'), 'it is typed sign by sign')
  assert.equal(textOf(frames[frames.length - 1].picture), [
    '$ mkdir workspace; echo one > workspace/a',
    `$ ${waiting}`,
    'one',
    'up',
    '^C',
    '$ cat workspace/a',
    'two',
    '$'
  ].join('\n'))
  const times = [...frames.map(({ atMs }) => atMs), endMs]
  assert.deepEqual(times, [...times].sort((a, b) => a - b))
  assert.equal(waits.length, 5)
  assert.ok(waits.every(({ fromMs, toMs }) => fromMs <= toMs && toMs <= endMs))
})
