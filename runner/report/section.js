import { axisOf } from './numbers.js'
import { padText, styleOf, textWidth } from './theme.js'

/**
 * @import { GateResult } from '../judge/index.js'
 * @import { Style, Theme } from './theme.js'
 */

/** A labelled part of the report: the label next to its lines, or above them where it has no room there. */

const labelWidth = 11
const narrowBelow = 64
const longestLine = 100

/**
 * @param {string} label
 * @param {(inner: Theme) => string[]} body lays out for the room that the label leaves
 * @param {Theme} theme
 * @returns {string[]} empty when the body is
 */
export function section (label, body, theme) {
  const isWide = theme.columns >= narrowBelow
  const indent = isWide ? labelWidth : 2
  const lines = body({ ...theme, columns: Math.min(longestLine, theme.columns) - indent })
  if (lines.length === 0) return []
  const set = lines.map((line) => line === '' ? '' : ' '.repeat(indent) + line)
  if (!isWide || textWidth(label) >= labelWidth) return [theme.paint('secondary', label), ...set]
  return [theme.paint('secondary', padText(label, labelWidth)) + lines[0], ...set.slice(1)]
}

/**
 * Blocks with an empty line between them, if the window is high enough.
 *
 * @param {string[][]} blocks empty ones are left out
 * @param {number} [height] lines that fit the window
 */
export function apart (blocks, height = Infinity) {
  const airy = blocks.filter((lines) => lines.length > 0).flatMap((lines, at) => at === 0 ? lines : ['', ...lines])
  const lines = airy.length <= height ? airy : blocks.flat()
  // In a very low window the newest lines, or the keys below them, count most.
  return lines.length <= height ? lines : lines.slice(-Math.max(1, height))
}

/**
 * One sign per round, from 0 to the largest value, so that heights can be compared.
 *
 * @param {number[]} values
 * @param {number} largest the value of a full sign
 * @param {string} signs from low to high
 * @returns {string}
 */
export function sparkline (values, largest, signs) {
  return values.map((value) => {
    const share = largest > 0 && Number.isFinite(value) ? value / largest : 0
    return signs[Math.max(0, Math.min(signs.length - 1, Math.round(share * (signs.length - 1))))]
  }).join('')
}

/**
 * What a record or a run is about: a comparison has its own title, and no number.
 *
 * @param {{ number: number, title: string }} lesson
 * @param {string} [dot]
 * @returns {string} `Lesson 3 · In-memory JSON`
 */
export function titleOf ({ number, title }, dot = '·') {
  return number === 0 ? title : `Lesson ${number} ${dot} ${title}`
}

/** A small logarithmic axis with the ratio, its interval of 95 % and the target. */

/**
 * @param {GateResult} gate
 * @param {number} width columns
 * @param {Theme} theme
 * @returns {{ text: string, painted: string } | null} null if there's nothing to draw
 */
export function scaleOf ({ ratio, interval95, target, verdict }, width, theme) {
  const axis = axisOf({ ratio, target })
  if (axis === null || width < 5) return null
  const place = (/** @type {number} */ value) => Math.round(axis(value) * (width - 1))

  const { marks } = theme
  /** @type {{ sign: string, style: Style }[]} */
  const cells = Array.from({ length: width }, () => ({ sign: marks.track, style: 'secondary' }))
  if (interval95 !== null) {
    for (let at = place(interval95[0]); at <= place(interval95[1]); at++) {
      cells[at] = { sign: marks.interval, style: styleOf(verdict) }
    }
  }
  cells[place(Number(ratio))] = { sign: marks.ratio, style: styleOf(verdict) }
  cells[place(Number(target))] = { sign: marks.target, style: 'strong' }

  return { text: cells.map((cell) => cell.sign).join(''), painted: paintRuns(cells, theme) }
}

/**
 * @param {{ sign: string, style: Style }[]} cells
 * @param {Theme} theme
 */
function paintRuns (cells, { paint }) {
  let painted = ''
  for (let start = 0, end = 0; start < cells.length; start = end) {
    while (end < cells.length && cells[end].style === cells[start].style) end++
    painted += paint(cells[start].style, cells.slice(start, end).map((cell) => cell.sign).join(''))
  }
  return painted
}
