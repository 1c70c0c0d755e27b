import { percent } from '../shared/format.js'

/**
 * Did what the lesson is about move? Evidence next to the verdict, never part of it: a server says much of this about
 * itself. Pure.
 *
 * @import { MechanismResult } from './record.js'
 *
 * @typedef {object} Sides
 * @property {Sample | null} baseline
 * @property {Sample | null} yours
 *
 * @typedef {object} Mechanism
 * @property {string} expected what should have moved, one line
 * @property {string} load the load in which to look
 * @property {'falls' | 'stays'} [cpuPerRequest] what the server's CPU time for one answer should do: `falls` when work
 *   is saved, `stays` when the same work is done elsewhere; left out where an honest fix may do either
 * @property {Shows[]} [shows] what else should move
 *
 * @typedef {object} Shows
 * @property {FigureName} figure
 * @property {'falls' | 'stays' | 'rises'} does
 * @property {string[]} [of] names of functions, for the figure `function`: the share of the main thread's time of the
 *   largest; for `listeners`, the event
 */

const theSameTwice = 'Your server is the slow one, unchanged, so nothing has moved yet.'

/** A figure falls, or rises, when it does so by this factor; it stays within the other. */
const moved = 1.5
const same = 2

/**
 * @param {{ mechanism: Mechanism }} lesson
 * @param {Sides} samples
 * @param {{ baseline: number, yours: number } | null} cpuPerRequest in ms, from the rounds, where the system tells it
 * @param {{ passed: boolean, unchanged?: boolean }} verdict of the whole check: what does not pass confirms nothing;
 *   unchanged: both servers are the slow one
 * @returns {MechanismResult | null} null when nothing was seen
 */
export function seeMechanism ({ mechanism }, samples, cpuPerRequest, { passed, unchanged = false }) {
  if (unchanged) return { expected: '', seen: '', confirmed: null, note: theSameTwice, figures: [] }
  if (cpuPerRequest === null && (!samples.baseline || !samples.yours)) return null
  /** @type {Shows[]} */
  const named = [
    ...mechanism.cpuPerRequest === undefined
      ? []
      : [{ figure: /** @type {const} */ ('cpuPerRequest'), does: mechanism.cpuPerRequest }],
    ...mechanism.shows ?? []
  ]
  const others = /** @type {FigureName[]} */ (Object.keys(figures))
    .filter((figure) => figure !== 'function' && !named.some((one) => one.figure === figure))
    .map((figure) => ({ figure, does: null, of: [] }))
  const results = [...named, ...others].flatMap(({ figure, does, of = [] }) => {
    const { baseline, yours } = readBoth(figure, samples, cpuPerRequest, of)
    if (baseline === null || yours === null) return []
    const text = say(figure, of, baseline, yours)
    const agreed = does === null ? null : agrees(figure, does, baseline, yours)
    return [{ name: nameOf(figure, of), baseline, yours, text, does, agrees: agreed }]
  })
  const claimed = named.map(({ figure, of = [] }) => {
    const name = nameOf(figure, of)
    return { name, agrees: results.find((one) => one.name === name && one.does !== null)?.agrees ?? null }
  })
  return {
    expected: mechanism.expected,
    seen:
      results
        .filter(({ does }) => does !== null)
        .map(({ text }) => text)
        .join('; ') || 'This system doesn’t report how much CPU time a server uses.',
    ...conclude(claimed, passed),
    figures: results
  }
}

/**
 * @param {readonly { name: string, agrees: boolean | null }[]} claimed every figure that the lesson names
 * @param {boolean} passed
 * @returns {Pick<MechanismResult, 'confirmed' | 'note'>}
 */
function conclude (claimed, passed) {
  if (!passed) return { confirmed: null, note: 'This is what was seen. Only a pass can confirm it.' }
  if (claimed.some(({ agrees }) => agrees === false)) return { confirmed: false, note: '' }
  const unseen = claimed.filter(({ agrees }) => agrees === null)
  if (unseen.length === 0) return { confirmed: true, note: '' }
  return { confirmed: null, note: `This couldn’t be measured: ${unseen.map(({ name }) => name).join('; ')}.` }
}

/** @param {FigureName} figure @param {readonly string[]} of */
function nameOf (figure, of) {
  if (figure === 'listeners') return `${figures[figure].label} “${of[0]}”`
  return figure === 'function' ? of.join(', ') : figures[figure].label
}

/**
 * A pass whose mechanism did not move is told of, with what did not.
 *
 * @param {MechanismResult | null} mechanism
 * @returns {string[]} sentences
 */
export function contradictions (mechanism) {
  if (mechanism?.confirmed !== false) return []
  const odd = mechanism.figures.flatMap(({ agrees, text, does }) =>
    agrees === false && does !== null ? [`${text} (${should[does]})`] : [])
  return [
    `Fast enough, but not for the reason that this lesson is about: ${odd.join('; ')}. Where did the work go? Is it ` +
      'done at another moment, in another place, or not at all?'
  ]
}

