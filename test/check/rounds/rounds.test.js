import assert from 'node:assert/strict'
import test from 'node:test'
import { gather } from '../../../runner/check/check.js'
import { runRounds } from '../../../runner/check/rounds.js'
import { measureSlice, memoryOf } from '../../../runner/check/slice.js'
import { ContractError } from '../../../runner/contract/index.js'
import { decide, histogramOf, mergeEvidence, newEvidence } from '../../../runner/judge/index.js'
import { createRandom } from '../../../runner/shared/random.js'

/**
 * The rounds of a check with servers and a load generator that are made up: what they do with their figures.
 *
 * @import { CheckProgress, SliceReport } from '../../../runner/judge/index.js'
 * @import { SliceOrder } from '../../../runner/load/index.js'
 *
 * @typedef {{ role: string, number: number }} Which server, and which start of it
 * @typedef {SliceOrder & { which: Which, count: number }} Asked count: of the slices of this server so far, from 1
 *
 * What is made up, where it isn't the usual.
 * @typedef {object} MadeUp
 * @property {(asked: Asked) => Partial<SliceReport> | Promise<Partial<SliceReport>>} [slice]
 * @property {(which: Which) => any} [server] what this one does differently
 * @property {(which: Which) => string | null} [failure] why this one doesn't start
 * @property {any} [lesson]
 * @property {any} [options] of the rounds
 */

const wrong = { message: 'GET /1: expected 2, got 3.' }

const usualLesson = {
  contract: [],
  loads: { add: { stream: () => {}, connections: 4 } },
  gates: [{ name: 'additions', kind: 'rate', load: 'add', target: 3, look: 'Look.' }],
  mechanism: { expected: '', load: 'add', cpuPerRequest: 'falls' }
}

/** @param {Partial<SliceReport>} changes @returns {SliceReport} */
const report = (changes) => ({
  answers: 100,
  elapsedMs: 100,
  rate: 100,
  latencies: histogramOf([5]),
  degradation: null,
  littlesLaw: null,
  accepted: [],
  refused: [],
  lateMs: 0,
  busy: 0.2,
  cpuMs: 1,
  probes: [],
  probeLateMs: 0,
  lost: [],
  wrong: 0,
  badStatus: 0,
  problems: [],
  ...changes
})

/** @param {Which} which @param {string} name */
const serverOf = ({ role, number }, name) => ({
  role,
  name,
  pid: process.pid,
  port: number,
  upstream: null,
  use: async () => null,
  members: () => [],
  isStopped: () => false,
  isConnectedTo: () => false,
  isApart: false,
  accepted: () => null,
  hasExited: () => false,
  howItEnded: () => null,
  output: () => `${name} said this`
})

/** @param {MadeUp} madeUp */
function contextWith ({ slice = () => ({}), server = () => ({}), failure = () => null, lesson = {} }) {
  /** @type {string[]} */
  const running = []
  /** @type {Asked[]} */
  const orders = []
  /** @type {CheckProgress[]} */
  const events = []
  const starts = { baseline: 0, yours: 0 }
  const start = async (/** @type {'baseline' | 'yours'} */ role) => {
    const which = { role, number: ++starts[role] }
    const why = failure(which)
    if (why !== null) return { server: null, failure: why, output: `${role} said this` }
    const name = `${role}#${which.number}`
    running.push(name)
    return { failure: null, server: { ...serverOf(which, name), ...server(which) } }
  }
  const generator = {
    pid: process.pid,
    forget: async () => {},
    slice: async (/** @type {SliceOrder} */ order) => {
      const [role, number] = order.instance.split('#')
      const count = 1 + orders.filter(({ instance }) => instance === order.instance).length
      const asked = { ...order, count, which: { role, number: Number(number) } }
      orders.push(asked)
      return report(await slice(asked))
    }
  }
  const session = {
    start,
    stop: async (/** @type {any} */ { name }) => { running.splice(running.indexOf(name), 1) },
    baseline: {},
    data: {},
    seed: 'rounds',
    pace: 1,
    limit: null
  }
  const context = /** @type {any} */ ({
    lesson: { ...usualLesson, ...lesson },
    session,
    submission: {},
    random: createRandom('rounds'),
    // So many that nothing else on this machine can keep a part of them busy that counts.
    cores: 1e6,
    getGenerator: async () => generator,
    onProgress: (/** @type {CheckProgress} */ event) => events.push(event),
    phase: () => {}
  })
  return { context, generator, running, orders, events }
}

