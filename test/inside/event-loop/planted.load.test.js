import assert from 'node:assert/strict'
import test from 'node:test'
import { holding, recordPlanted, schedule } from './record-planted.js'

test('the borders of blocks of 5, 50 and 500 ms are those of the server’s own clock, within 2 ms', async () => {
  const recorded = await recordPlanted()
  const off = holding(recorded).map(({ from, to }, at) => {
    const { planted: { [at]: own } } = recorded
    return { ms: own.to - own.from, off: Math.max(own.from - from, to - own.to) }
  })
  for (const length of new Set(schedule)) {
    const own = off.filter(({ ms }) => ms >= length && ms < length * 5).map(({ off }) => off)
    // One at whose border the system stops the thread, for another program, is off by as long.
    const shown = own.map((ms) => ms.toFixed(2)).join(', ')
    assert.ok(Math.min(...own) <= 2, `blocks of ${length} ms are off by ${shown} ms`)
  }
})
