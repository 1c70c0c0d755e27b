import assert from 'node:assert/strict'
import test from 'node:test'
import { busiestBetween, cpuOfOthers } from '../../runner/process/cpu.js'

const others = (/** @type {number} */ atMs, /** @type {Record<string, [string, number]>} */ programs) => {
  return { atMs, used: new Map(Object.entries(programs).map(([id, [name, cpuMs]]) => [id, { name, cpuMs }])) }
}

test('the program that used most is named, all of its processes together', () => {
  const before = others(0, { '1/1': ['chrome', 5000], '2/1': ['chrome', 100], '3/1': ['node', 90_000] })
  const after = others(2000, { '1/1': ['chrome', 5700], '2/1': ['chrome', 900], '3/1': ['node', 91_000] })
  assert.deepEqual(busiestBetween(before, after), { name: 'chrome', cores: 0.75 })
  assert.equal(busiestBetween(null, after), null)
  assert.equal(busiestBetween(others(0, {}), others(10, {})), null)
})

test('we are not among the others', () => {
  const seen = cpuOfOthers()
  if (process.platform !== 'linux') return assert.equal(seen, null)
  assert.ok(seen && [...seen.used.keys()].every((id) => !id.startsWith(`${process.pid}/`)))
})
