import { WorkshopError } from '../errors.js'
import { createShare, createStreams, eventText } from '../http/index.js'

/**
 * Server-sent events. Those of the running job are kept, so that a page that connects late, or reconnects with the id
 * of the last event, misses none. If what it missed is gone, it's told `restart`, and then the whole job.
 *
 * @typedef {'job' | 'progress' | 'record' | 'saved' | 'state'} EventName
 * @typedef {{ number: number, name: EventName, text: string }} Kept
 *
 * @typedef {object} Events
 * @property {(name: EventName, data: unknown) => void} publish
 * @property {() => void} forget what was kept: a new job begins
 * @property {(res: import('node:http').ServerResponse, options: Newcomer) => Promise<void>} join
 * @property {() => void} close
 *
 * @typedef {object} Newcomer
 * @property {string} [lastId] of the last event that was received
 * @property {boolean} isRunning does a job run?
 * @property {() => Promise<unknown>} readState for a page that doesn't reconnect
 */

/** A day of saves and states without a job must not make it grow. */
const mostKept = 2000
const mostStreams = 100

/** @returns {Events} */
export function createEvents () {
  // Ids of a workshop that ran before mean nothing here.
  const epoch = Date.now().toString(36)
  let number = 0
  /** @type {Kept[]} */
  let kept = []
  const streams = createStreams(createShare({ most: mostStreams, perAddress: mostStreams }))
  const textOf = (/** @type {EventName} */ name, /** @type {unknown} */ data) =>
    eventText(`${epoch}-${number}`, name, JSON.stringify(data))

  return {
    publish: (name, data) => {
      number++
      const text = textOf(name, data)
      kept = [...kept.slice(1 - mostKept), { number, name, text }]
      streams.writeAll(text)
    },
    forget: () => { kept = [] },
    join: async (res, { lastId, isRunning, readState }) => {
      streams.open(res)
      const missed = missedSince(kept, numberIn(lastId, epoch), number)
      const ofJob = isRunning ? kept.filter(({ name }) => name !== 'state' && name !== 'saved') : []
      // Without an id: a page that is cut off now starts over again.
      if (missed === null) streams.write(res, 'event: restart\ndata: null\n\n')
      for (const { text } of missed ?? ofJob) streams.write(res, text)
      if (missed !== null) return
      const state = await readState()
      if (streams.has(res)) streams.write(res, textOf('state', state))
    },
    close: streams.close
  }
}

/** @param {string | undefined} id @param {string} epoch @returns {number | null} null: not one of ours */
function numberIn (id, epoch) {
  const [given, number] = (id ?? '').split('-')
  return given === epoch && /^\d+$/.test(number ?? '') ? Number(number) : null
}

/**
 * Pure.
 *
 * @param {Kept[]} kept
 * @param {number | null} last the last one received
 * @param {number} newest
 * @returns {Kept[] | null} null where some of them are no longer there
 */
export function missedSince (kept, last, newest) {
  if (last === null || last > newest) return null
  const missed = kept.filter(({ number }) => number > last)
  return missed.length === newest - last ? missed : null
}

/** What a page says of work that has failed. @param {any} error */
export function errorMessage (error) {
  return error instanceof WorkshopError ? error.message : `This is a bug in the workshop: ${error?.message ?? error}`
}
