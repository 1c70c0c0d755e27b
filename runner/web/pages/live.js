import { axisOf, formatRatio, gateColumns, html, marks } from '../../report/index.js'
import { logTicks, width } from './charts.js'

/**
 * @import { ContractResult, GateResult, PhaseEvent, ResultRecord, Verdict } from '../../judge/index.js'
 * @import { Progress } from '../../report/index.js'
 */

/** Warming up belongs to the rounds: there may be some of both. @type {Partial<Record<PhaseEvent['phase'], string>>} */
const ofCheck = {
  start: 'start', contract: 'contract', rounds: 'rounds', after: 'after', inside: 'look inside'
}
/** A preview measures first. @type {typeof ofCheck} */
const ofPreview = { start: 'start', rounds: 'one round', contract: 'contract' }

/**
 * What a check knows while it runs, without its rounds. Pure.
 *
 * @param {Progress} progress
 * @param {{ isPreview?: boolean }} [options]
 */
export function liveHtml ({ phase, text, checks, failed, gates, settled }, { isPreview = false } = {}) {
  const phases = Object.entries(isPreview ? ofPreview : ofCheck)
  const current = phases.findIndex(([name]) => name === (phase === 'warm-up' ? 'rounds' : phase))
  const steps = phases.map(([, word], at) => {
    const mark = at < current ? marks.pass : at === current ? marks.current : marks.pending
    const step = at === current ? html` aria-current="step"` : ''
    return html`<li${step}><span aria-hidden="true">${mark}</span> ${word}</li>`
  })
  const wrong = failed.length === 0 ? 'all right so far' : html`<strong class="fail">${failed.length} failed</strong>`
  return html`<ol class="phases">${steps}</ol>
<p class="soft now">${text}</p>
${checks === null ? '' : html`<p>Contract: ${checks.done} of ${checks.total} asked, ${wrong}.</p>`}
${failuresHtml(failed)}
${settled === null
? ''
: html`<p class="verdict ${settled.verdict}">${verdictHtml(settled.verdict)}</p>
<p>The verdict is final. What’s measured now explains it, and decides nothing.</p>`}
${gatesHtml(gates, { isRunning: settled === null })}`
}

/** How many checks passed, or rules hold; or empty. @param {Pick<ResultRecord, 'contract' | 'rules'>} record */
export function contractHtml ({ contract, rules }) {
  if (contract.length === 0) return ''
  const passed = contract.filter(({ status }) => status === 'pass').length
  const word = passed === contract.length ? 'pass' : 'fail'
  return html`<p class="${word}"><span aria-hidden="true">${marks[word]}</span>
Contract: ${word === 'pass' || rules === undefined
    ? `${passed} of ${contract.length} passed`
    : `${rules.hold} of ${rules.of} rules hold so far`}</p>`
}

/**
 * The failed checks of the contract, with the words that they break and the requests that show it, grouped by
 * cause; empty when all pass.
 *
 * @param {readonly ContractResult[]} failed
 */
export function failuresHtml (failed) {
  if (failed.length === 0) return ''
  /** @type {Map<string, ContractResult[]>} */
  const causes = new Map()
  for (const check of failed) {
    const cause = causeOf(check.message)
    causes.set(cause, [...causes.get(cause) ?? [], check])
  }
  return html`<ul class="failures">${[...causes.values()].map(([first, ...others]) => html`<li>${failureHtml(first)}${
    others.length === 0
      ? ''
      : html`<p>${others.length} more ${others.length === 1 ? 'check fails' : 'checks fail'} for the same reason:
${others.map(({ name }) => name).join('; ')}.</p>`}</li>`)}</ul>`
}

const difference = /\bexpected (?:status )?([^]+), got ([^]+)$/
/** The reason in brackets after two whole answers, which says more than they do. */
const inBrackets = / \(([^()]+: expected [^]+, got [^]+)\)$/

/** @param {string} message */
function differenceIn (message) {
  return difference.exec(inBrackets.exec(message)?.[1] ?? message)
}

/** @param {string} message */
function causeOf (message) {
  return differenceIn(message)?.[0] ?? message
}

/** @param {ContractResult} check */
function failureHtml ({ name, message, promised = '', requests = [] }) {
  return html`<p><strong class="fail"><span aria-hidden="true">${marks.fail}</span> ${name}</strong></p>
${message && messageHtml(message)}
${promised && html`<p class="soft">The lesson says: <a href="#:~:text=${encodeURIComponent(promised)}" data-promised>“${
  promised}”</a></p>`}
${requests.length === 0
    ? ''
    : html`<details><summary>Requests that show it</summary><pre><code>${requests.join('\n')}</code></pre>
<p><button type="button" class="small" data-copy="${requests.join('\n')}">Copy</button></p></details>`}`
}

/** What was expected and what came, one above the other, with what differs marked. @param {string} message */
function messageHtml (message) {
  const found = differenceIn(message)
  if (found === null) return html`<pre>${message}</pre>`
  const [, expected, got] = found
  const before = found.input.slice(0, found.index).replace(/[\s:]+$/, '')
  const { start, ends } = differingPart(expected, got)
  const marked = (/** @type {string} */ text, /** @type {number} */ end) => html`<code>${text.slice(0, start)}<mark>${
    text.slice(start, end)}</mark>${text.slice(end)}</code>`
  return html`${before && html`<p>${before}</p>`}<dl class="difference"><dt>expected</dt>
<dd>${marked(expected, ends[0])}</dd><dt>got</dt><dd>${marked(got, ends[1])}</dd></dl>`
}

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
    : verdictHtml(gate.verdict)
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

/**
 * The words of the browser for verdicts, of a check and of a gate.
 *
 * @type {Record<Verdict | GateResult['verdict'], string>}
 */
export const verdictWords = {
  pass: 'passed',
  fail: 'not yet',
  inconclusive: 'too close to call',
  error: 'couldn’t be checked',
  dropped: 'not judged here',
  'not measured': 'not measured'
}

/** With its mark. @param {Verdict | GateResult['verdict']} verdict */
export function verdictHtml (verdict) {
  return html`<span class="word"><span aria-hidden="true">${marks[verdict]}</span> ${verdictWords[verdict]}</span>`
}

/**
 * Where two texts differ: what they begin and end with alike, in whole words, is left out. Pure.
 *
 * @param {string} a
 * @param {string} b
 * @returns {{ start: number, ends: [number, number] }} ends: of what differs, in the one and in the other
 */
export function differingPart (a, b) {
  const start = alike(a, b)
  const end = alike(reversed(a.slice(start)), reversed(b.slice(start)))
  return { start, ends: [a.length - end, b.length - end] }
}

/** The length of the two texts' common beginning, in whole words. @param {string} a @param {string} b */
function alike (a, b) {
  let count = 0
  while (count < Math.min(a.length, b.length) && a[count] === b[count]) count++
  while (count > 0 && /\w/.test(a[count - 1]) && /\w/.test((a[count] ?? '') + (b[count] ?? ''))) count--
  return count
}

/** @param {string} text */
function reversed (text) {
  return text.split('').reverse().join('')
}
