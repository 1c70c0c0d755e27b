import { gateColumns, html, marks } from '../../../report/browser.js'
import { stripSvg } from './strip.js'
import { verdictHtml } from './verdict.js'

/** @import { GateResult } from '../../../judge/index.js' */

/**
 * One card per gate: its ratio, where that lies relative to the target, and the two figures; empty without gates.
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

/** @param {GateResult} gate @param {[string, string]} usual @param {boolean} isRunning */
function cardOf (gate, usual, isRunning) {
  const servers = gate.servers ?? usual
  const isOpen = isRunning && gate.verdict === 'inconclusive'
  const word = isOpen
    ? html`<span class="word"><span aria-hidden="true">${marks.current}</span> measuring</span>`
    : verdictHtml(gate.verdict, gate.answer)
  const [baseline, yours, ratio, interval, target] = gateColumns.map(({ cell }) => cell(gate, marks))
  const figures = `${servers[0]} ${baseline} ${marks.dot} ${servers[1]} ${yours} ${unitOf(gate)}`
  const more = !isRunning && gate.verdict === 'inconclusive' && gate.moreSeconds !== null
    ? `About ${Math.round(gate.moreSeconds)} more seconds would settle it.`
    : ''
  const why = !isRunning && gate.verdict === 'not measured' ? 'The check ended before this was measured.' : ''
  const comparison = gate.ratio === null
    ? ''
    : html`<p><strong class="ratio">${ratio}</strong>
<span class="soft">95 %: ${interval}</span>
${gate.target === null ? '' : html`<span class="target">target ${target}</span>`}</p>
${stripSvg(gate)}
<p class="soft">${figures}</p>`
  const tiers = (gate.tiers ?? [])
    .map(({ name, target, verdict }) => `${name} ${target}${marks.times} ${marks[verdict]}`)
  const notes = [tiers.join(` ${marks.dot} `), gate.note || why, more].filter(Boolean)
    .map((text) => html`<p class="soft">${text}</p>`)
  return html`<li class="gate ${isOpen ? 'open' : gate.verdict.replace(' ', '-')}">
<p class="gate-head"><span class="name">${gate.name}</span> ${word}</p>
${comparison}${notes}</li>`
}

/** @param {GateResult} gate */
function unitOf ({ unit }) {
  return unit === marks.times ? 'times slower' : unit
}