/** @param {MadeUp} madeUp */
async function rounds (madeUp) {
  const { context, running, orders } = contextWith(madeUp)
  const outcome = await runRounds(context, { budgetMs: 60_000, ...madeUp.options })
  // One whose other one hasn't started is left to the session's end.
  if (outcome.evidence.startFailure === null) assert.deepEqual(running, [], 'both servers are stopped')
  const rounds = outcome.rounds.map(({ result }) => result)
  return { ...outcome, measured: outcome.rounds, rounds, orders, decision: decide(outcome.evidence) }
}

/** Yours is so many times as fast, with a little noise. @param {number} ratio */
const times = (ratio) => (/** @type {Asked} */ { which: { role }, count }) =>
  ({ rate: (role === 'yours' ? 100 * ratio : 100) * (1 + (count % 3) / 100) })

test('a server that is clearly faster passes after a few rounds, and its warm-up is none of them', async () => {
  const { decision, rounds: results, orders, load } = await rounds({
    // Nothing is compiled yet in the warm-up: it would say the opposite.
    slice: (asked) => asked.count === 1 ? { rate: asked.which.role === 'yours' ? 1 : 1000 } : times(10)(asked)
  })
  assert.equal(decision.verdict, 'pass', decision.reason)
  assert.ok(results.length >= 3 && results.length <= 8)
  assert.ok(results.every(({ baseline, yours }) => baseline < 110 && yours > 900))
  assert.deepEqual(results.map(({ number }) => number), results.map((_, at) => at + 1))
  assert.deepEqual(new Set(results.map(({ first }) => first)), new Set(['baseline', 'yours']))
  // The warm-up's answers have been checked, too.
  assert.equal(load.requests, 100 * (results.length + 1))
  const order = orders.findLast(({ which }) => which.role === 'yours')
  assert.deepEqual([order?.port, order?.connections, order?.sliceMs, order?.rate], [1, 4, 200, undefined])
})

test('a server that is no faster fails, and isn’t asked anything after that', async () => {
  const after = [{ name: 'is asked', run: async () => assert.fail() }]
  const { decision, evidence } = await rounds({ slice: times(1), lesson: { contract: after } })
  assert.equal(decision.verdict, 'fail')
  assert.deepEqual(evidence.contract, [])
  assert.equal(evidence.gates[0].verdict, 'fail')
})

test('what fits no longer into the time isn’t measured, and a later check goes on with the rounds', async () => {
  const options = { budgetMs: 0 }
  const first = await rounds({ slice: times(10), options })
  assert.equal(first.decision.verdict, 'inconclusive')
  assert.equal(first.rounds.length, 1)
  const earlier = JSON.parse(JSON.stringify([...first.measured, ...first.measured]))
  const next = await rounds({ slice: times(10), options: { ...options, earlier } })
  assert.equal(next.decision.verdict, 'pass', 'with those before, one is enough')
  assert.deepEqual(next.rounds.map(({ number }) => number), [1, 1, 2])
})

test('a wrong answer ends the rounds, even one in the warm-up, and has more weight than any speed', async () => {
  for (const bad of [1, 3]) {
    const { decision, rounds: results, load } = await rounds({
      slice: (asked) => ({
        ...times(10)(asked),
        ...asked.which.role === 'yours' && asked.count === bad && {
          wrong: 1, badStatus: 1, problems: [{ kind: 'status', ...wrong }]
        }
      })
    })
    assert.deepEqual([decision.verdict, results.length], ['fail', Math.max(0, bad - 2)])
    assert.match(decision.reason, /An answer was wrong under load: GET \/1: expected 2, got 3/)
    assert.deepEqual([load.mismatches, load.non2xx], [0, 1])
  }
})

