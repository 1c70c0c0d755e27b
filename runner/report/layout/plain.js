/** A check that is still running, as one short line per event: for logs and terminals that can't be redrawn. */
import { formatInterval, formatNumber, formatRatio } from './numbers.js'
import { textWidth, truncateText, wrapParts, wrapText } from './text.js'
import { fits } from './theme.js'
import { titleOf } from './title.js'

/**
 * @import { CheckProgress, PhaseEvent, RoundEvent } from '../../judge/index.js'
 * @import { Progress, Run } from '../progress.js'
 * @import { Theme } from './theme.js'
 */

/**
 * @param {Run} run
 * @param {Theme} theme
 * @returns {string[]}
 */
export function layoutRun ({ lesson, submission, seed }, theme) {
  const { dot } = theme.marks
  const parts = [
    theme.line(titleOf(lesson, dot)),
    theme.line(submission),
    `seed ${theme.line(seed)}`
  ]
  return wrapParts(parts, ` ${dot} `, theme.columns).flatMap((line) => wrapText(line, theme.columns))
}

/**
 * @param {CheckProgress} event
 * @param {Theme} theme
 * @returns {string[]} empty for an event that deserves no line
 */
export function layoutEvent (event, theme) {
  if (event.type === 'phase') return phaseLines(event, theme)
  if (event.type === 'round') return roundLines(event, theme)
  return []
}

/**
 * @param {PhaseEvent} event
 * @param {Theme} theme
 */
function phaseLines ({ phase, text }, theme) {
  const detail = theme.line(text)
  return wrapText(detail === '' ? phase : `${phase}: ${detail}`, theme.columns)
}

/**
 * How the contract went, once that's known. Failures are shown once, with the result.
 *
 * @param {Progress} progress
 * @returns {string[]}
 */
export function layoutChecks ({ checks, failed }) {
  if (checks === null) return []
  return [`contract: ${checks.done} checked${failed.length === 0 ? '' : `, ${failed.length} failed`}`]
}

/**
 * One line: without intervals, or cut, if the window is too narrow.
 *
 * @param {RoundEvent} event
 * @param {Theme} theme
 */
function roundLines ({ round, gates }, theme) {
  const { marks, paint, columns } = theme
  const figure = (/** @type {number} */ value) => formatNumber(value, marks.none)
  const [baseline, yours] = (round.servers ?? ['baseline', 'yours']).map((name) => theme.line(name))
  const start = `${theme.line(round.load)} ${round.number}: ${baseline} ${figure(round.baseline)}, ${yours} ` +
    `${figure(round.yours)} ${theme.line(round.unit ?? 'requests/s')}`
  if (round.disturbed !== null) {
    const line = `${start} ${marks.dot} disturbed: ${theme.line(round.disturbed)}`
    return [paint('inconclusive', fits(textWidth(line), theme) ? line : truncateText(line, columns, marks.ellipsis))]
  }
  const measured = gates.filter((gate) => gate.ratio !== null)
  const ratios = measured.map((gate) => `${theme.line(gate.name)} ${formatRatio(gate, marks)}`)
  const intervals = measured.map((gate, at) =>
    gate.interval95 === null ? ratios[at] : `${ratios[at]} (${formatInterval(gate, marks)})`)
  const lines = [intervals, ratios].map((parts) =>
    [start, parts.join(', ')].filter((part) => part !== '').join(` ${marks.dot} `)
  )
  return [lines.find((line) => fits(textWidth(line), theme)) ?? truncateText(lines[1], columns, marks.ellipsis)]
}
