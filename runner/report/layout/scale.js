/** A small logarithmic axis with the ratio, its interval of 95 % and the target. */
import { axisOf } from './axis.js'
import { styleOf } from './theme.js'

/**
 * @import { GateResult } from '../../judge/index.js'
 * @import { Style, Theme } from './theme.js'
 */

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
