import { html } from '../../../report/browser.js'
import { targetText } from './words.js'

/**
 * What the class predicts, as dots on a logarithmic scale, and what it has measured. Pure.
 *
 * @import { ProjectorView } from '../../snapshot.js'
 */

const [width, highest] = [400, 120]
const margin = 16
const dot = 9.6

/** @param {Pick<ProjectorView, 'predicted'>} room */
export function predictionsHtml ({ predicted }) {
  if (predicted === null) return html``
  const { ratios, measured } = predicted
  const middle = ratios[Math.floor((ratios.length - 1) / 2)]
  return html`<h2>What we predicted</h2>${dotsSvg(ratios, measured?.ratio ?? null)}
<p>${ratios.length} predictions from ${targetText(ratios[0])} to ${targetText(ratios[ratios.length - 1])}, the middle
one ${targetText(middle)}.${measured === null
    ? ''
    : html`
<strong>Measured: ${targetText(measured.ratio)}</strong>, the median of ${measured.of} who have passed.`}</p>`
}

/** @param {readonly number[]} ratios from the smallest @param {number | null} measured */
function dotsSvg (ratios, measured) {
  const { ticks, at } = scaleOf(measured === null ? ratios : [...ratios, measured])
  const { dots, height } = placeDots(ratios.map(at))
  const mark = measured === null ? '' : at(measured).toFixed(2)
  return html`<svg class="dots" viewBox="0 0 ${width} ${(height + 24).toFixed(1)}" aria-hidden="true">
${ticks.map((tick) => html`<line x1="${at(tick).toFixed(2)}" x2="${at(tick).toFixed(2)}" y1="0" y2="${
  height.toFixed(1)}"/><text x="${at(tick).toFixed(2)}" y="${(height + 18).toFixed(1)}">${tick}×</text>`)}
${mark === '' ? '' : html`<line class="measured" x1="${mark}" x2="${mark}" y1="0" y2="${height.toFixed(1)}"/>`}
${dots.map(({ x, y }) => html`<circle cx="${x.toFixed(2)}" cy="${y.toFixed(2)}" r="4.4"/>`)}</svg>`
}

/** Round numbers around all values, and the position of each value. @param {readonly number[]} values above 0 */
function scaleOf (values) {
  const round = Array.from({ length: 24 }, (_, at) => Number(`${[1, 2, 5][at % 3]}e${Math.floor(at / 3) - 2}`))
  const low = round.findLast((tick) => tick <= Math.min(...values)) ?? round[0]
  const high = round.find((tick) => tick > low && tick >= Math.max(...values)) ?? round[round.length - 1]
  const at = (/** @type {number} */ value) =>
    margin + (width - 2 * margin) * Math.log(value / low) / Math.log(high / low)
  return { ticks: round.filter((tick) => tick >= low && tick <= high), at }
}

/** Dots that would overlap are stacked. @param {readonly number[]} places @returns dots from the bottom */
function placeDots (places) {
  const columns = places.map((x) => Math.round((x - margin) / dot))
  const ranks = columns.map((column, at) => at - columns.indexOf(column))
  const most = Math.max(...ranks) + 1
  const step = Math.min(dot, highest / most)
  const height = Math.max(32, most * step + 4)
  const dots = columns.map((column, at) => ({ x: margin + column * dot, y: height - (ranks[at] + 0.5) * step }))
  return { dots, height }
}
