import path from 'node:path'
import { percent } from '../shared/format.js'
import { noName } from '../shared/text.js'

/**
 * The meaning of a summary, in a sentence or two. Pure.
 *
 * @import { Frame, Summary } from './cpu-profile.js'
 *
 * @typedef {object} ProfileSummary
 * @property {number | null} callsPerRequest of the charged function
 * @property {string} thread whose summary it is: `main thread`, `worker thread 2`
 * @property {number | null} cores that the whole process kept busy, other threads included; null if unknown
 * @property {number} [coreless] share of the time in which the thread had work and no core
 */

/** From these shares of the time on, it is the first thing to say. */
const mostlyIdle = 0.5
const muchGc = 0.2
/** So many cores more than the main thread uses are other threads'. */
const otherThreads = 0.3
/** Below this share, a machine is quiet enough. */
const muchCoreless = 0.1

/** @param {Summary} summary @param {ProfileSummary} seen @returns {string[]} */
export function readSentences (summary, { callsPerRequest, cores, coreless = 0, thread: title }) {
  const thread = theThread(title)
  const { shares, wallMs } = summary
  const busy = 1 - shares.idle
  const sentences = []
  if (shares.idle >= mostlyIdle) {
    sentences.push(
      `${thread[0].toUpperCase()}${thread.slice(1)} is idle ${percent(shares.idle)} of the time: it waits, for ` +
        'something that happens elsewhere or for the next request.'
    )
  }
  if (cores !== null && cores - busy >= otherThreads) {
    sentences.push(
      `The whole process keeps ${cores.toFixed(1)} cores busy, ${busy.toFixed(1)} of that in ${thread}: the rest ` +
        'works in other threads, which a profile of V8 does not show (the thread pool, other workers).'
    )
  }
  if (shares.gc >= muchGc) {
    sentences.push(
      `Garbage collection takes ${percent(shares.gc)} of the time. What is allocated for every request? \`--tool ` +
        'heap` shows it.'
    )
  }
  const { charged, heaviest } = summary
  if (charged && wallMs > 0) {
    const share = percent(charged.chargedMs / wallMs)
    const called = callsPerRequest === null ? '' : `; it is called ${times(callsPerRequest)} per request`
    const below = heaviest
      ? `, most of it in ${heaviest.name}${heaviest.place === '' ? '' : ` (${heaviest.place})`}`
      : ''
    sentences.push(`${share} of ${thread}’s time is spent in ${named(charged)}${below}${called}.`)
  }
  if (coreless >= muchCoreless) {
    sentences.push(
      `For ${percent(coreless)} of the time, ${thread} had no core, because other threads or programs used them.`
    )
  }
  return sentences
}

/**
 * @param {{ pid: number, threadId: number, main?: boolean }} member
 * @param {number} ownPid of the server's first process
 * @returns {string} `main thread`, `worker thread 1`, `main thread of process 4711`
 */
export function threadTitle ({ pid, threadId, main = threadId === 0 }, ownPid) {
  const thread = main ? 'main thread' : `worker thread ${threadId}`
  return pid === ownPid ? thread : `${thread} of process ${pid}`
}

/** In a sentence. Pure. @param {string} title `main thread`, `worker thread 1` */
export function theThread (title) {
  return title.startsWith('main') ? `the ${title}` : title
}

/**
 * A tree in which only what the learner may have to change counts as the learner's, so that the time of all else is
 * charged to the place that calls it. Pure.
 *
 * @param {Frame} frame @param {readonly string[]} kept files that need no change: `book.js` @returns {Frame} a new one
 */
export function asChangeable (frame, kept) {
  const file = frame.place.replace(/:\d+$/, '')
  const isOthers = frame.owner === 'yours' && (path.isAbsolute(file) || kept.includes(file))
  const children = frame.children.map((child) => asChangeable(child, kept))
  return { ...frame, owner: isOthers ? 'package' : frame.owner, children }
}

/**
 * The one place of the learner's own code to look at now; null where its own code is not what takes the time.
 *
 * @param {Summary} summary of the thread that serves
 * @returns {string | null} a sentence
 */
export function placeToLook ({ charged, heaviest, wallMs, shares }) {
  if (shares.idle >= mostlyIdle) {
    return `Your server’s main thread is idle ${percent(shares.idle)} of the time: look at what it waits for.`
  }
  if (!charged || charged.chargedMs / wallMs < leastShare) return null
  return `Begin at ${charged.place}, ` +
    `${charged.name.startsWith('function at ') ? 'the function there' : charged.name}: ` +
    `${percent(charged.chargedMs / wallMs)} of the main thread’s time is spent ` +
    `there${heaviest ? `, most of it in its calls to ${heaviest.name}` : ''}.`
}

/** A share below this is not where a server loses its time. */
const leastShare = 0.1

/**
 * How pages call a function: one without a name by its route, if it's a handler, or else by its place.
 *
 * @param {Pick<Frame, 'name' | 'place' | 'owner'>} frame
 * @param {(place: string) => string | null} [routeAt] the route whose handler begins there: `POST /login`
 */
export function calledName ({ name, place, owner }, routeAt) {
  return name !== `function at ${place}` ? name : (owner === 'yours' && routeAt?.(place)) || place
}

/** The next column says where. @param {{ name: string, place: string }} one */
export function shownName ({ name, place }) {
  return name === `function at ${place}` ? noName : name
}

/** @param {{ name: string, place: string }} one */
function named ({ name, place }) {
  return name.startsWith('function at ') ? `the ${name}` : `${name} (${place})`
}

/** @param {number} count */
function times (count) {
  // When the counting begins and ends, some requests are half done.
  if (count >= 0.85 && count < 1.15) return 'about once'
  return `${count < 10 ? Number(count.toPrecision(2)) : Math.round(count)} times`
}
