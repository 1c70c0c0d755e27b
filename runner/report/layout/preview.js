/** What a look at a learner's server says beside its figures: how rough they are, and what ended the server. Pure. */
import { formatNumber } from './numbers.js'

/**
 * @import { GateResult, ResultRecord, RoundResult } from '../../judge/index.js'
 *
 * @typedef {{ times: string, none: string }} Marks
 */

/** Where an unchanged server seems so many times faster or slower than itself, the other looks are no better. */
const roughFrom = 1.2

/**
 * How far off a look at an unchanged server was.
 *
 * @param {GateResult | undefined} gate of that look
 * @returns {number | null} 1 and more; null where the ratio of an unchanged server is not 1 by definition
 */
export function roughnessOf (gate) {
  if (gate === undefined || gate.ratio === null || gate.baseline === null || !(gate.ratio > 0)) return null
  // What is judged by itself is compared with nothing.
  if (gate.ratioUnit !== '×' || gate.yours === gate.ratio) return null
  return Math.max(gate.ratio, 1 / gate.ratio)
}

/**
 * @param {GateResult | undefined} gate of a look at an unchanged server
 * @param {Marks} marks
 * @returns {string} a sentence; empty where there is nothing to say
 */
export function sayUnchanged (gate, { times, none }) {
  const roughness = roughnessOf(gate)
  if (roughness === null) return ''
  const measured = `${formatNumber(gate?.ratio, none, 2)}${times}`
  return roughness < roughFrom
    ? `Unchanged: 1${times} by definition, and this machine just measured ${measured}.`
    : `Unchanged: 1${times} by definition. This machine just measured ${measured}, so looks here are that rough.`
}

/**
 * Why the ratio of a look is a rough one.
 *
 * @param {object} given
 * @param {readonly RoundResult[]} given.rounds of the look
 * @param {number | null} [given.roughness] of the last look at the unchanged server
 * @param {Marks} marks
 * @returns {string} half a sentence; empty where it is not
 */
export function whyRough ({ rounds, roughness = null }, { times, none }) {
  const disturbed = rounds.find((round) => round.disturbed !== null)?.disturbed
  if (disturbed) return disturbed.replace(/\.$/, '')
  return roughness !== null && roughness >= roughFrom
    ? `looks here are off by up to ${formatNumber(roughness, none, 2)}${times}`
    : ''
}

/**
 * @param {number} ratio
 * @param {boolean} isRough
 * @param {Marks} marks
 * @returns {string} `about 4.3×`; a rough one has one digit
 */
export function sayAbout (ratio, isRough, { times, none }) {
  return `about ${formatNumber(ratio, none, isRough ? 1 : 2)}${times}`
}

/**
 * The error that a server wrote, where in the learner's own files it came from, and that line of code.
 *
 * @param {Pick<ResultRecord, 'output' | 'submission'>} record
 * @returns {{ error: string, code: string[], place: { file: string, line: number } | null } | null} error: with its
 *   place, where that is known; code: the line and the caret below it, or nothing; place: among the learner's files
 */
export function errorOf ({ output, submission }) {
  const lines = (output[0]?.text ?? '').split('\n')
  const at = lines.findIndex((line) => /^(Uncaught )?\[?[\w.]*(Error|Exception|Rejection)\b/.test(line))
  if (at === -1) return null
  // Its own stack comes first, then the place above it.
  const places = [...lines.slice(at), ...lines.slice(0, at)].map((line) => /([^\s()]+\.[cm]?js:\d+)/.exec(line)?.[1])
  const place = places.find((one) => one !== undefined)
  const isOwn = place !== undefined && place.startsWith(`${submission}/`)
  const own = isOwn ? place.slice(submission.length + 1) : place
  // What is above a caret is code of Node.js where no file of the learner's stands above that.
  const caret = lines.slice(0, at).findIndex((line, below) =>
    /^\s*\^+\s*$/.test(line) && /\.[cm]?js:\d+$/.test(lines[below - 2] ?? ''))
  const pair = caret > 0 ? lines.slice(caret - 1, caret + 1) : []
  const indent = Math.min(...pair.map((line) => line.search(/\S/)))
  return {
    error: `${lines[at].trim()}${own === undefined || lines[at].includes(own) ? '' : ` (${own})`}`,
    code: pair.map((line) => line.slice(indent)),
    place: isOwn ? placeFrom(String(own)) : null
  }
}

/** @param {string} text `lib/load.js:3` */
function placeFrom (text) {
  const at = text.lastIndexOf(':')
  return { file: text.slice(0, at), line: Number(text.slice(at + 1)) }
}