test('a wrong answer of the slow server is our fault', async () => {
  const { decision } = await rounds({
    slice: ({ which: { role } }) => role === 'yours' ? {} : { wrong: 1, problems: [{ kind: 'mismatch', ...wrong }] }
  })
  assert.equal(decision.verdict, 'error')
  assert.match(decision.reason, /The slow server itself didn’t do what it should.*expected 2, got 3/)
})

test('a server that ends under load is told how', async () => {
  for (const [role, verdict, reason] of /** @type {const} */ ([
    ['yours', 'fail', /^Your server ended with exit code 1 under load/],
    ['baseline', 'error', /The slow server itself .*it ended with exit code 1/]
  ])) {
    let ended = false
    const { decision, output } = await rounds({
      slice: ({ which, count }) => {
        ended ||= which.role === role && count === 2
        return {}
      },
      server: (which) =>
        which.role === role ? { hasExited: () => ended, howItEnded: () => ended ? 'ended with exit code 1' : null } : {}
    })
    assert.equal(decision.verdict, verdict)
    assert.match(decision.reason, reason)
    assert.equal(output, 'yours#1 said this')
  }
})

test('both servers are restarted after some rounds, and one that doesn’t start then is refused', async () => {
  // Close to the target, so that it takes many.
  const close = (/** @type {Asked} */ { which: { role }, count }) =>
    ({ rate: role === 'yours' ? [200, 300, 450][count % 3] : 100 })
  const fine = await rounds({ slice: close })
  assert.ok(fine.rounds.length > 10)
  assert.ok(fine.orders.some(({ instance }) => instance === 'yours#2'))
  const { decision, output } = await rounds({
    slice: close,
    failure: ({ role, number }) => role === 'yours' && number === 2 ? 'server.js ended with exit code 1' : null
  })
  assert.equal(decision.verdict, 'fail')
  assert.match(decision.reason, /^Started again, your server failed: server\.js ended with exit code 1/)
  assert.equal(output, 'yours said this')
})

test('a server that is busy while the other one is measured fails: no such round counts', async () => {
  let used = 0
  const { decision, rounds: results, evidence } = await rounds({
    slice: times(10),
    server: ({ role }) => ({
      use: async () => ({ cpuMs: role === 'yours' ? (used += 1000) : 0, waitMs: 0 })
    })
  })
  assert.equal(decision.verdict, 'fail')
  assert.match(decision.reason, /^Your server keeps the processor busy while no request is in flight/)
  assert.equal(results.length, 8, 'more of the same would settle nothing')
  assert.equal(evidence.conditions.idleServer, 8)
  assert.match(results[0].disturbed ?? '', /the server that was not being measured kept .* busy/)
})

/** A slice that lasts until the server is looked at, @param {boolean} isSeen as that */
function seen (isSeen) {
  let look = () => {}
  return {
    until: () => new Promise((resolve) => { look = () => resolve({}) }),
    answer: () => {
      look()
      return isSeen
    }
  }
}

test('a server that is connected to the slow one while that is measured is refused', async () => {
  const { until, answer } = seen(true)
  const { decision } = await rounds({
    slice: ({ which: { role }, count }) => role === 'baseline' && count > 1 ? until() : {},
    server: ({ role }) => role === 'yours' ? { isConnectedTo: answer } : {}
  })
  assert.equal(decision.verdict, 'fail')
  assert.match(decision.reason, /your server was connected to it/)
})

