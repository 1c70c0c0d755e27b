/** A small logarithmic axis: where the ratio and its interval of 95 % lie, and where the target stands. */
import { styleOf } from './theme.js'

/**
 * @import { GateResult } from '../../judge/index.js'
 * @import { Style, Theme } from './theme.js'
 */

/**
 * The axis depends on the target and the ratio alone, so that it stays still while the interval shrinks.
 *
 * @param {GateResult} gate
 * @param {number} width columns
 * @param {Theme} theme
 * @returns {{ text: string, painted: string } | null} null where there is nothing to draw
 */
export function scaleOf ({ ratio, interval95, target, verdict }, width, theme) {
  const known = [ratio, target].filter((value) => value !== null && value > 0 && Number.isFinite(value))
  if (known.length < 2 || width < 5) return null
  const anchors = /** @type {number[]} */ (known)
  const low = Math.log(Math.min(1, ...anchors) / 1.5)
  const high = Math.log(Math.max(1, ...anchors) * 1.5)
  const place = (/** @type {number} */ value) => {
    const share = value > 0 ? (Math.log(value) - low) / (high - low) : 0
    return Math.round(Math.max(0, Math.min(1, share)) * (width - 1))
  }

  const { marks } = theme
  /** @type {{ sign: string, style: Style }[]} */
  const cells = Array.from({ length: width }, () => ({ sign: marks.track, style: 'secondary' }))
  if (interval95 !== null) {
    for (let at = place(interval95[0]); at <= place(interval95[1]); at++) {
      cells[at] = { sign: marks.interval, style: styleOf(verdict) }
    }
  }
  cells[place(anchors[0])] = { sign: marks.ratio, style: styleOf(verdict) }
  cells[place(anchors[1])] = { sign: marks.target, style: 'strong' }

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
