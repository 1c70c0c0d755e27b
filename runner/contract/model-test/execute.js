import http from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { ContractError } from '../answer.js'
import { send, timeFor } from '../client.js'

/**
 * @import { Fault, Server } from '../../session/index.js'
 * @import { Answer } from '../answer.js'
 * @import { Outcome } from './compare-answers.js'
 * @import { Perturbation, Event, Moment, Plain, Step } from './operation.js'
 *
 * @typedef {object} Execution
 * @property {Map<Step, Outcome>} outcomes
 * @property {Map<Step, Plain>} done what was really asked
 * @property {Server} server the last one, if it was restarted on the way
 *
 * @typedef {Record<Event, (server: Server) => Promise<Server>>} Events what each does, and the server from then on
 */

/** How often a client that's told to come back later does. */
const mostTries = 12
const pauseMs = 150

/** Why nothing was asked: an earlier step, on which this one rests, has no answer. */
class Unanswered extends Error {}

/**
 * Carries out a sequence on one server.
 *
 * @param {Moment[]} moments
 * @param {object} on
 * @param {Server} on.server
 * @param {Events} on.events
 * @param {boolean} [on.compressed] take compressed answers
 * @param {boolean} [on.inTurn] steps of a moment one after the other, in their order
 * @param {(moment: Moment, so: Execution) => boolean} [on.isEnough] after a moment: is the rest not needed?
 * @param {AbortSignal} [on.signal]
 * @returns {Promise<Execution>}
 */
export async function execute (moments, on) {
  const { events, compressed = false, inTurn = false, isEnough = () => false, signal } = on
  let { server } = on
  const agent = new http.Agent({ keepAlive: true })
  /** @type {Execution['outcomes']} */
  const outcomes = new Map()
  /** @type {Execution['done']} */
  const done = new Map()
  const answerOf = (/** @type {Step} */ step) => {
    const outcome = outcomes.get(step)
    if (!outcome || !('answer' in outcome)) throw new Unanswered()
    return outcome.answer
  }
  const carryOut = async (/** @type {Step} */ step) => {
    outcomes.set(step, await outcomeOf(step, { server, agent, compressed, answerOf, done }))
  }
  try {
    for (const moment of moments) {
      const { steps, event } = moment
      signal?.throwIfAborted()
      if (event) server = await events[event](server)
      if (inTurn) for (const step of steps) await carryOut(step)
      else await Promise.all(steps.map(carryOut))
      // A server that hangs would take seconds over every further step, and what it has missed is a difference already.
      if (server.hasExited() || steps.some((step) => isSilence(outcomes.get(step)))) break
      if (isEnough(moment, { outcomes, done, server })) break
    }
  } finally {
    agent.destroy()
  }
  return { outcomes, done, server }
}

/** @param {Outcome | undefined} outcome */
function isSilence (outcome) {
  return Boolean(outcome && 'failure' in outcome && outcome.failure.includes('no answer within'))
}

/**
 * @param {Step} step
 * @param {object} on
 * @param {Server} on.server
 * @param {http.Agent} on.agent
 * @param {boolean} on.compressed
 * @param {(step: Step) => Answer} on.answerOf
 * @param {Execution['done']} on.done
 * @returns {Promise<Outcome>}
 */
async function outcomeOf (step, { server, agent, compressed, answerOf, done }) {
  const { asked, transport: { fresh, chunked } } = step
  try {
    const plain = typeof asked === 'function' ? asked(answerOf) : asked
    if (plain === null) return null
    done.set(step, plain)
    if ('act' in plain) {
      done.set(step, { ...plain, ...await actOn(server, plain) })
      return null
    }
    if ('look' in plain) return { seen: await plain.look(server), says: plain.says }
    const request = { chunked, compressed, ...plain, ...fresh ? {} : { agent } }
    const ask = () => send(server.origin, request, timeFor(server))
    let answer = await ask()
    for (let tries = 1; tries < mostTries && step.operation.notNow?.(answer); tries++) {
      await sleep(pauseMs)
      answer = await ask()
    }
    return { answer }
  } catch (error) {
    if (error instanceof Unanswered) return null
    if (error instanceof ContractError) return { failure: error.message }
    throw error
  }
}

/**
 * Acts, and notes what it sets with the service behind the server: a learner can set the same.
 *
 * @param {Server} server
 * @param {Perturbation} act
 * @returns {Promise<Pick<Perturbation, 'faults'>>}
 */
async function actOn ({ origin, dataDir, upstream }, { act }) {
  /** @type {Pick<Perturbation, 'faults'>} */
  const noted = {}
  const reset = async (/** @type {Fault[]} */ faults = []) => {
    noted.faults = faults
    await upstream?.reset(faults)
  }
  await act({ origin, dataDir, upstream: upstream && { ...upstream, reset } })
  return noted
}