test('rounds in which a server was stopped by a signal don’t count', async () => {
  const { until, answer } = seen(true)
  const { decision, rounds: results } = await rounds({
    slice: (asked) => asked.which.role === 'baseline' && asked.count > 1 ? until() : times(10)(asked),
    server: ({ role }) => role === 'baseline' ? { isStopped: answer } : {}
  })
  assert.notEqual(decision.verdict, 'pass')
  assert.ok(results.length > 0)
  assert.ok(results.every(({ disturbed }) => /a signal had stopped a server/.test(disturbed ?? '')))
})

test('the answers are checked once more after the load, also of servers that have been running meanwhile', async () => {
  const check = { name: 'is right', run: async () => { throw new ContractError('GET /: no longer') } }
  const { decision, evidence } = await rounds({ slice: times(10), lesson: { contract: [check] } })
  assert.deepEqual(evidence.contract.map(({ when, status }) => [when, status]), [['after', 'fail']])
  assert.equal(decision.verdict, 'fail')
  const results = [{ name: 'is right later', when: 'after', status: 'fail', message: 'No longer.' }]
  const soaked = await rounds({ slice: times(10), options: { testSoaked: async () => ({ contract: results }) } })
  assert.match(soaked.decision.reason, /is right later/)
  const testSoaked = async () => ({ baselineFailures: ['it lies'] })
  const ours = await rounds({ slice: times(10), options: { testSoaked } })
  assert.equal(ours.decision.verdict, 'error')
})

test('a server that ends after the load is told so', async () => {
  let isOver = false
  const { decision } = await rounds({
    slice: times(10),
    lesson: { contract: [{ name: 'is right', run: async () => { isOver = true } }] },
    server: ({ role }) =>
      role === 'yours' ? { hasExited: () => isOver, howItEnded: () => 'ended with exit code 7' } : {}
  })
  assert.match(decision.reason, /Your server ended with exit code 7 after the load/)
})

test('what arrives is a multiple of what the slow server was seen to answer', async () => {
  const { orders } = await rounds({
    slice: ({ which: { role } }) => ({ rate: role === 'yours' ? 900 : 70, accepted: [role === 'yours' ? 1 : 90] }),
    lesson: {
      loads: { add: { stream: () => {}, connections: 4, arrivals: 2, sliceMs: 400 } },
      gates: [{ ...usualLesson.gates[0], kind: 'latency', percentile: 0.5 }]
    }
  })
  const open = orders.filter(({ rate }) => rate !== undefined)
  assert.ok(open.length >= 6)
  assert.ok(open.every(({ rate }) => rate === 140))
})

test('a load that wants fresh servers gets a pair for each round, without a warm-up', async () => {
  const { orders, rounds: results } = await rounds({
    slice: times(10),
    lesson: { loads: { add: { stream: () => {}, connections: 1, fresh: true, exactly: 5 } } }
  })
  assert.equal(orders.length, 2 * results.length)
  assert.deepEqual(orders.map(({ which: { number } }) => number), results.flatMap((_, at) => [at + 1, at + 1]))
  assert.ok(orders.every(({ exactly }) => exactly === 5))
})

test('who closes the inspector, which memory is read through, is told so', async () => {
  for (const [role, verdict] of /** @type {const} */ ([['yours', 'fail'], ['baseline', 'error']])) {
    const closed = /** @type {any} */ ({ role, inspector: () => null, hasExited: () => false })
    const { retained, footprint, found } = await memoryOf(closed)
    assert.deepEqual([retained, footprint], [0, null])
    const decision = decide(mergeEvidence(newEvidence(), found))
    assert.equal(decision.verdict, verdict)
    assert.match(decision.reason, /its memory couldn’t be read .+: leave the inspector alone/)
  }
})

