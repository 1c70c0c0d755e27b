import os from 'node:os'
import path from 'node:path'
import { takeTurn } from './turn.js'

/**
 * @import { Publish } from './turn.js'
 *
 * @typedef {'check' | 'preview' | 'bench' | 'profile'} JobKind
 *
 * @typedef {{ kind: JobKind, entry: { number: number }, dir: string }} OfLesson dir: of the server that is measured
 * @typedef {{ kind: 'compare', comparison: object }} OfTwo two servers that belong to no lesson
 *
 * @typedef {object} Announced the first line of a measurement that pages can follow
 * @property {'job'} type
 * @property {JobKind | 'compare'} kind
 * @property {number} pid
 * @property {string} [dir] of a lesson's
 * @property {object} [comparison] of one of two servers
 */

/** Everything that shares our temporary folder takes turns. */
export const measuring = `measuring\0${os.tmpdir()}`

/** @type {Record<JobKind, string>} */
const names = {
  check: 'a check of',
  preview: 'a look at',
  bench: 'a benchmark of',
  profile: 'a profile of'
}

/**
 * Runs one measurement at a time on this machine: waits for its turn, and holds it while `act` runs.
 *
 * @template T
 * @param {object} given
 * @param {string | OfLesson | OfTwo} given.about shown to those that wait
 * @param {string} [given.where] where it runs, as they see it
 * @param {(sentence: string) => (() => void) | void} given.tell called if it has to wait, and again when its place in
 *   the queue changes; the function that it returned last is called when the wait is over
 * @param {AbortSignal} given.signal
 * @param {(publish: Publish) => Promise<T>} act publish: sends to those that follow the turn
 * @returns {Promise<T>}
 */
export async function inTurn ({ about, where = 'in another terminal', tell, signal }, act) {
  const what = whatOf(about)
  let over = () => {}
  const turn = await takeTurn(measuring, {
    about: `${what} ${where}`,
    signal,
    onWait: (theirs, number) => {
      over = tell(`Waiting for ${theirs || 'another measurement'}: two at once would spoil both. ` +
        (number === 1 ? 'Next in the queue.' : `Number ${number} in the queue.`)) ?? over
    }
  })
  over()
  if (typeof about !== 'string') {
    const { kind } = about
    const which = kind === 'compare' ? { comparison: about.comparison } : { dir: path.resolve(about.dir) }
    turn.publish(/** @type {Announced} */ ({ type: 'job', kind, pid: process.pid, ...which }))
  }
  try {
    return await act(turn.publish)
  } finally {
    await turn.release()
  }
}

/** @param {string | OfLesson | OfTwo} about */
function whatOf (about) {
  if (typeof about === 'string') return about
  return about.kind === 'compare' ? 'a comparison' : `${names[about.kind]} lesson ${about.entry.number}`
}
