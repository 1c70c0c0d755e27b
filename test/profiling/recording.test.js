import assert from 'node:assert/strict'
import test from 'node:test'
import { recordCpu } from '../../runner/profiling/record-cpu.js'
import { loader } from '../../runner/profiling/under-load.js'
import { dir, inServer, rawProfile } from '../inside/cpu-profile/profiles.js'

const server = inServer('server.js')
const busy = (/** @type {number} */ ms) =>
  rawProfile([{ stack: [['work', server, 7]], ms }, { stack: [['(idle)', '']], ms: 100 - ms }])
const entry = (/** @type {object} */ load) => /** @type {any} */ ({ lesson: { loads: { login: load } } })
const target = (load = {}) =>
  ({ entry: entry(load), dir, loadName: 'login', seed: 'x', signal: new AbortController().signal })

const main = { pid: 1, threadId: 0, main: true }
const worker = { pid: 1, threadId: 2, main: false }
const other = { pid: 7, threadId: 0, main: true }

/**
 * Records a server of three threads and one that can't be recorded.
 *
 * @param {object} [load] of the lesson
 * @param {{ members?: any[], failed?: any[] }} [given] failed: members that give no profile
 */
async function record (load, { members = [main, worker, other], failed = [] } = {}) {
  /** @type {string[]} */
  const steps = []
  const covered = [{ url: server, functions: [{ name: 'work', start: 3, calls: 5 }] }]
  const answers = new Map(Object.entries({
    stopCpu: [busy(20), busy(90), busy(50)],
    stopFigures: [{ cpuMs: 300, wallMs: 1000, corelessMs: 400 }, {}, { cpuMs: 500, wallMs: 1000 }]
  }))
  const hub = {
    members: () => members,
    unrecorded: () => [{ pid: 1, threadId: 3 }],
    ask: async (/** @type {string} */ order) => {
      steps.push(order)
      return members.map((member, at) => failed.includes(member) && order === 'stopCpu'
        ? { member, value: null, error: 'it ended' }
        : { member, value: answers.get(order)?.[at] ?? (order === 'stopCoverage' ? covered : null), error: null })
    }
  }
  /** @type {any} */
  let asked
  const recording = await recordCpu(target(load), {
    seconds: 2,
    withLoad: (/** @type {any} */ given, use) => {
      asked = given
      return use(/** @type {any} */ ({
        server: { dir, pid: 1 },
        hub,
        load: async (/** @type {number} */ ms, whenLoaded = async () => {}) => {
          steps.push(`load for ${ms} ms`)
          return { answers: ms, seconds: ms / 1000, problems: ['wrong'], atEnd: await whenLoaded() }
        }
      }))
    }
  })
  return { recording, steps, asked }
}

test('each thread of each process has a profile, the busiest first, and what has none is named', async () => {
  const { recording, steps, asked } = await record()
  assert.deepEqual(recording.threads.map(({ title }) => title),
    ['worker thread 2', 'main thread of process 7', 'main thread'])
  assert.deepEqual(recording.threads.map(({ coreless }) => coreless), [0, 0, 0.4])
  assert.deepEqual(recording.missing, ['Worker thread 3 of process 1 was not recorded: it was started from a string, ' +
    'or without this process’s environment or flags.'])
  assert.deepEqual([recording.answers, recording.cores, recording.problems], [2000, 0.8, ['wrong']])
  assert.deepEqual(recording.coverage.flatMap(({ functions }) => functions.map(({ calls }) => calls)), [5, 5, 5])
  assert.equal(recording.countedAnswers, 400)
  assert.equal(asked.withoutProbe, true, 'what is requested besides the judged load would be in the profile')
  const recorded = ['markCpu', 'startFigures', 'load for 2000 ms', 'stopCpu', 'stopFigures', 'startCoverage',
    'load for 400 ms', 'stopCoverage']
  assert.deepEqual(steps, ['startCpu', 'load for 700 ms', 'startCpu', ...recorded])
  const fresh = await record({ fresh: true })
  assert.deepEqual(fresh.steps, ['startCpu', 'startCpu', ...recorded], 'the beginning is part of what grows')
})

test('a thread that ended is named, and a server without any profile is told of in a sentence', async () => {
  const { recording } = await record({}, { failed: [worker] })
  assert.deepEqual([recording.threads.length, recording.missing[0]], [2, 'worker thread 2 was not recorded: it ended.'])
  const none = record({}, { failed: [main, worker, other] })
  await assert.rejects(none, /^WorkshopError: No profile was written: it ended/)
  await assert.rejects(record({}, { members: [] }), /^WorkshopError: The server can’t be recorded/)
})

/** @param {{ report?: object, load?: object, exited?: boolean, stuck?: string | null }} given report: of a slice */
function loadWith ({ report = {}, load = {}, exited = false, stuck = null }) {
  /** @type {any[]} */
  const slices = []
  const generator = {
    slice: async (/** @type {object} */ asked) => {
      slices.push(asked)
      return { answers: 9, rate: 200, refused: [], lost: [], ...report }
    },
    verify: async () => ({ problems: [{ message: 'expected 2, got 3.' }] })
  }
  const server =
    { port: 4711, hasExited: () => exited, howItEnded: () => 'ended with exit code 4', output: () => 'Error: no' }
  const run = loader(/** @type {any} */ ({
    entry: entry(load), loadName: 'login', server, generator, findStuck: async () => stuck, withoutProbe: true
  }))
  return { run, slices }
}

test('the load is the lesson’s, at a part of the capacity where it says so, and wrong answers are told', async () => {
  const lost = [{ kind: 'reset', message: 'The connection broke off.' }]
  const { run, slices } = loadWith({ report: { lost, refused: [{}, {}] } })
  const seen = await run(500, async () => 'read')
  assert.deepEqual([seen.answers, seen.problems, seen.atEnd],
    [11, ['The connection broke off.', 'expected 2, got 3.'], 'read'])
  const [{ load, port, sliceMs, rate, withoutProbe }] = slices
  assert.deepEqual({ load, port, sliceMs, rate, withoutProbe },
    { load: 'login', port: 4711, sliceMs: 500, rate: undefined, withoutProbe: true })

  const open = loadWith({ load: { arrivals: 1.5 } })
  await open.run(500)
  await open.run(600)
  assert.deepEqual(open.slices.map(({ sliceMs, rate }) => [sliceMs, rate]), [[400, undefined], [500, 300], [600, 300]])
})

test('a server that ends, hangs or says nothing is told of in a sentence', async () => {
  await assert.rejects(loadWith({ exited: true }).run(500),
    /^WorkshopError: The server ended with exit code 4 while it was profiled\.\n\nError: no$/)
  const silent = { answers: 0, lost: [{ kind: 'no answer', message: 'No answer within 5 s.' }] }
  await assert.rejects(loadWith({ report: silent, stuck: 'your server is idle.' }).run(500),
    /^WorkshopError: No request got an answer within 5 s: your server is idle\.$/)
  await assert.rejects(loadWith({ report: silent }).run(500),
    /^WorkshopError: The server gave no answer within .+: No answer within 5 s\. `npm run serve` /)
})
