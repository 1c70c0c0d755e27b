import assert from 'node:assert/strict'
import test from 'node:test'
import { diagnose } from '../../../runner/profiling/trace/trace-report.js'
import { summariseTrace } from '../../../runner/profiling/trace/over-time.js'
import { recording, thread } from './made.js'

/**
 * @import { Timeline } from '../../../runner/inside/index.js'
 * @import { Figures, Given } from './made.js'
 *
 * @typedef {ReturnType<typeof thread>[]} Threads
 * @typedef {Parameters<typeof summariseTrace>[1]} Seen
 */

const command = 'npm run profile lesson-1'
/** @type {Seen} */
const slow = { answers: 100, seconds: 5, connections: 10, spareCores: 4 }
/** @type {Seen} */
const fast = { answers: 50_000, seconds: 5, connections: 10, spareCores: 4 }

const findings = (/** @type {Threads} */ threads, seen = slow) =>
  diagnose(summariseTrace(recording(...threads), seen), { command })
const rules = (/** @type {Threads} */ threads, seen = slow) => findings(threads, seen).map(({ rule }) => rule)
const under = (/** @type {Partial<Figures>} */ figures) => thread({ underLoad: () => figures })

test('a loop that is busy in long pieces is blocked', () => {
  const [{ rule, text }] = findings([under({ loopBusy: 0.99, cpu: 1, delayMaxMs: 210, delayMs: 100 })])
  assert.equal(rule, 'blocked')
  assert.equal(
    text,
    'The event loop is busy 99 % of the time and keeps timers waiting for up to 210 ms: something synchronous runs ' +
      'on the main thread. `npm run profile lesson-1` names it.'
  )
})

test('a loop that is busy in short pieces has no room left', () => {
  assert.deepEqual(rules([under({ loopBusy: 0.97, cpu: 1, delayMaxMs: 6 })], fast), ['busy'])
})

test('a loop that is busy while the processor is not waits inside a call', () => {
  const held = [under({ loopBusy: 0.97, cpu: 0.3, delayMaxMs: 60 })]
  assert.deepEqual(rules(held), ['waits inside'])
  assert.doesNotMatch(findings(held)[0].text, /other programs/)
  assert.match(findings(held, { ...slow, spareCores: null })[0].text, /or other programs have the processor/)
})

test('on a machine without a core to spare, it may as well be kept from running', () => {
  const found = findings([under({ loopBusy: 0.97, cpu: 0.3, delayMaxMs: 60 })], { ...slow, spareCores: 0.1 })
  assert.deepEqual(found.map(({ rule }) => rule), ['blocked', 'crowded'])
  assert.match(found[1].text, /busy for 1\.0 cores and got 0\.3/)
})

test('an idle loop with long requests and no processor at work waits for something outside', () => {
  const [{ rule, text }] = findings([under({ loopBusy: 0.15, cpu: 0.2 })])
  assert.equal(rule, 'waits')
  assert.match(
    text,
    /idle 85 % of the time under load, while a request takes about 500 ms: it waits for something outside/
  )
  assert.doesNotMatch(text, /processor/)
  assert.match(
    findings([under({ loopBusy: 0.15, cpu: 0.2 })], { ...slow, spareCores: 0.1 })[0].text,
    /or for a processor/
  )
})

test('an idle loop while cores are busy waits for other threads', () => {
  const [{ rule, text }] = findings([under({ loopBusy: 0.15, cpu: 3.2 })])
  assert.equal(rule, 'elsewhere')
  assert.match(text, /keep 3\.0 cores busy|keep 3\.1 cores busy/)
})

test('an idle loop while workers are busy waits for them', () => {
  const worker = (/** @type {number} */ number) =>
    thread({ name: `worker thread ${number}`, main: false, underLoad: () => ({ loopBusy: 0.98, cpu: 2.1 }) })
  assert.match(
    findings([under({ loopBusy: 0.1, cpu: 2.1 }), worker(1), worker(2)])[0].text,
    /2 worker threads, which are busy 98 % of the time: the work is there now/
  )
  assert.match(
    findings([under({ loopBusy: 0.1, cpu: 1.1 }), worker(1)])[0].text,
    /it waits for worker thread 1, which is busy 98 %/
  )
})

test('an idle loop with short requests has room left', () => {
  assert.deepEqual(rules([under({ loopBusy: 0.3, cpu: 0.3 })], fast), ['room'])
})

