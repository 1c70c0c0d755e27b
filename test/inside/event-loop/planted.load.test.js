import assert from 'node:assert/strict'
import test from 'node:test'
import { holding, recordPlanted } from './record-planted.js'

test('the borders of blocks of 5, 50 and 500 ms are those of the server’s own clock, within 2 ms', async () => {
  const recorded = await recordPlanted()
  const off = holding(recorded).map(({ from, to }, at) => {
    const { planted: { [at]: own } } = recorded
    return Math.max(own.from - from, to - own.to)
  }).sort((a, b) => a - b)
  // One at whose border the system stops the thread, for another program, is off by as long.
  assert.ok(off[Math.floor(off.length / 2)] <= 2, `off by ${off.map((ms) => ms.toFixed(2)).join(', ')} ms`)
})
