import { ContractError, drawSequence, rulesOf, trySequence } from '../contract/index.js'

/**
 * @import { Contestant, Event } from '../contract/index.js'
 * @import { ContractResult } from '../judge/index.js'
 * @import { Role, Server } from '../session/index.js'
 * @import { Context } from './check-server.js'
 */

const defaultSteps = 60
/** Many others ask for so long, while a part of the sequence is carried out. */
const loadMs = 400

/**
 * The slow server is the oracle: a random sequence of what the lesson offers is asked of both, each fresh.
 *
 * @param {Context} context
 * @param {{ shrinkMs?: number }} [options] how long it may take to make a failure short
 * @returns {Promise<ContractResult[]>} one for each rule that was put to the test
 */
export async function checkSequence (context, { shrinkMs } = {}) {
  const { lesson, session, random, onProgress } = context
  if (lesson.operations === undefined) return []
  const { steps = defaultSteps, restart = false, load = true } = lesson.sequence ?? {}
  /** @type {{ at: number, event: Event }[]} */
  const events = [
    ...(load ? [{ at: steps * 0.4, event: /** @type {const} */ ('load') }] : []),
    ...(load ? [{ at: steps * 0.7, event: /** @type {const} */ ('rest') }] : []),
    ...(restart ? [{ at: steps * 0.85, event: /** @type {const} */ ('restart') }] : [])
  ]
  const moments = drawSequence({
    operations: lesson.operations,
    data: session.data,
    random: random.fork('sequence'),
    count: steps,
    events
  })
  const failure = await trySequence(moments, {
    slow: contestantOf(context, 'baseline'),
    yours: contestantOf(context, 'yours'),
    data: session.data,
    shrinkMs,
    signal: session.signal
  })
  const names = rulesOf(moments)
  if (failure && !names.includes(failure.rule)) names.push(failure.rule)
  const results = names.map((name) => {
    const isBroken = name === failure?.rule
    /** @type {ContractResult} */
    const passed = { name, when: 'before', status: 'pass', message: '' }
    if (!isBroken) return passed
    const { message, requests } = failure
    return { ...passed, status: /** @type {const} */ ('fail'), message, requests }
  })
  results.forEach((result, at) => onProgress({ type: 'check', result, done: at + 1, total: results.length }))
  return results
}

/** @param {Context} context @param {Role} role @returns {Contestant} */
function contestantOf ({ session, submission, random, getGenerator }, role) {
  const place = role === 'baseline' ? session.slow : submission
  const start = async (/** @type {string | undefined} */ dataDir) => {
    const { server, failure } = await session.start(role, place, { dataDir })
    if (failure !== null) throw new ContractError(`started once more, it failed: ${failure}`)
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
    start: () => start(undefined),
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
        return server
      },
      rest
    }
  }
}
