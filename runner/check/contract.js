import { setTimeout as sleep } from 'node:timers/promises'
import {
  BaselineError, checksOf, ContractError, generateCommands, rules, rulesOf, runContract, runModelTest, stray
} from '../contract/index.js'

/**
 * @import { Event, Subject } from '../contract/index.js'
 * @import { ContractResult, Evidence } from '../judge/index.js'
 * @import { Lesson, Random, SequenceOptions } from '../lesson/index.js'
 * @import { Role, Server } from '../process/index.js'
 * @import { Context, ModelTestResult } from './record-of.js'
 */

/**
 * Every check of the contract. Those that fail are asked of the slow server, too: what that is not known to fail, and
 * fails, is the workshop's fault.
 *
 * @param {Context} context
 * @param {{ yours: Server, compare: boolean }} options compare: false: check only yours
 * @returns {Promise<{ baselineFailures: string[], results: ContractResult[] }>} baselineFailures: sentences
 */
export async function testContract (context, { yours, compare }) {
  const { lesson, session, submission, random, onProgress } = context
  const { data, signal } = session
  const checks = checksOf(lesson, 'before')
  const [results, ofSequence] = await Promise.all([
    runContract({
      checks,
      when: 'before',
      server: yours,
      startAnother: (options) => session.start('yours', submission, options),
      random,
      data,
      onResult: (result, done, total) => onProgress({ type: 'check', result, done, total }),
      signal
    }),
    testModel(context)
  ])
  const failed = new Set(results.filter(({ status }) => status === 'fail').map(({ name }) => name))
  const doubtful = compare ? checks.filter(({ name }) => failed.has(name)) : []
  return {
    baselineFailures: [
      ...await failuresOfBaseline(context, doubtful),
      ...(ofSequence.fault === null ? [] : [ofSequence.fault])
    ],
    results: [...ofSequence.results, ...results]
  }
}

/**
 * @param {Context} context
 * @param {import('../contract/index.js').Check[]} checks
 * @returns {Promise<string[]>} sentences
 */
async function failuresOfBaseline ({ lesson, session, random }, checks) {
  const { baseline, data, signal } = session
  const known = new Set(lesson.knownToFail?.map(({ check }) => check))
  const unknown = checks.filter(({ name }) => !known.has(name))
  if (unknown.length === 0) return []
  const { server, failure } = await session.start('baseline', baseline)
  if (failure !== null) return [failure]
  const results = await runContract({
    checks: unknown,
    when: 'before',
    server,
    startAnother: (options) => session.start('baseline', baseline, options),
    random,
    data,
    signal
  })
  await session.stop(server)
  return results.filter(({ status }) => status === 'fail').map(({ name, message }) => `it ${name}: ${message}`)
}

/**
 * The checks that run during a load, again and again.
 *
 * @param {Context} context
 * @param {{ server: Server, label: string, evidence: Evidence, running: () => boolean }} given label: of the random
 *   numbers
 */
export async function testDuringLoad ({ lesson, session, random }, { server, label, evidence, running }) {
  const checks = checksOf(lesson, 'during')
  const { data, signal } = session
  while (checks.length > 0 && running()) {
    const own = random.fork(label)
    const results = await runContract({ checks, when: 'during', server, random: own, data, signal })
    const failed = results.filter(({ status }) => status === 'fail')
    if (server.role === 'yours') evidence.contract.push(...failed)
    else evidence.baselineFailures.push(...failed.map((check) => `it ${check.name}: ${check.message}`))
    if (failed.length > 0) return
  }
}

/**
 * The contract of a submission once more, after the load.
 *
 * @param {Context} context
 * @param {Server} server
 * @param {Evidence} evidence
 */
export async function testAfterLoad ({ lesson, session, submission, random, phase }, server, evidence) {
  phase('after', 'Checking the answers once more, after the load')
  const results = await runContract({
    checks: checksOf(lesson, 'after'),
    when: 'after',
    server,
    startAnother: (options) => session.start('yours', submission, options),
    random,
    data: session.data,
    signal: session.signal
  })
  evidence.contract.push(...results)
  if (server.hasExited()) evidence.crash = `Your server ${server.howItEnded()} after the load.`
}

/** @type {ModelTestResult} */
const nothing = { results: [], fault: null }

const defaultSteps = 60
/** How long many other clients send requests while a part of the sequence is carried out. */
const loadMs = 400
/** … and has started after this. */
const settlingMs = 40

/**
 * The slow server is the oracle: a random sequence of what the lesson offers is asked of both, each fresh.
 *
 * @param {Context} context
 * @param {{ shrinkMs?: number }} [options] how long it may take to make a failure short
 * @returns {Promise<ModelTestResult>}
 */
export async function testModel (context, { shrinkMs } = {}) {
  const { random, onProgress } = context
  const tried = await tryOne(context, { when: 'before', random: random.fork('sequence'), shrinkMs })
  tried.results.forEach((result, at, { length }) => onProgress({ type: 'check', result, done: at + 1, total: length }))
  return tried
}

