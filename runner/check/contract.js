import { setTimeout as sleep } from 'node:timers/promises'
import {
  BaselineError, checksOf, ContractError, generateCommands, rules, rulesOf, runContract, runModelTest, stray, tryCheck
} from '../contract/index.js'
import { secondPatience, settleLate } from '../process/index.js'
import { TooBusy } from '../shared/errors.js'
import { waitFor } from './context.js'

/**
 * Is every answer right? The contract of a lesson, before, during and after the load.
 *
 * @import { Check, Event, Subject } from '../contract/index.js'
 * @import { ContractResult, Evidence } from '../judge/index.js'
 * @import { Lesson, Random, SequenceOptions } from '../lesson/index.js'
 * @import { Attempt, Role, Server, StartOptions } from '../process/index.js'
 * @import { Context } from './context.js'
 */

/**
 * Every check of the contract. Those that fail are asked of the slow server, too: what that is not known to fail, and
 * fails, is the workshop's fault.
 *
 * @param {Context} context
 * @param {{ compare: boolean, onLull?: () => void }} options compare: false: check only yours; onLull: called when one
 *   of those parts has ended that go on at the same time
 * @returns {Promise<{ found: Partial<Evidence>, output: string, tookMs: number }>} output: what the submission wrote
 */
export async function testContract (context, { compare, onLull = () => {} }) {
  const { session, submission, phase, lesson, onProgress } = context
  const started = await waitFor(context, 'yours', () => session.start('yours', submission))
  if (started.failure !== null) return { found: { startFailure: started.failure }, output: started.output, tookMs: 0 }
  const { server } = started
  const startedAt = Date.now()
  phase('contract', 'Checking that every answer is right')
  const checks = checksOf(lesson, 'before')
  const sequence = testModel(context).finally(onLull)
  // It will be needed. Where it's awaited, it says why it couldn't be started.
  context.getGenerator().catch(() => {})
  const settle = settleWith(context, server, 'before')
  const [{ contract: results = [], ...late }, ofSequence] = await Promise.all([
    orUnclear(async () => ({
      contract: await waitFor(context, 'yours', () => runContract({
        ...givenTo(context, server),
        checks,
        when: 'before',
        onLull,
        onResult: (result, done, total) => onProgress({ type: 'check', result, done, total }),
        // What was late is tried again alone, unless it's known that the server is wrong.
        settle: async (check) => {
          if ((await sequence).contract?.some(({ status }) => status === 'fail')) throw new TooBusy('it was late')
          return settle(check)
        }
      }))
    })),
    orUnclear(() => sequence)
  ])
  const failed = new Set(results.filter(({ status }) => status === 'fail').map(({ name }) => name))
  const doubtful = compare ? checks.filter(({ name }) => failed.has(name)) : []
  const { baselineFailures: faults = [], ...slow } = await orUnclear(() => failuresOfBaseline(context, doubtful))
  const found = {
    ...late,
    ...ofSequence,
    ...slow,
    contract: [...ofSequence.contract ?? [], ...results],
    baselineFailures: [...faults, ...ofSequence.baselineFailures ?? []],
    crash: server.hasExited() ? `Your server ${server.howItEnded()} while it was being graded.` : null
  }
  const wrote = server.output()
  await session.stop(server)
  return { found, output: wrote, tookMs: Date.now() - startedAt }
}

/**
 * Nothing that is found is lost because something else can't be told.
 *
 * @param {() => Promise<Partial<Evidence>>} find
 * @returns {Promise<Partial<Evidence>>}
 */
export async function orUnclear (find) {
  try {
    return await find()
  } catch (error) {
    if (!(error instanceof TooBusy)) throw error
    return { unclear: error.message }
  }
}

/**
 * How a check that came too late is settled: by the same server, or a fresh one where the first attempt may be in the
 * way, and by the slow server.
 *
 * @param {Context} context
 * @param {Server} server
 * @param {'before' | 'during' | 'after'} when
 * @returns {(check: Check) => Promise<Attempt>}
 */
function settleWith (context, server, when) {
  const { session, submission } = context
  const onFresh = async (/** @type {Check} */ check, /** @type {Role} */ role, { factor = 1, waits = 1 }) => {
    const started = await session.start(role, role === 'baseline' ? session.baseline : submission)
    if (started.failure !== null) return { isLate: false, message: started.failure }
    try {
      return await tryCheck(check, { ...givenTo(context, started.server), when, factor, waits })
    } finally {
      await session.stop(started.server)
    }
  }
  return (check) => settleLate({
    again: async () => {
      const attempt = await tryCheck(check, { ...givenTo(context, server), when, factor: secondPatience })
      const isFresh = attempt.message === '' || attempt.isLate || server.role === 'baseline'
      return isFresh ? attempt : onFresh(check, 'yours', { factor: secondPatience })
    },
    slow: server.role === 'baseline' ? null : () => onFresh(check, 'baseline', { waits: 1 / secondPatience })
  })
}