const should = { falls: 'should have fallen', stays: 'should have stayed', rises: 'should have risen' }

/**
 * @param {FigureName} figure
 * @param {Sides} samples
 * @param {{ baseline: number, yours: number } | null} cpuPerRequest
 * @param {readonly string[]} of
 */
function readBoth (figure, { baseline, yours }, cpuPerRequest, of) {
  // The rounds are many, and the sample is one.
  if (figure === 'cpuPerRequest' && cpuPerRequest !== null) return cpuPerRequest
  const read = (/** @type {Sample | null} */ sample) => {
    const value = sample && figures[figure].read(sample, of)
    // A server tells this about itself, and can tell anything.
    return Number.isFinite(value) ? value : null
  }
  return { baseline: read(baseline), yours: read(yours) }
}

/** @param {FigureName} figure @param {readonly string[]} of @param {number} baseline @param {number} yours */
function say (figure, of, baseline, yours) {
  const { label, show } = figures[figure]
  const moved = `${show(baseline)} → ${show(yours)}`
  return figure === 'function' ? `${of.join(' or ')} ${moved} ${label}` : `${nameOf(figure, of)} ${moved}`
}

/**
 * @param {FigureName} figure
 * @param {'falls' | 'stays' | 'rises'} does
 * @param {number} baseline
 * @param {number} yours
 * @returns {boolean | null} null where there was nothing that could move
 */
function agrees (figure, does, baseline, yours) {
  const { least = 0 } = figures[figure]
  if (does === 'falls') return baseline <= least ? null : yours <= Math.max(least, baseline / moved)
  if (does === 'rises') return yours >= baseline * moved
  return yours >= baseline / same && yours <= baseline * same
}

/**
 * The figures that are sampled of each server in addition to the verdict, and their wording. Pure.
 *
 * @typedef {object} Sample what one server was doing for a moment under load, apart from the rounds
 * @property {number | null} cpuPerRequestMs CPU time of all its processes for one answer
 * @property {number} loopBusy share of its time in which the thread that serves most was busy, from its profile, 0 to 1
 * @property {number} loopDelayMs 99th percentile of its event loop's delay
 * @property {number} gcShare share of its time in garbage collections, 0 to 1
 * @property {number} heapBytes of V8's heap after the load and a collection, all threads
 * @property {number | null} cores that all its processes kept busy
 * @property {number | null} listeners for the event that the lesson names, of the emitter with the most
 * @property {number | null} upstreamCalls for one answer, where there is an upstream
 * @property {{ name: string, owner: string, share: number }[]} functions of the thread that serves most: share of its
 *   time, with what they called
 * @property {string | null} place to look at now, a sentence
 *
 * @typedef {'cpuPerRequest' | 'loopBusy' | 'loopDelay' | 'gcShare' | 'heap' | 'cores' | 'listeners' | 'upstreamCalls' |
 *   'function'} FigureName
 *
 * @typedef {object} Figure
 * @property {string} label
 * @property {(sample: Sample, of: readonly string[]) => number | null} read of: names of functions, for `function`
 * @property {(value: number) => string} show
 * @property {number} [least] below it, what is left is noise
 */

/** @type {Record<FigureName, Figure>} */
export const figures = {
  cpuPerRequest: {
    label: 'CPU time for one answer',
    read: (sample) => sample.cpuPerRequestMs,
    show: (ms) => `${Number(ms.toPrecision(3))} ms`
  },
  loopBusy: { label: 'serving thread busy', read: (sample) => sample.loopBusy, show: percent, least: 0.02 },
  loopDelay: {
    label: 'event loop delay (99 %)',
    read: (sample) => sample.loopDelayMs,
    show: (ms) => `${Number(ms.toPrecision(2))} ms`,
    least: 1
  },
  gcShare: { label: 'garbage collection', read: (sample) => sample.gcShare, show: percent, least: 0.02 },
  heap: {
    label: 'heap after the load',
    read: (sample) => sample.heapBytes,
    show: (bytes) => `${(bytes / 1e6).toFixed(1)} MB`
  },
  cores: { label: 'cores busy', read: (sample) => sample.cores, show: (cores) => cores.toFixed(1), least: 0.02 },
  listeners: { label: 'listeners for the event', read: (sample) => sample.listeners, show: String },
  upstreamCalls: {
    label: 'upstream calls for one answer',
    read: (sample) => sample.upstreamCalls,
    show: (calls) => String(Number(calls.toPrecision(2)))
  },
  function: { label: 'of the main thread’s time', read: shareOf, show: percent, least: 0.02 }
}

/** @param {Sample} sample @param {readonly string[]} names */
function shareOf ({ functions }, names) {
  // One may call another: the largest, not the sum.
  return Math.max(0, ...functions.filter(({ name }) => names.includes(name)).map(({ share }) => share))
}
