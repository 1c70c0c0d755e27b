import { capitalised, moreTime } from '../shared/format.js'

/**
 * Figures as text: three significant digits unless a comparison needs more.
 *
 * @import { GateResult, ResultRecord, RoundResult } from '../judge/index.js'
 * @import { Style, Theme } from './theme.js'
 */

/**
 * @param {number | null | undefined} value
 * @param {string} none shown for a missing figure
 * @param {number} [digits] significant digits
 * @returns {string} `1,780`, `4.31`, `0.0123`
 */
export function formatNumber (value, none, digits = 3) {
  if (value === null || value === undefined || !Number.isFinite(value)) return none
  if (value === 0) return '0'
  const rounded = Number(value.toPrecision(digits))
  const size = Math.abs(rounded)
  if (size >= 1e12 || size < 1e-4) return rounded.toExponential(digits - 1)
  const decimals = Math.max(0, digits - 1 - Math.floor(Math.log10(size)))
  return groupThousands(rounded.toFixed(decimals))
}

/** @param {string} text */
function groupThousands (text) {
  const [whole, fraction] = text.split('.')
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',')
  return fraction === undefined ? grouped : `${grouped}.${fraction}`
}

/** @param {number} value @returns {string} a whole number: `12,400` */
export function formatCount (value) {
  return groupThousands(String(Math.round(value)))
}

/**
 * A ratio must not be rounded onto the target or past it.
 *
 * @param {Pick<GateResult, 'ratio' | 'ratioUnit' | 'target'>} gate
 * @param {Theme['marks']} marks
 * @returns {string} `4.31×`
 */
export function formatRatio ({ ratio, ratioUnit, target }, marks) {
  if (ratio === null || !Number.isFinite(ratio)) return marks.none
  return formatNumber(ratio, marks.none, telling(ratio, [target], 3)) + unitSign(ratioUnit, marks)
}

/**
 * The interval of 95 %. Two digits, and more where two would hide on which side of the target, or of 1, an end lies.
 *
 * @param {GateResult} gate
 * @param {Theme['marks']} marks
 * @returns {string} `3.9 to 4.8`
 */
export function formatInterval ({ interval95, target }, marks) {
  if (interval95 === null) return marks.none
  const [low, high] = interval95
  const borders = [target, 1]
  const lowDigits = telling(low, borders)
  // The same number of decimals for both ends, if that costs one digit at most.
  const alike = low < 1 && high >= 1 && high < 10 ? 3 : Math.min(3, lowDigits)
  const highDigits = Math.max(telling(high, borders), alike)
  return `${formatNumber(low, '?', lowDigits)} to ${formatNumber(high, '?', highDigits)}`
}

/** Digits that tell on which side of each border it lies. @param {number} value @param {(number | null)[]} borders */
function telling (value, borders, digits = 2) {
  const tells = (/** @type {number} */ count) => borders.every((border) => border === null ||
    Math.sign(value - border) === Math.sign(Number(value.toPrecision(count)) - border))
  while (digits < 5 && !tells(digits)) digits++
  return digits
}

/**
 * @param {Pick<GateResult, 'target' | 'direction' | 'ratioUnit'>} gate
 * @param {Theme['marks']} marks
 * @returns {string} `≥ 4×`
 */
export function formatTarget ({ target, direction, ratioUnit }, marks) {
  if (target === null) return marks.none
  return `${direction === 'at least' ? marks.atLeast : marks.atMost} ` +
    `${Number(target.toPrecision(3))}${unitSign(ratioUnit, marks)}`
}

/** @param {string} unit @param {Theme['marks']} marks */
function unitSign (unit, marks) {
  return unit === '×' ? marks.times : unit
}