/** What the checks of a server are given. @param {Context} context @param {Server} server */
function givenTo ({ session, submission, random }, server) {
  const folder = server.role === 'baseline' ? session.baseline : submission
  return {
    server,
    startAnother: (/** @type {StartOptions | undefined} */ options) => session.start(server.role, folder, options),
    random,
    data: session.data,
    signal: session.signal
  }
}

/** @param {Context} context @param {Check[]} checks @returns {Promise<Partial<Evidence>>} */
async function failuresOfBaseline (context, checks) {
  const { session, lesson } = context
  const known = new Set(lesson.knownToFail?.map(({ check }) => check))
  const unknown = checks.filter(({ name }) => !known.has(name))
  if (unknown.length === 0) return {}
  const { server, failure } = await session.start('baseline', session.baseline)
  if (failure !== null) return { baselineFailures: [failure] }
  const settle = settleWith(context, server, 'before')
  const results = await runContract({ ...givenTo(context, server), checks: unknown, when: 'before', settle })
  await session.stop(server)
  return { baselineFailures: results.filter(({ status }) => status === 'fail').map(sayOfBaseline) }
}

/** @param {ContractResult} result */
function sayOfBaseline ({ name, message }) {
  return `it ${name}: ${message}`
}

/**
 * The checks that run during a load, again and again, until one fails.
 *
 * @param {Context} context
 * @param {{ server: Server, label: string, running: () => boolean }} given label: of the random numbers
 * @returns {Promise<Partial<Evidence>>}
 */
export async function testDuringLoad (context, { server, label, running }) {
  const checks = checksOf(context.lesson, 'during')
  while (checks.length > 0 && running()) {
    const random = context.random.fork(label)
    const given = { ...givenTo(context, server), startAnother: undefined, random }
    const settle = settleWith(context, server, 'during')
    const { contract: results = [], ...unclear } = await orUnclear(async () =>
      ({ contract: await runContract({ ...given, checks, when: 'during', settle }) }))
    const failed = results.filter(({ status }) => status === 'fail')
    if ('unclear' in unclear) return unclear
    if (failed.length === 0) continue
    return server.role === 'yours' ? { contract: failed } : { baselineFailures: failed.map(sayOfBaseline) }
  }
  return {}
}

/**
 * The contract of a submission once more, after the load.
 *
 * @param {Context} context
 * @param {Server} server
 * @returns {Promise<Partial<Evidence>>}
 */
export async function testAfterLoad (context, server) {
  const { lesson, phase } = context
  phase('after', 'Checking the answers once more, after the load')
  const checks = checksOf(lesson, 'after')
  const asked = { ...givenTo(context, server), checks, when: /** @type {const} */ ('after') }
  const settle = settleWith(context, server, 'after')
  const found = await orUnclear(async () =>
    ({ contract: await waitFor(context, 'yours', () => runContract({ ...asked, settle })) }))
  return { ...found, crash: server.hasExited() ? `Your server ${server.howItEnded()} after the load.` : null }
}

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
 * @returns {Promise<Partial<Evidence>>} a result for each rule that was put to the test; or what the slow server does
 *   that nothing can be compared with
 */
export async function testModel (context, { shrinkMs } = {}) {
  const { random, onProgress } = context
  const tried = await tryOne(context, { when: 'before', random: random.fork('sequence'), shrinkMs })
  tried.contract?.forEach((result, at, { length }) =>
    onProgress({ type: 'check', result, done: at + 1, total: length }))
  return tried
}

/**
 * The same of two servers that have been running for a while: what is right at first can be wrong later. A first part
 * is asked before that, so that what a server forgets in the meantime is missed.
 *
 * @param {Context} context
 * @returns {Promise<() => Promise<Partial<Evidence>>>} the rest of the check, for later
 */
export async function startSoak (context) {
  const { lesson, session, submission, random } = context
  if (lesson.operations === undefined) return async () => ({})
  const [baseline, yours] = await Promise.all([
    session.start('baseline', session.baseline),
    session.start('yours', submission)
  ])
  const soaked = { baseline: baseline.server, yours: yours.server }
  const pause = createPause()
  const test = tryOne(context, { when: 'after', random: random.fork('soaked sequence'), soaked, pause })
  const isOver = test.catch(() => {})
  await Promise.race([pause.reached, isOver])
  return () => {
    pause.end()
    return test
  }
}

