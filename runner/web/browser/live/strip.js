import { axisOf, formatRatio, html, marks } from '../../../report/browser.js'
import { logTicks } from './axes.js'
import { width } from './figure.js'

/** @import { GateResult } from '../../../judge/index.js' */

const middle = 24

/**
 * The ratio, its interval of 95 % and the target on one logarithmic axis. Where the question is how much, 1 stands for
 * the target.
 *
 * @param {GateResult} given
 */
export function stripSvg (given) {
  const gate = { ...given, target: given.target ?? (given.verdict === 'dropped' ? null : 1) }
  const axis = axisOf(gate)
  if (axis === null) return ''
  const place = (/** @type {number} */ value) => Math.round(8 + axis(value) * (width - 16))
  const [ratio, target] = [Number(gate.ratio), Number(gate.target)]
  const [low, high] = (gate.interval95 ?? [ratio, ratio]).map(place)
  const [good, end] = gate.direction === 'at least' ? [place(target), width] : [0, place(target)]
  const unit = gate.ratioUnit === '×' ? marks.times : ''
  const [least, most] = [Math.min(1, ratio, target) / 1.4, Math.max(1, ratio, target) * 1.4]
  const ticks = logTicks(least, most).map((tick) =>
    html`<line class="grid" x1="${place(tick)}" x2="${place(tick)}" y1="${middle - 4}" y2="${middle + 4}"/>
<text class="tick" x="${place(tick)}" y="46" text-anchor="middle">${tick}${unit}</text>`)
  return html`<svg class="strip" viewBox="0 0 ${width} 50" aria-hidden="true">
<rect class="good" x="${good}" y="${middle - 9}" width="${end - good}" height="18"/>
<line class="track" x1="0" x2="${width}" y1="${middle}" y2="${middle}"/>${ticks}
<line class="interval" x1="${low}" x2="${Math.max(high, low + 1)}" y1="${middle}" y2="${middle}"/>
<line class="target" x1="${place(target)}" x2="${place(target)}" y1="${middle - 12}" y2="${middle + 12}"/>
${sidesSvg(gate, place(1), place(ratio))}
<circle class="dot" cx="${place(ratio)}" cy="${middle}" r="6"/>
<text class="value" x="${Math.min(width - 24, Math.max(24, place(ratio)))}" y="11" text-anchor="middle">${
  formatRatio(gate, marks)}</text>
</svg>`
}

/**
 * On which side of 1 it is faster, where there is room.
 *
 * @param {GateResult} gate
 * @param {number} one where 1 lies
 * @param {number} dot where the ratio lies
 */
function sidesSvg ({ kind }, one, dot) {
  if ((kind !== 'rate' && kind !== 'latency') || Math.abs(one - dot) < 90) return ''
  return html`<text class="tick" x="${one - 6}" y="11" text-anchor="end">slower</text>
<text class="tick" x="${one}" y="11" text-anchor="middle">|</text>
<text class="tick" x="${one + 6}" y="11">faster</text>`
}