test('an idle loop of an open loop of arrivals says nothing of the time of a request', () => {
  const [{ rule, text }] = findings([under({ loopBusy: 0.2, cpu: 0.2 })], { ...slow, connections: null })
  assert.equal(rule, 'waits')
  assert.doesNotMatch(text, /a request takes/)
})

test('one long pause is told with its time, or with the collection that made it', () => {
  const paused = (/** @type {Timeline['gcs']} */ gcs) =>
    thread({ gcs, underLoad: (atMs) => ({ loopBusy: 0.7, cpu: 0.7, delayMaxMs: atMs === 2000 ? 180 : 3 }) })
  assert.deepEqual(findings([paused([])], fast), [
    { rule: 'pause', text: 'At 2.0 s, a timer had to wait 180 ms: what ran then?' }
  ])
  assert.match(
    findings([paused([{ atMs: 1800, durationMs: 170, kind: 'mark-compact' }])], fast)[0].text,
    /^A garbage collection stopped the main thread for 170 ms/
  )
})

test('much garbage collection is told', () => {
  const gcs = Array.from({ length: 50 }, (_, at) => ({ atMs: 600 + at * 90, durationMs: 31, kind: 'scavenge' }))
  const found = findings([thread({ gcs, underLoad: () => ({ loopBusy: 0.8, cpu: 0.8 }) })], fast)
  assert.deepEqual(found.map(({ rule }) => rule), ['collections'])
  assert.match(found[0].text, /takes 31 % of the time.*`npm run profile lesson-1 -- --tool heap`/)
})

const growing = (/** @type {Given} */ kept) =>
  thread({ ...kept, underLoad: (atMs) => ({ loopBusy: 0.8, cpu: 0.8, heapBytes: 20e6 + atMs * 4000 }) })

test('memory that keeps growing, and that a full collection leaves, is told', () => {
  const [{ rule, text }] = findings([growing({ keptAfter: 35e6 })], fast)
  assert.equal(rule, 'memory')
  assert.match(text, /leaves 15\.0 MB before it and 35\.0 MB after it, 4\.0 MB a second, 400 bytes for each answer/)
})

test('what grows and is gone after a collection was garbage', () => {
  assert.deepEqual(rules([growing({ keptAfter: 16e6 })], fast), ['nothing'])
  assert.deepEqual(rules([growing({ keptBefore: 100e6, keptAfter: 110e6 })], fast), ['nothing'])
})

test('what is kept once and does not keep growing is a cache, say', () => {
  assert.deepEqual(
    rules([thread({ keptAfter: 35e6, underLoad: () => ({ loopBusy: 0.8, cpu: 0.8, heapBytes: 40e6 }) })], fast),
    ['nothing']
  )
})

test('handles that grow and stay pile up; those of the load do not', () => {
  const rising = (/** @type {number} */ atMs) => ({ loopBusy: 0.8, cpu: 0.8, handles: Math.round(atMs / 10) })
  const [finding] = findings(
    [thread({ underLoad: rising, afterwards: { handles: 560 }, before: {}, after: { Timeout: 550 } })],
    fast
  )
  assert.equal(finding.rule, 'handles')
  assert.match(finding.text, /4 before the load, 560 after it, most of the new ones Timeout/)
  assert.deepEqual(rules([thread({ underLoad: rising })], fast), ['nothing'])
  assert.deepEqual(
    rules(
      [thread({ underLoad: () => ({ loopBusy: 0.8, cpu: 0.8, handles: 100 }), afterwards: { handles: 100 } })],
      fast
    ),
    ['nothing']
  )
})

test('other threads that work while the main thread is busy are named', () => {
  assert.deepEqual(rules([under({ loopBusy: 0.95, cpu: 2.4 })], fast), ['busy', 'other threads'])
})

test('of several processes the busiest is named', () => {
  const second = thread({
    name: 'process 2, main thread',
    pid: 2,
    underLoad: () => ({ loopBusy: 0.99, cpu: 1, delayMaxMs: 80 })
  })
  assert.match(findings([thread(), second])[0].text, /^The event loop of process 2, the busiest, is busy 99 %/)
})

test('if nothing stands out, the figures say so', () => {
  const [{ rule, text }] = findings([under({ loopBusy: 0.7, cpu: 0.7, delayMaxMs: 4.2 })], fast)
  assert.equal(rule, 'nothing')
  assert.match(text, /busy 70 % of the time, its longest delay is 4\.2 ms/)
})