/** @param {number} ms @param {string} none @returns {string} `0.38 s`, `8.21 s`, `3 min 12 s` */
export function formatDuration (ms, none) {
  if (!Number.isFinite(ms)) return none
  if (ms < 99_950) return `${formatNumber(ms / 1000, none, ms < 1000 ? 2 : 3)} s`
  const seconds = Math.round(ms / 1000)
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`
}

/** @typedef {string | number | Date | null | undefined} When as a Date takes it */

/** `2026-01-31 09:05` by the clock of this machine; empty if it isn't a date. @param {When} when */
export function formatWhen (when) {
  const { day, time } = dateParts(when)
  return `${day} ${time}`.trim()
}

/** `at 09:05`, or `on 2026-01-31 at 09:05` if that isn't today; empty if it isn't a date. @param {When} when */
export function sayWhen (when) {
  const { day, time } = dateParts(when)
  if (day === '') return ''
  return day === dateParts(new Date()).day ? `at ${time}` : `on ${day} at ${time}`
}

/** @param {When} when */
function dateParts (when) {
  const date = new Date(when ?? NaN)
  if (Number.isNaN(date.getTime())) return { day: '', time: '' }
  const two = (/** @type {number} */ value) => String(value).padStart(2, '0')
  return {
    day: [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join('-'),
    time: `${two(date.getHours())}:${two(date.getMinutes())}`
  }
}

/**
 * @typedef {object} GateColumn
 * @property {string} title
 * @property {'left' | 'right'} align
 * @property {Style} [style]
 * @property {(gate: GateResult, marks: Theme['marks']) => string} cell
 */

/** Is yours judged by itself, so that its figure is the ratio? @param {Pick<GateResult, 'unit' | 'ratioUnit'>} gate */
const isAlone = ({ unit, ratioUnit }) => ratioUnit !== '×' || unit === '×'

/** Between a gate's name and its verdict, in a terminal, a browser and a job summary. @type {GateColumn[]} */
export const gateColumns = [
  { title: 'baseline', align: 'right', cell: ({ baseline }, { none }) => formatNumber(baseline, none) },
  {
    title: 'yours',
    align: 'right',
    cell: (gate, { none }) =>
      formatNumber(gate.yours, none, isAlone(gate) ? telling(gate.yours ?? 0, [gate.target], 3) : 3)
  },
  {
    title: 'ratio',
    align: 'right',
    style: 'strong',
    cell: (gate, marks) => isAlone(gate) ? marks.none : formatRatio(gate, marks)
  },
  { title: '95 % interval', align: 'right', cell: formatInterval },
  { title: 'target', align: 'right', cell: formatTarget }
]

/** @param {GateResult} gate @returns {string} a sentence about an inconclusive gate, or nothing */
export function sayMore ({ verdict, moreSeconds }) {
  if (verdict !== 'inconclusive' || moreSeconds === null) return ''
  return `${capitalised(moreTime(moreSeconds))} would settle it.`
}

/**
 * The logarithmic axis on which a ratio is shown with its target. It depends on these two alone, so that it stays
 * still while the interval shrinks.
 *
 * @param {Pick<GateResult, 'ratio' | 'target'>} gate
 * @returns {((value: number) => number) | null} where a value lies, 0 to 1; null if there's nothing to show
 */
export function axisOf ({ ratio, target }) {
  if (ratio === null || target === null) return null
  const anchors = [ratio, target]
  if (!anchors.every((value) => value > 0 && Number.isFinite(value))) return null
  const low = Math.log(Math.min(1, ...anchors) / 1.5)
  const high = Math.log(Math.max(1, ...anchors) * 1.5)
  return (value) => {
    const share = value > 0 ? (Math.log(value) - low) / (high - low) : 0
    return Math.max(0, Math.min(1, share))
  }
}

/** @typedef {{ times: string, none: string }} Marks */

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
  if (isAlone(gate)) return null
  return Math.max(gate.ratio, 1 / gate.ratio)
}

/** @param {GateResult | undefined} gate of a preview of an unchanged server @param {Marks} marks */
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

/** `about 4.3×`; a rough one has one digit. @param {number} ratio @param {boolean} isRough @param {Marks} marks */
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
  // The error's own stack comes first, then the place above it.
  const places = [...lines.slice(at), ...lines.slice(0, at)].map((line) => /([^\s()]+\.[cm]?js:\d+)/.exec(line)?.[1])
  const place = places.find((one) => one !== undefined)
  const isOwn = place !== undefined && place.startsWith(`${submission}/`)
  const own = isOwn ? place.slice(submission.length + 1) : place
  const [, file, line] = /^(.*):(\d+)$/.exec(own ?? '') ?? []
  // Lines above a caret are Node.js code unless a learner's file is named above them.
  const caret = lines.slice(0, at).findIndex((line, below) =>
    /^\s*\^+\s*$/.test(line) && /\.[cm]?js:\d+$/.test(lines[below - 2] ?? ''))
  const pair = caret > 0 ? lines.slice(caret - 1, caret + 1) : []
  const indent = Math.min(...pair.map((line) => line.search(/\S/)))
  return {
    error: `${lines[at].trim()}${own === undefined || lines[at].includes(own) ? '' : ` (${own})`}`,
    code: pair.map((line) => line.slice(indent)),
    place: isOwn ? { file, line: Number(line) } : null
  }
}
