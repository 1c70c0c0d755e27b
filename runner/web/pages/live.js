import {
  axisOf, formatInterval, formatNumber, formatRatio, formatTarget, gateColumns, html, marks
} from '../../report/index.js'
import { logTicks, width } from './charts.js'
import { asking } from './workshop-frame.js'

/**
 * Gates and answers, while they're measured and afterwards. Pure.
 *
 * @import { ContractResult, GateResult, PhaseEvent, ResultRecord, Verdict } from '../../judge/index.js'
 *
 * @typedef {Pick<GateResult, 'name' | 'direction' | 'target'> & { unit: string }} Target unit: of the ratio
 */

/** What's said of each phase, in its order. @type {Partial<Record<PhaseEvent['phase'], [string, string]>>} */
const phases = {
  contract: ['Answers', 'Checking answers'],
  rounds: ['Speed', 'Measuring speed'],
  after: ['Answers again', 'Checking answers again'],
  inside: ['Why', 'Looking inside both servers']
}

/** @param {PhaseEvent['phase'] | null} phase */
export function sayPhase (phase) {
  return phases[phase ?? 'start']?.[1] ?? (phase === 'warm-up' ? 'Warming up' : 'Starting both servers')
}

/** How far a check is. @param {PhaseEvent['phase'] | null} phase */
export function stepsOfCheck (phase) {
  const names = Object.keys(phases)
  const current = Math.max(0, names.indexOf(phase === 'warm-up' ? 'rounds' : String(phase)))
  return html`<ol class="phases">${Object.values(phases).map(([word], at) => {
    const mark = at < current ? marks.pass : at === current ? marks.current : marks.pending
    const step = at === current ? html` aria-current="step"` : ''
    return html`<li${step}><span aria-hidden="true">${mark}</span> ${word}</li>`
  })}</ol>`
}

/**
 * Each target as a meter, which fills up to what's certain, and pale up to what's possible.
 *
 * @param {readonly Target[]} targets
 * @param {readonly GateResult[]} gates as far as they're known
 * @param {boolean} isRunning
 */
export function metersHtml (targets, gates, isRunning) {
  return html`${targets.filter(({ target }) => target !== null).map(({ name, unit, ...given }) => {
    const gate = gates.find((one) => one.name === name)
    const isOpen = isRunning && (gate === undefined || isUnsettled(gate))
    const tone = isOpen ? 'open' : gate?.verdict.replace(' ', '-') ?? ''
    const word = isOpen ? 'measuring' : gate === undefined ? '' : verdictWords[gate.verdict]
    return html`<li class="meter ${tone}"><span class="meter-name" title="${name}">${name} <span class="soft">${
  formatTarget({ ...given, ratioUnit: unit }, marks)}</span></span>
${meterSvg({ ...given, unit }, gate)}
<span class="meter-now"><span aria-hidden="true">${isOpen ? marks.current : gate ? marks[gate.verdict] : ''}</span> ${
  gate?.ratio == null ? '' : formatRatio(gate, marks)}<span class="hidden">${word}</span></span></li>`
  })}`
}

/** Where the target stands in every meter, percent. */
const goal = 60

/** @param {Omit<Target, 'name'>} given @param {GateResult} [gate] */
function meterSvg ({ target, direction, unit }, gate) {
  const isLog = unit === '×' && direction === 'at least' && Number(target) > 1.05
  const share = (/** @type {number} */ value) => isLog
    ? 10 + (goal - 10) * Math.log(Math.max(value, 1e-9)) / Math.log(Number(target))
    : goal * value / Number(target)
  const place = (/** @type {number} */ value) => Math.round(10 * Math.max(0, Math.min(100, share(value)))) / 10
  const ratio = gate?.ratio ?? null
  const [low, high] = ratio === null ? [0, 0] : (gate?.interval ?? [0, ratio]).map(place)
  return html`<svg class="meter-track" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
<rect class="empty" width="100" height="8"/><rect class="sure" width="${low}" height="8"/>
<rect class="likely" x="${low}" width="${Math.max(0, high - low).toFixed(1)}" height="8"/>
<rect class="goal" x="${goal - 0.4}" width=".8" height="8"/></svg>`
}

