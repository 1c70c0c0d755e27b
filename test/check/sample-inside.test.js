import assert from 'node:assert/strict'
import path from 'node:path'
import test from 'node:test'
import { keptFiles } from '../../runner/check/files.js'
import { sampleInside, sampleOf } from '../../runner/check/inside.js'
import { workshopRoot } from '../../runner/shared/workshop.js'
import { dir, inServer, rawProfile } from '../inside/cpu-profile/profiles.js'

/** @import { RecordedFigures } from '../../runner/inside/index.js' */

/** @param {Partial<RecordedFigures>} [changes] @returns {RecordedFigures} */
const figures = (changes) => ({
  wallMs: 400,
  delayP99Ms: 12,
  gcMs: 8,
  cpuMs: 380,
  corelessMs: 0,
  heapBytes: 9e6,
  ...changes
})
const profile = rawProfile([
  { stack: [['handle', inServer('server.js'), 7]], ms: 80 },
  { stack: [['(idle)', '']], ms: 20 }
])
const given = { answers: 100, upstreamCalls: null, listeners: null, dir, kept: [] }

test('a sample adds up what threads and processes did, and looks at the one that serves', () => {
  const sample = sampleOf({
    ...given,
    threads: [
      {
        profile: rawProfile([{ stack: [['(idle)', '']], ms: 100 }]),
        figures: figures({ cpuMs: 20, heapBytes: 5e6 })
      },
      { profile, figures: figures() },
      {
        profile: rawProfile([{ stack: [['work', inServer('worker.js'), 3]], ms: 100 }]),
        figures: figures({ cpuMs: null, heapBytes: 1e6 })
      }
    ]
  })
  assert.equal(sample?.cpuPerRequestMs, 4)
  // As the profile has it.
  assert.equal(sample?.loopBusy, 0.8)
  assert.equal(sample?.heapBytes, 15e6)
  assert.equal(sample?.cores, 1)
  assert.equal(sample?.gcShare, 0.02)
  assert.deepEqual(sample?.functions[0], { name: 'handle', owner: 'yours', share: 0.8 })
  assert.match(sample?.place ?? '', /server\.js:7, handle: 80 %/)
})

test('the place is the call of a file that needs no change, and not in it', () => {
  const [server, book] = ['server.js', 'book.js'].map(inServer)
  /** @type {[string, string, number][]} */
  const stack = [['quote', server, 20], ['add', book, 15], ['seal', book, 35]]
  const threads = [{ profile: rawProfile([{ stack, ms: 100 }]), figures: figures() }]
  assert.match(sampleOf({ ...given, threads })?.place ?? '', /^Begin at book\.js:35, seal: 100 %/)
  assert.equal(sampleOf({ ...given, threads, kept: ['book.js'] })?.place,
    'Begin at server.js:20, quote: 100 % of the main thread’s time is spent there, most of it in its calls to add.')
})

test('files that the solution leaves as they are need no change, unless they were changed', () => {
  const [slowDir, solutionDir] = ['slow-servers', 'solutions'].map((folder) =>
    path.join(workshopRoot, folder, '12-overload'))
  assert.deepEqual(keptFiles({ slowDir, solutionDir }, slowDir), ['book.js'])
  assert.deepEqual(keptFiles({ slowDir, solutionDir }, path.join(workshopRoot, 'solutions', '01-sync-login')), [])
})

test('where nothing was recorded there is no sample', () => {
  assert.equal(sampleOf({ ...given, threads: [] }), null)
})

test('what a lesson only asks while its load runs is not looked at, and no answer is judged', async () => {
  /** @type {any[]} */
  const orders = []
  let running = 0
  const generator = {
    forget: async () => {},
    slice: async (/** @type {any} */ order) => {
      orders.push(order)
      return { answers: 10 }
    }
  }
  const session = {
    start: async (/** @type {string} */ role) => {
      running++
      return { server: { role, port: 1, upstream: null, hasExited: () => false }, failure: null }
    },
    stop: async () => { running-- }
  }
  const lesson = { loads: { add: {} }, mechanism: { load: 'add' } }
  // No recorder answers from these servers.
  const { samples, loops } =
    await sampleInside(/** @type {any} */ ({ lesson, session }), /** @type {any} */ (generator), { loops: true })
  assert.deepEqual([samples, loops], [{ baseline: null, yours: null }, null], 'this lesson offers no event loop')
  assert.equal(running, 0)
  assert.equal(orders.length, 4, 'a warm-up and a slice of each')
  assert.ok(orders.every(({ unchecked, withoutProbe, load }) => unchecked && withoutProbe && load === 'add'))
})
