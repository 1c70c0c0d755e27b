/** What a preview of a server says besides its figures: how rough they are, and what ended the server. Pure. */
import { formatNumber } from './numbers.js'

/**
 * @import { GateResult, ResultRecord, RoundResult } from '../../judge/index.js'
 *
 * @typedef {{ times: string, none: string }} Marks
 */

/** If an unchanged server seems this many times faster or slower than itself, other previews are no better. */
const roughFrom = 1.2

/**
 * How far off a preview of an unchanged server was.
 *
 * @param {GateResult | undefined} gate of that preview
 * @returns {number | null} 1 and more; null if an unchanged server's ratio isn't 1 by definition
 */
export function roughnessOf (gate) {
  if (gate === undefined || gate.ratio === null || gate.baseline === null || !(gate.ratio > 0)) return null
  // A gate without a comparison has no ratio.
  if (gate.ratioUnit !== '×' || gate.yours === gate.ratio) return null
  return Math.max(gate.ratio, 1 / gate.ratio)
}

/**
 * @param {GateResult | undefined} gate of a preview of an unchanged server
 * @param {Marks} marks
 * @returns {string} a sentence; empty if there's nothing to say
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
 * Why a preview's ratio is a rough one.
 *
 * @param {object} given
 * @param {readonly RoundResult[]} given.rounds of the preview
 * @param {number | null} [given.roughness] of the last preview of the unchanged server
 * @param {Marks} marks
 * @returns {string} half a sentence; empty if it isn't
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
  // Lines above a caret are Node.js code unless a learner's file is named above them.
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