/** @typedef {ReturnType<typeof createPause>} Pause */

/** Of two servers: both have reached it, and wait for its end. */
function createPause () {
  let [reach, end] = [() => {}, () => {}]
  const reached = new Promise((/** @type {(value: void) => void} */ resolve) => { reach = resolve })
  const over = new Promise((/** @type {(value: void) => void} */ resolve) => { end = resolve })
  let waiting = 0
  const wait = () => {
    waiting++
    if (waiting === 2) reach()
    return over
  }
  return { reached, wait, end: () => end() }
}

/**
 * @param {Context} context
 * @param {object} options
 * @param {'before' | 'after'} options.when
 * @param {Random} options.random
 * @param {number} [options.shrinkMs]
 * @param {Partial<Record<Role, Server | null>>} [options.soaked] servers that have been started before
 * @param {Pause} [options.pause] of these
 * @returns {Promise<Partial<Evidence>>}
 */
async function tryOne (context, { when, random, shrinkMs, soaked = {}, pause }) {
  const { lesson, session: { data, signal } } = context
  if (lesson.operations === undefined) return {}
  const moments = momentsOf(lesson, data, random, pause !== undefined)
  const failure = await runModelTest(moments, {
    baseline: subjectOf(context, 'baseline', soaked.baseline, pause),
    yours: subjectOf(context, 'yours', soaked.yours, pause),
    isFresh: soaked.yours === undefined,
    data,
    shrinkMs,
    signal
  }).catch((error) => {
    if (error instanceof BaselineError) return error
    // It starts in time once and does not the next time.
    if (error instanceof ContractError) {
      return { rule: rules.starts, of: rules.starts, message: error.message, requests: [], at: 0 }
    }
    throw error
  })
  if (failure instanceof BaselineError) return { baselineFailures: [failure.message] }
  // What comes after a wrong answer says nothing: those rules aren't known to hold.
  const names = failure ? rulesOf(moments.slice(0, failure.at), { isWhole: false }) : rulesOf(moments)
  if (failure && !names.includes(failure.rule)) names.push(failure.rule)
  /** @type {ContractResult[]} */
  const contract = names.map((name) => {
    if (name !== failure?.rule) return { name, when, status: 'pass', message: '' }
    const { message, requests, of } = failure
    const promised = lesson.promises?.[name] ?? lesson.promises?.[of]
    return { name, when, status: 'fail', message, requests, ...promised ? { promised } : {} }
  })
  return { contract }
}

/**
 * A lesson's sequence.
 *
 * @param {Pick<Lesson, 'operations' | 'sequence'>} lesson
 * @param {any} data
 * @param {Random} random
 * @param {boolean} [pause] between its first part and the rest
 */
export function momentsOf ({ operations = {}, sequence = {} }, data, random, pause = false) {
  const { steps = defaultSteps, strays = true } = sequence
  return generateCommands({
    operations: strays ? { ...operations, stray } : operations,
    data,
    random,
    count: steps,
    events: eventsOf({ ...sequence, steps, pause })
  })
}

/** @param {SequenceOptions & { steps: number, pause: boolean }} options @returns {{ at: number, event: Event }[]} */
function eventsOf ({ steps, pause, restart = false, load = true }) {
  /** @type {{ at: number, event: Event }[]} */
  const events = []
  if (pause) events.push({ at: steps * 0.3, event: 'pause' })
  if (load) events.push({ at: steps * 0.4, event: 'load' }, { at: steps * 0.7, event: 'rest' })
  if (restart) events.push({ at: steps * 0.85, event: 'restart' })
  return events
}

/**
 * @param {Context} context
 * @param {Role} role
 * @param {Server | null} [running] the first one, where it runs already
 * @param {Pause} [pause] of that one
 * @returns {Subject}
 */
function subjectOf ({ session, submission, random, getGenerator, onWait }, role, running = null, pause) {
  const folder = role === 'baseline' ? session.baseline : submission
  const start = async (/** @type {string | undefined} */ dataDir) => {
    // Nothing is learnt from how long the oracle waits.
    const { server, failure } = await session.start(role, folder, { dataDir, isSwift: role === 'baseline' })
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
    waitFor: (act) => waitFor({ onWait }, role, act),
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
      rest,
      pause: async (server) => {
        const wait = pause?.wait
        pause = undefined
        onWait?.({ role, isOver: true })
        await wait?.()
        onWait?.({ role, isOver: false })
        return server
      }
    }
  }
}