/**
 * The same of two servers that have been running for a while: what is right at first can be wrong later.
 *
 * @param {Context} context
 * @returns {Promise<() => Promise<ModelTestResult>>} the check, for later
 */
export async function startSoak (context) {
  const { lesson, session, submission, random } = context
  if (lesson.operations === undefined) return async () => nothing
  const [baseline, yours] = await Promise.all([
    session.start('baseline', session.baseline),
    session.start('yours', submission)
  ])
  const soaked = { baseline: baseline.server, yours: yours.server }
  return async () => tryOne(context, { when: 'after', random: random.fork('soaked sequence'), soaked })
}

/**
 * @param {Context} context
 * @param {object} options
 * @param {'before' | 'after'} options.when
 * @param {Random} options.random
 * @param {number} [options.shrinkMs]
 * @param {Partial<Record<Role, Server | null>>} [options.soaked] servers that have been started before
 * @returns {Promise<ModelTestResult>}
 */
async function tryOne (context, { when, random, shrinkMs, soaked = {} }) {
  const { lesson, session: { data, signal } } = context
  if (lesson.operations === undefined) return nothing
  // Each check has one sequence with compressed answers, and one without.
  const compressed = (context.random.fork('zipped').next() < 0.5) === (when === 'before')
  const moments = momentsOf(lesson, data, random)
  const failure = await runModelTest(moments, {
    baseline: subjectOf(context, 'baseline', soaked.baseline),
    yours: subjectOf(context, 'yours', soaked.yours),
    compressed,
    isFresh: soaked.yours === undefined,
    data,
    shrinkMs,
    signal
  }).catch((error) => {
    if (error instanceof BaselineError) return error
    // It starts in time once and does not the next time.
    if (error instanceof ContractError) {
      return { rule: rules.starts, of: rules.starts, message: error.message, requests: [] }
    }
    throw error
  })
  if (failure instanceof BaselineError) return { results: [], fault: failure.message }
  const names = rulesOf(moments)
  if (failure && !names.includes(failure.rule)) names.push(failure.rule)
  /** @type {ContractResult[]} */
  const results = names.map((name) => {
    if (name !== failure?.rule) return { name, when, status: 'pass', message: '' }
    const { message, requests, of } = failure
    const promised = lesson.promises?.[name] ?? lesson.promises?.[of]
    return { name, when, status: 'fail', message, requests, ...promised ? { promised } : {} }
  })
  return { results, fault: null }
}

/**
 * A lesson's sequence.
 *
 * @param {Pick<Lesson, 'operations' | 'sequence'>} lesson
 * @param {any} data
 * @param {Random} random
 */
export function momentsOf ({ operations = {}, sequence = {} }, data, random) {
  const { steps = defaultSteps, strays = true } = sequence
  return generateCommands({
    operations: strays ? { ...operations, stray } : operations,
    data,
    random,
    count: steps,
    events: eventsOf({ ...sequence, steps })
  })
}

/** @param {SequenceOptions & { steps: number }} options @returns {{ at: number, event: Event }[]} */
function eventsOf ({ steps, restart = false, load = true }) {
  /** @type {{ at: number, event: Event }[]} */
  const events = []
  if (load) events.push({ at: steps * 0.4, event: 'load' }, { at: steps * 0.7, event: 'rest' })
  if (restart) events.push({ at: steps * 0.85, event: 'restart' })
  return events
}

/**
 * @param {Context} context
 * @param {Role} role
 * @param {Server | null} [running] the first one, where it runs already
 * @returns {Subject}
 */
function subjectOf ({ session, submission, random, getGenerator }, role, running = null) {
  const folder = role === 'baseline' ? session.baseline : submission
  const start = async (/** @type {string | undefined} */ dataDir) => {
    const { server, failure } = await session.start(role, folder, { dataDir })
    if (failure !== null) throw new ContractError(`started again, it failed: ${failure}`)
    return server
  }
  /** @type {Promise<unknown> | null} */
  let load = null
  const rest = async (/** @type {Server} */ server) => {
    await load
    load = null
    return server
  }
  return {
    start: async () => {
      const server = running ?? await start(undefined)
      running = null
      return server
    },
    stop: async (server) => {
      await rest(server)
      await session.stop(server)
    },
    events: {
      restart: async (server) => {
        await rest(server)
        await session.stop(server)
        return start(server.dataDir)
      },
      load: async (server) => {
        if (role === 'baseline') return server
        const seed = `${session.seed}/reads/${random.int(0, 1e9)}`
        const reading = (await getGenerator()).read({ port: server.port, sliceMs: loadMs, seed })
        reading.catch(() => {})
        load = reading
        await sleep(settlingMs)
        return server
      },
      rest
    }
  }
}
