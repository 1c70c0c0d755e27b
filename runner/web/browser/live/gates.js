import { axisOf, gateColumns, html, marks } from '../../../report/browser.js'

/** @import { GateResult } from '../../../judge/index.js' */

const width = 400
const [top, middle, bottom] = [2, 12, 22]

/**
 * One card a gate: its ratio, where that lies beside the target, and the two figures; empty without gates.
 *
 * @param {readonly GateResult[]} gates
 * @param {object} [options]
 * @param {[string, string]} [options.servers] what the two are called
 * @param {boolean} [options.isRunning] an unsettled gate is no bad news yet
 */
export function gatesHtml (gates, { servers = ['baseline', 'yours'], isRunning = false } = {}) {
  if (gates.length === 0) return ''
  return html`<ul class="gates">${gates.map((gate) => cardOf(gate, servers, isRunning))}</ul>`
}

/** @param {GateResult} gate @param {[string, string]} servers @param {boolean} isRunning */
function cardOf (gate, servers, isRunning) {
  const isOpen = isRunning && gate.verdict === 'inconclusive'
  const word = isOpen ? 'measuring' : gate.verdict
  const mark = isOpen ? marks.current : marks[gate.verdict]
  const [baseline, yours, ratio, interval, target] = gateColumns.map(({ cell }) => cell(gate, marks))
  const figures = `${servers[0]} ${baseline} ${marks.dot} ${servers[1]} ${yours} ${unitOf(gate)}`
  const more = !isRunning && gate.verdict === 'inconclusive' && gate.moreSeconds !== null
    ? `About ${Math.round(gate.moreSeconds)} more seconds would settle it.`
    : ''
  const comparison = gate.ratio === null
    ? ''
    : html`<p><strong class="ratio">${ratio}</strong>
<span class="soft">95 %: ${interval}</span>
<span class="target">target ${target}</span></p>
${scaleSvg(gate)}
<p class="soft">${figures}</p>`
  const tiers = (gate.tiers ?? [])
    .map(({ name, target, verdict }) => `${name} ${target}${marks.times} ${marks[verdict]}`)
  const notes = [tiers.join(` ${marks.dot} `), gate.note, more].filter(Boolean)
    .map((text) => html`<p class="soft">${text}</p>`)
  return html`<li class="gate ${isOpen ? 'open' : gate.verdict.replace(' ', '-')}">
<p class="gate-head"><span class="name">${gate.name}</span>
<span class="word"><span aria-hidden="true">${mark}</span> ${word}</span></p>
${comparison}${notes}</li>`
}

/** @param {GateResult} gate */
function unitOf ({ unit }) {
  return unit === marks.times ? 'times slower' : unit
}

/** The interval of 95 % and the target on one logarithmic axis. @param {GateResult} gate */
function scaleSvg (gate) {
  const axis = axisOf(gate)
  if (axis === null) return ''
  const place = (/** @type {number} */ value) => Math.round(8 + axis(value) * (width - 16))
  const [ratio, target] = [place(Number(gate.ratio)), place(Number(gate.target))]
  const [low, high] = (gate.interval95 ?? [Number(gate.ratio), Number(gate.ratio)]).map(place)
  const [good, end] = gate.direction === 'at least' ? [target, width] : [0, target]
  return html`<svg class="scale" viewBox="0 0 ${width} 24" aria-hidden="true">
<rect class="good" x="${good}" y="${top}" width="${end - good}" height="${bottom - top}"/>
<line class="track" x1="0" x2="${width}" y1="${middle}" y2="${middle}"/>
<line class="interval" x1="${low}" x2="${Math.max(high, low + 1)}" y1="${middle}" y2="${middle}"/>
<line class="line" x1="${target}" x2="${target}" y1="0" y2="24"/>
<circle class="dot" cx="${ratio}" cy="${middle}" r="6"/>
</svg>`
}