/** @param {GateResult} gate */
function isUnsettled ({ verdict }) {
  return verdict === 'inconclusive' || verdict === 'not measured'
}

/**
 * How many checks of its answers passed, or how many rules hold; empty without any.
 *
 * @param {Pick<ResultRecord, 'contract' | 'rules'>} record
 */
export function contractHtml ({ contract, rules }) {
  if (contract.length === 0) return ''
  const passed = contract.filter(({ status }) => status === 'pass').length
  const word = passed === contract.length ? 'pass' : 'fail'
  return html`<p class="${word}"><span aria-hidden="true">${marks[word]}</span>
Answers: ${word === 'pass' || rules === undefined
    ? `${passed} of ${contract.length} checks passed`
    : `${rules.hold} of ${rules.of} rules are known to hold`}</p>`
}

/**
 * The failed checks of the contract, with the words that they break and the requests that show it, grouped by
 * cause; empty when all pass.
 *
 * @param {readonly ContractResult[]} failed
 * @param {string} [slug] of the lesson, if the requests can be sent from here
 */
export function failuresHtml (failed, slug = '') {
  if (failed.length === 0) return ''
  /** @type {Map<string, ContractResult[]>} */
  const causes = new Map()
  for (const check of failed) {
    const cause = causeOf(check.message)
    causes.set(cause, [...causes.get(cause) ?? [], check])
  }
  return html`<ul class="failures">${[...causes.values()].map(([first, ...others]) => html`<li>${
    failureHtml(first, slug)}${others.length === 0
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

/** @param {ContractResult} check @param {string} slug */
function failureHtml ({ name, message, promised = '', requests = [] }, slug) {
  return html`<p><strong class="fail"><span aria-hidden="true">${marks.fail}</span> ${name}</strong></p>
${message && messageHtml(message)}
${promised && html`<p class="soft">The lesson says: <a href="#:~:text=${encodeURIComponent(promised)}" data-promised>“${
  promised}”</a></p>`}
${requests.length === 0
    ? ''
    : html`<details><summary>Requests that show it</summary><pre><code>${requests.join('\n')}</code></pre>
<p class="buttons">${slug === ''
  ? ''
  : html`<button type="button" class="small"${asking(`POST /api/lessons/${slug}/both`, { check: name })}>Send to
both</button>`}
<button type="button" class="small" data-copy="${requests.join('\n')}">Copy</button></p></details>
<div data-part="both ${name}"></div>`}`
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
export function gatesHtml (gates, { servers = ['slow', 'yours'], isRunning = false } = {}) {
  if (gates.length === 0) return ''
  return html`<ul class="gates">${gates.map((gate) => cardOf(gate, servers, isRunning))}</ul>`
}

/** @param {GateResult} gate @param {[string, string]} usual @param {boolean} isRunning */
function cardOf (gate, usual, isRunning) {
  const isOpen = isRunning && isUnsettled(gate)
  const word = isOpen
    ? html`<span class="word"><span aria-hidden="true">${marks.current}</span> measuring</span>`
    : verdictHtml(gate.verdict)
  const [, , ratio, , target] = gateColumns.map(({ cell }) => cell(gate, marks))
  // While it's measured, what isn't known yet keeps its place.
  const comparison = gate.ratio === null && !isOpen
    ? ''
    : html`<p><strong class="ratio">${ratio}</strong>
<span class="soft">${sayIntervals(gate)}</span>
${gate.target === null ? '' : html`<span class="target">target ${target}</span>`}</p>
${stripSvg(gate)}
<p class="soft">${figuresOf(gate, gate.servers ?? usual)}</p>`
  return html`<li class="gate ${isOpen ? 'open' : gate.verdict.replace(' ', '-')}">
<p class="gate-head"><span class="name">${gate.name}</span> ${word}</p>
${comparison}${isRunning ? '' : notesOf(gate)}</li>`
}

/** The one of 95 %, and where it's still open, the wider one that decides. @param {GateResult} gate */
function sayIntervals (gate) {
  const { interval, interval95, verdict } = gate
  const usual = `95 %: ${formatInterval(gate, marks)}`
  const isWider = interval !== null && String(interval) !== String(interval95)
  if (verdict !== 'inconclusive' || !isWider) return usual
  return `${usual} ${marks.dot} to decide: ${formatInterval({ ...gate, interval95: interval }, marks)}`
}

/** @param {GateResult} gate @param {readonly string[]} servers */
function figuresOf ({ kind, unit, baseline, yours }, servers) {
  const [before, now] = [baseline, yours].map((figure) => formatNumber(figure, marks.none))
  if (kind !== 'degradation') return `${servers[0]} ${before} ${marks.dot} ${servers[1]} ${now} ${unit}`
  return `The last third took, compared with the first: ${servers[0]} ${before}${marks.times} ${marks.dot} ${
    servers[1]} ${now}${marks.times}`
}

/** @param {GateResult} gate */
function notesOf ({ verdict, note, moreSeconds, tiers }) {
  const reached = (tiers ?? []).map(({ name, target, verdict }) => `${name} ${target}${marks.times} ${marks[verdict]}`)
  const why = verdict === 'not measured' ? 'The check ended before this was measured.' : ''
  const more = verdict === 'inconclusive' && moreSeconds !== null
    ? `About ${Math.round(moreSeconds)} more seconds would settle it.`
    : ''
  return [reached.join(` ${marks.dot} `), note || why, more].filter(Boolean).map((text) =>
    html`<p class="soft">${text}</p>`)
}

const middle = 24

/**
 * The ratio, its interval of 95 %, around it the wider one that decides, and the target on one logarithmic axis. Where
 * the question is how much, 1 stands for the target.
 *
 * @param {GateResult} given without a ratio, the target alone is drawn
 */
export function stripSvg (given) {
  const gate = { ...given, target: given.target ?? (given.verdict === 'dropped' ? null : 1) }
  const axis = axisOf({ ...gate, ratio: gate.ratio ?? gate.target })
  if (axis === null) return ''
  const place = (/** @type {number} */ value) => Math.round(8 + axis(value) * (width - 16))
  const target = Number(gate.target)
  const ratio = gate.ratio ?? target
  const [good, end] = gate.direction === 'at least' ? [place(target), width] : [0, place(target)]
  const unit = gate.ratioUnit === '×' ? marks.times : ''
  const [least, most] = [Math.min(1, ratio, target) / 1.4, Math.max(1, ratio, target) * 1.4]
  const ticks = logTicks(least, most).map((tick) =>
    html`<line class="grid" x1="${place(tick)}" x2="${place(tick)}" y1="${middle - 4}" y2="${middle + 4}"/>
<text class="tick" x="${place(tick)}" y="46" text-anchor="middle">${tick}${unit}</text>`)
  return html`<svg class="strip" viewBox="0 0 ${width} 50" aria-hidden="true">
<rect class="good" x="${good}" y="${middle - 9}" width="${end - good}" height="18"/>
<line class="track" x1="0" x2="${width}" y1="${middle}" y2="${middle}"/>${ticks}
<line class="target" x1="${place(target)}" x2="${place(target)}" y1="${middle - 12}" y2="${middle + 12}"/>
${gate.ratio === null ? '' : measuredSvg(gate, place)}</svg>`
}

/** @param {GateResult} gate @param {(value: number) => number} place */
function measuredSvg (gate, place) {
  const { interval, interval95 } = gate
  const dot = place(Number(gate.ratio))
  const line = (/** @type {[number, number]} */ ends, /** @type {string} */ name) => {
    const [low, high] = ends.map(place)
    return html`<line class="${name}" x1="${low}" x2="${Math.max(high, low + 1)}" y1="${middle}" y2="${middle}"/>`
  }
  const ends = (interval ?? []).map((end) => html`<line class="whisker" x1="${place(end)}" x2="${place(end)}"
y1="${middle - 5}" y2="${middle + 5}"/>`)
  return html`${interval === null ? '' : line(interval, 'whisker')}${ends}
${interval95 === null ? '' : line(interval95, 'interval')}
${sidesSvg(gate, place(1), dot)}
<circle class="dot" cx="${dot}" cy="${middle}" r="6"/>
<text class="value" x="${Math.min(width - 24, Math.max(24, dot))}" y="11" text-anchor="middle">${
  formatRatio(gate, marks)}</text>`
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
