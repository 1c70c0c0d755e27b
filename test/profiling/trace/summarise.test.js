import assert from 'node:assert/strict'
import test from 'node:test'
import { sayNotRecorded, spareCores } from '../../../runner/profiling/tools/trace.js'
import { align, summariseTrace } from '../../../runner/profiling/trace/over-time.js'
import { atRest, recording, thread } from './made.js'

/**
 * @import { Timeline } from '../../../runner/inside/index.js'
 * @import { Core } from '../../../runner/profiling/tools/trace.js'
 */

const seen = { answers: 1000, seconds: 5, connections: 10, spareCores: 4 }

test('tells of the time under load alone', () => {
  const { lead, cores } = summariseTrace(
    recording(thread({ underLoad: () => ({ loopBusy: 0.9, cpu: 1.2, delayMs: 30, delayMaxMs: 45 }) })),
    seen
  )
  assert.ok(Math.abs(lead.busy - 0.9) < 1e-9)
  assert.ok(Math.abs(cores - 1.2) < 1e-9)
  assert.equal(lead.delayMaxMs, 45)
  assert.equal(lead.delayTypicalMs, 30)
  assert.ok(Math.abs(lead.blocked - 1) < 1e-9)
})

test('takes the time of a request from Little’s law, in a closed loop only', () => {
  assert.equal(summariseTrace(recording(thread()), seen).requestMs, 50)
  assert.equal(summariseTrace(recording(thread()), { ...seen, connections: null }).requestMs, null)
})

test('collections outside of the load do not count, one across its end does in part', () => {
  const gcs = [
    { atMs: 100, durationMs: 50, kind: 'mark-compact' },
    { atMs: 1000, durationMs: 100, kind: 'scavenge' },
    { atMs: 2000, durationMs: 50, kind: 'scavenge' },
    { atMs: 5450, durationMs: 150, kind: 'mark-compact' }
  ]
  const { lead } = summariseTrace(recording(thread({ gcs })), seen)
  assert.deepEqual(lead.gcs, [
    { kind: 'scavenge', count: 2, ms: 150, longestMs: 100 },
    { kind: 'mark-compact', count: 1, ms: 50, longestMs: 150 }
  ])
  assert.ok(Math.abs(lead.gc - 200 / 5000) < 1e-9)
})

test('the lead is the busiest main thread, and a process counts once', () => {
  const busy = (/** @type {number} */ loopBusy, /** @type {number} */ cpu) => () => ({ loopBusy, cpu })
  const summary = summariseTrace(recording(
    thread({ underLoad: busy(0.1, 0.1) }),
    thread({ name: 'process 2, main thread', pid: 2, underLoad: busy(0.5, 1.5) }),
    thread({ name: 'process 2, worker thread 1', pid: 2, main: false, underLoad: busy(1, 1.5) })
  ), seen)
  assert.equal(summary.lead.name, 'process 2, main thread')
  assert.ok(Math.abs(summary.cores - 1.6) < 1e-9)
  assert.ok(Math.abs(summary.leadCores - 1.5) < 1e-9)
})

test('memory: of each process once, of each thread’s heap', () => {
  const { memory: { rss, heap }, kept } = summariseTrace(recording(
    thread({ underLoad: () => ({ rssBytes: 90e6, heapBytes: 30e6 }), afterwards: { rssBytes: 80e6 } }),
    thread({ name: 'worker thread 1', main: false, keptAfter: 25e6 })
  ), seen)
  assert.deepEqual(kept, { before: 30e6, after: 40e6 })
  assert.deepEqual([rss.before, rss.end, rss.after], [60e6, 90e6, 80e6])
  assert.deepEqual([heap.before, heap.end, heap.after], [40e6, 50e6, 40e6])
})

test('names the kind of handle of which there are most more', () => {
  const { handleKind } = summariseTrace(
    recording(thread({ before: { Timeout: 5, TCPSocketWrap: 1 }, after: { Timeout: 6, TCPSocketWrap: 40 } })),
    seen
  )
  assert.equal(handleKind, 'TCPSocketWrap')
  assert.equal(summariseTrace(recording(thread()), seen).handleKind, null)
})

test('lays threads on one clock, the server’s own process first', () => {
  /** @param {number} startedAt @returns {Timeline} */
  const timeline = (startedAt) => ({
    startedAt,
    points: [{ ...atRest, atMs: 50 }, { ...atRest, atMs: 1400 }],
    gcs: [{ atMs: 20, durationMs: 1, kind: 'scavenge' }],
    keptBefore: 0,
    keptAfter: 0,
    before: {},
    after: {}
  })
  const { load, endMs, threads } = align([
    { member: { pid: 9, threadId: 0, main: true }, timeline: timeline(10_300) },
    { member: { pid: 7, threadId: 2, main: false }, timeline: timeline(10_010) },
    { member: { pid: 7, threadId: 0, main: true }, timeline: timeline(10_000) }
  ], { serverPid: 7, startedAt: 10_000, fromAt: 10_500, toAt: 11_000 })
  assert.deepEqual(load, { fromMs: 500, toMs: 1000 })
  assert.equal(endMs, 1700)
  assert.deepEqual(threads.map(({ name }) => name), ['main thread', 'worker thread 2', 'main thread of process 9'])
  assert.deepEqual(threads.map(({ points: [{ atMs }] }) => atMs), [50, 60, 350])
  assert.equal(threads[2].gcs[0].atMs, 320)
})

test('what was not recorded is named in one sentence', () => {
  assert.equal(sayNotRecorded([], 1), null)
  assert.equal(
    sayNotRecorded([{ pid: 4, threadId: 0, why: 'it ended' }, { pid: 4, threadId: 3, why: 'x' }], 1),
    'Not recorded: main thread of process 4 (it ended), worker thread 3 of process 4 (x).'
  )
  const many = Array.from({ length: 9 }, (_, at) => ({ pid: at, threadId: 0, why: 'it ended' }))
  assert.match(sayNotRecorded(many, 99) ?? '', /process 3 \(it ended\) and 5 more\.$/)
})

test('counts the cores of the machine that had nothing to do', () => {
  /** @param {number} user @param {number} idle @returns {Core} */
  const core = (user, idle) => ({ times: { user, nice: 0, sys: 0, idle, irq: 0 } })
  assert.equal(spareCores([core(0, 0), core(0, 0)], [core(1000, 0), core(500, 500)]), 0.5)
  assert.equal(spareCores([core(0, 0)], [core(0, 0)]), null)
  assert.equal(spareCores([], []), null)
})
