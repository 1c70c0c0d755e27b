import assert from 'node:assert/strict'
import test from 'node:test'
import { momentAt, sayMoment } from '../../../runner/profiling/pages/loop-moment.js'
import { holding, recordPlanted, schedule } from './record-planted.js'

test('each planted block is in one that’s recorded, for its request, and the others wait for it', async () => {
  const recorded = await recordPlanted()
  const { side, planted, lastSent } = recorded
  assert.equal(side.requests.length, schedule.length)
  assert.ok(side.requests.every(({ read, sent, received }) => read !== null && sent <= read && read <= received))
  const blocks = holding(recorded)
  assert.equal(new Set(blocks.map(({ request }) => request)).size, schedule.length)
  const moments = planted.map(({ from, to }) => (from + to) / 2)
  // While the first one runs, the last may not have been sent.
  assert.ok(moments.filter((middle) => middle > lastSent).length > schedule.length / 2)
  for (const [at, middle] of moments.entries()) {
    if (middle < lastSent) continue
    const moment = momentAt(side, middle)
    assert.equal(moment.waiting.length, schedule.length - at - 1, `while block ${at} runs`)
    assert.match(sayMoment(side, moment), /^The main thread is in `.+` for a request to \/work, /)
  }
  const longest = blocks.filter(({ from, to }) => to - from > 400)
  assert.ok(longest.length >= 3)
  // V8 may charge a loop that it has replaced while it ran to its caller.
  for (const { name } of longest) assert.match(name, /^block|^planted\.js/)
})
