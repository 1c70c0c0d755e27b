import os from 'node:os'
import path from 'node:path'
import { takeTurn } from './turn.js'

/**
 * @import { Publish } from './turn.js'
 *
 * @typedef {'check' | 'preview' | 'bench' | 'profile'} JobKind
 *
 * @typedef {object} Announced the first line of a measurement that belongs to a lesson
 * @property {'job'} type
 * @property {JobKind} kind
 * @property {number} pid
 * @property {string} dir the folder of the server that is measured
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
 * @param {string | { kind: JobKind, entry: { number: number }, dir: string }} given.about shown to those that wait
 * @param {string} [given.where] where it runs, as they see it
 * @param {(sentence: string) => (() => void) | void} given.tell called if it has to wait, and again when its place in
 *   the queue changes; the function that it returned last is called when the wait is over
 * @param {AbortSignal} given.signal
 * @param {(publish: Publish) => Promise<T>} act publish: sends to those that follow the turn
 * @returns {Promise<T>}
 */
export async function inTurn ({ about, where = 'in another terminal', tell, signal }, act) {
  const what = typeof about === 'string' ? about : `${names[about.kind]} lesson ${about.entry.number}`
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
    const { kind, dir } = about
    turn.publish(/** @type {Announced} */ ({ type: 'job', kind, pid: process.pid, dir: path.resolve(dir) }))
  }
  try {
    return await act(turn.publish)
  } finally {
    await turn.release()
  }
}
