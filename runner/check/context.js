import os from 'node:os'
import { startGenerator } from '../load/index.js'
import { createRandom } from '../shared/random.js'

/**
 * What every stage of a check is handed.
 *
 * @import { CheckProgress, ContractResult, PhaseEvent, Round } from '../judge/index.js'
 * @import { LoadedLesson } from '../lesson/index.js'
 * @import { Generator } from '../load/index.js'
 * @import { Launch, Role, Session } from '../process/index.js'
 *
 * @typedef {object} Unfinished what an inconclusive check leaves for one that goes on with it
 * @property {string} seed with the size of its work
 * @property {Round[]} rounds
 * @property {ContractResult[]} contract what passed before the load
 *
 * @typedef {{ role: Role, isOver: boolean }} Wait
 *
 * @typedef {object} CheckOptions
 * @property {LoadedLesson} entry
 * @property {string} dir the folder with the submission's server.js, or load.js
 * @property {string} [seed] repeats the inputs of an earlier run
 * @property {number} [budgetMs] how long the rounds may take; by default what is left of 28 s, and more on
 *   a slow machine
 * @property {boolean | 'preview'} [speed] measure it (default true); false: only whether every answer is right;
 *   'preview': one round before that, which says about how fast it is, and decides nothing
 * @property {Unfinished} [earlier] an inconclusive check of the same code that this one goes on with, and so with its
 *   seed
 * @property {boolean} [sampleInside] afterwards, sample what both servers do, for the mechanism and the next step
 *   (default true)
 * @property {boolean} [eventLoop] and record a moment of their event loops, where the lesson offers it
 * @property {(event: CheckProgress) => void} [onProgress]
 * @property {(wait: Wait) => void} [onWait] called when a wait for one of the two servers begins, and when it ends
 * @property {Launch} [launch] starts servers in a sandbox
 * @property {AbortSignal} [signal]
 *
 * @typedef {CheckOptions & Required<Pick<CheckOptions, 'seed' | 'speed' | 'sampleInside' | 'onProgress'>>} FullOptions
 *
 * @typedef {ReturnType<typeof contextOf>} Context
 */

/**
 * @param {Session} session
 * @param {FullOptions} options
 * @param {number} [gain] what two threads get done here, as a multiple of what one does
 */
export function contextOf (session, { entry, dir, speed, onProgress, onWait }, gain) {
  /** @type {Promise<Generator> | undefined} */
  let generator
  const start = async () => speed === 'preview' ? impatient(await startGenerator(session)) : startGenerator(session)
  return {
    lesson: entry.lesson,
    session,
    submission: session.openSubmission(dir),
    /** For the contract. */
    random: createRandom(`${session.seed}/contract`),
    cores: os.availableParallelism(),
    /** Started on first use. */
    getGenerator: () => (generator ??= start()),
    onProgress,
    ...gain === undefined ? {} : { gain },
    ...onWait ? { onWait } : {},
    phase: (/** @type {PhaseEvent['phase']} */ phase, /** @type {string} */ text) =>
      onProgress({ type: 'phase', phase, text })
  }
}

/**
 * Whoever keeps the check waiting is known by that.
 *
 * @template T
 * @param {Pick<Context, 'onWait'>} context
 * @param {Role} role
 * @param {() => Promise<T>} act
 * @returns {Promise<T>}
 */
export async function waitFor ({ onWait }, role, act) {
  onWait?.({ role, isOver: false })
  return act().finally(() => onWait?.({ role, isOver: true }))
}

/** A preview doesn't wait so long for an answer, ms: its learner is watching. */
const previewPatienceMs = 3000

/** The load generator of a preview: it does not wait long for the submission. @param {Generator} generator */
function impatient (generator) {
  return {
    ...generator,
    slice: (/** @type {Parameters<Generator['slice']>[0]} */ order) => generator.slice(
      order.instance.startsWith('yours') ? { ...order, answerTimeoutMs: previewPatienceMs } : order
    )
  }
}
