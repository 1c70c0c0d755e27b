import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import path from 'node:path'
import test from 'node:test'
import { openHub } from '../../../runner/inside/index.js'
import { signalChild } from '../../../runner/process/index.js'
import { makeFolder } from '../../temporary.js'
import { until } from '../../until.js'

/** @import { Timeline } from '../../../runner/inside/index.js' */

const script = `
  const { Worker, isMainThread } = require('node:worker_threads')
  if (isMainThread) {
    new Worker(__filename)
    const kept = []
    setInterval(() => {
      for (let i = 0; i < 1000; i++) kept.push({ i })
      const until = performance.now() + 40
      while (performance.now() < until) JSON.parse('[[1,2,3],[4,5,6]]')
      require('node:fs').writeSync(1, '.')
    }, 60)
  } else {
    setInterval(() => {}, 1000)
  }
`

test('the recorder takes a timeline in a main thread and in a worker', { timeout: 60_000 }, async (t) => {
  const { dir, remove } = makeFolder('timeline-')
  const file = path.join(dir, 'script.cjs')
  fs.writeFileSync(file, script)
  const hub = await openHub()
  const child = spawn(process.execPath, [file], { env: { ...process.env, ...hub.env } })
  let rounds = 0
  child.stdout.on('data', ({ length }) => { rounds += length })
  t.after(async () => {
    const ended = once(child, 'exit')
    signalChild(child, 'SIGKILL')
    await ended
    await hub.close()
    remove()
  })
  await until(() => hub.members().length === 2)

  const started = await hub.ask('startTimeline', { everyMs: 20 })
  assert.deepEqual(started.map(({ error }) => error), [null, null])
  const enough = rounds + 12
  await until(() => rounds >= enough)
  const stopped = await hub.ask('stopTimeline')
  /** @param {boolean} isMain @returns {Timeline} */
  const timelineOf = (isMain) => stopped.find(({ member }) => member.main === isMain)?.value
  const [main, worker] = [timelineOf(true), timelineOf(false)]

  for (const { points, startedAt } of [main, worker]) {
    assert.ok(points.length > 0)
    assert.ok(Math.abs(startedAt - Date.now()) < 60_000)
    for (const point of points) {
      for (const [name, value] of Object.entries(point)) {
        assert.ok(Number.isFinite(value) && value >= 0, `${name}: ${value}`)
      }
      assert.ok(point.loopBusy <= 1)
      assert.ok(point.rssBytes > point.heapBytes)
    }
    assert.ok(points.every(({ atMs }, at) => at === 0 || atMs > points[at - 1].atMs))
  }
  // The main thread is held for 40 ms again and again, the worker never by its own work.
  assert.ok(Math.max(...main.points.map(({ delayMaxMs }) => delayMaxMs)) > 15)
  assert.ok(Math.max(...main.points.map(({ loopBusy }) => loopBusy)) > 0)
  // 15 MB and more of arrays in a second: V8 has to collect. Their times lie within the recording, in this thread’s own
  // clock.
  assert.ok(main.gcs.length > 0)
  const end = main.points[main.points.length - 1].atMs
  for (const { atMs, durationMs, kind } of main.gcs) {
    assert.ok(atMs >= -50 && atMs <= end, `${kind} at ${atMs}`)
    assert.ok(durationMs >= 0)
    assert.notEqual(kind, 'other')
  }
  assert.ok(main.keptBefore > 0 && main.keptAfter > main.keptBefore, 'what the script keeps is more after a while')
  assert.ok((main.before.Timeout ?? 0) >= 1)

  const [again] = await hub.ask('stopTimeline')
  assert.equal(again.error, 'No timeline is being taken.')
})