test('what requests leave behind, and what they call, is counted over the batches of a slice', async () => {
  const { context, generator } = contextWith({})
  const { server } = await context.session.start('yours')
  let [reads, calls] = [0, 0]
  const { slice } = await measureSlice(/** @type {any} */ ({
    ...context,
    server: { ...server, upstream: { count: async () => calls, url: 'http://127.0.0.1:1' } },
    other: server,
    generator: {
      ...generator,
      slice: async () => {
        calls += 100
        return report({ answers: 50, elapsedMs: 10 })
      }
    },
    order: { exactly: 50 },
    batches: 4,
    read: async () => ({ retained: 1e6 + 50 * 3000 * reads++, footprint: null, found: {} }),
    during: async () => ({})
  }))
  assert.deepEqual([slice.retained, slice.held, slice.footprint, slice.upstreamCalls], [3000, 1e6, null, 400])
  assert.deepEqual([slice.answers, slice.elapsedMs, slice.rate], [200, 40, 5000])
})

/** @param {MadeUp} madeUp @param {any} options of the check */
async function gathered (madeUp, options) {
  const { context, running, orders, events } = contextWith(madeUp)
  const known = { startedAt: new Date(), unchanged: false, ...options }
  const { found, outcome } = await gather(context, options, known)
  const evidence = mergeEvidence(newEvidence(), ...found)
  if (evidence.startFailure === null) assert.deepEqual(running, [])
  return { evidence, outcome, orders, types: events.map(({ type }) => type), decision: decide(evidence) }
}

/** Fails both servers, or only yours. @param {string[]} roles */
const failing = (...roles) => ({
  contract: [{
    name: 'adds one',
    run: async (/** @type {{ isBaseline: boolean }} */ { isBaseline }) => {
      if (roles.includes(isBaseline ? 'baseline' : 'yours')) throw new ContractError('GET /1: expected 2, got 3')
    }
  }]
})

test('wrong answers before the load end a check, and no load is sent', async () => {
  const { evidence, outcome, orders, decision } = await gathered({ lesson: failing('yours') }, { speed: true })
  assert.deepEqual(evidence.contract.map(({ when, status }) => [when, status]), [['before', 'fail']])
  assert.deepEqual([decision.verdict, outcome, orders], ['fail', undefined, []])
})

test('what the slow server fails as well, and isn’t known to, is our fault', async () => {
  const lesson = failing('yours', 'baseline')
  const { decision } = await gathered({ lesson }, { speed: true })
  assert.equal(decision.verdict, 'error')
  assert.match(decision.reason, /it adds one: GET \/1: expected 2, got 3/)
  const known = { ...lesson, knownToFail: [{ check: 'adds one' }] }
  assert.equal((await gathered({ lesson: known }, { speed: true })).decision.verdict, 'fail')
})

test('a preview shows a ratio before the answers are checked, and passes nothing', async () => {
  const fine = await gathered({ slice: times(10) }, { speed: 'preview' })
  assert.deepEqual([fine.decision.verdict, fine.outcome?.rounds.length], ['inconclusive', 1])
  assert.ok(Number(fine.evidence.gates[0].ratio) > 9)
  const rude = await gathered({ slice: times(10), lesson: failing('yours') }, { speed: 'preview' })
  assert.deepEqual(rude.types, ['round', 'check'])
  assert.equal(rude.decision.verdict, 'fail')
  assert.ok(Number(rude.evidence.gates[0].ratio) > 9)
  const slice = () => ({ wrong: 1, problems: [{ kind: /** @type {const} */ ('mismatch'), ...wrong }] })
  const { types, decision } = await gathered(
    { slice: ({ which: { role } }) => role === 'yours' ? slice() : {}, lesson: failing('yours') },
    { speed: 'preview' }
  )
  assert.deepEqual([types, decision.verdict], [[], 'fail'], 'a wrong answer to the load fails at once')
})

test('a server that doesn’t start is refused with why', async () => {
  for (const speed of [true, 'preview']) {
    const failure = (/** @type {Which} */ { role }) => role === 'yours' ? 'server.js ended with exit code 1' : null
    const { decision, outcome } = await gathered({ failure }, { speed })
    assert.deepEqual([decision.verdict, decision.reason], ['fail', 'server.js ended with exit code 1'])
    assert.ok(!outcome?.rounds.length)
  }
})
