import {
  formatInterval, formatRatio, formatTarget, gateColumns, html, marks, sayMore, tableHtml
} from '../../report/index.js'
import { isOpen, sayUndecided } from '../../judge/index.js'
import { asking } from './workshop-frame.js'

/**
 * Gates and answers, while they're measured and afterwards. Pure.
 *
 * @import { Html, Progress } from '../../report/index.js'
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

/** How far a check is. @param {Pick<Progress, 'phase' | 'done'>} progress */
export function stepsOfCheck ({ phase, done }) {
  const current = phase === 'warm-up' ? 'rounds' : phase
  return html`<ol class="phases">${Object.entries(phases).map(([name, [word]]) => {
    const isDone = done.some((one) => one === name)
    const mark = name === current ? marks.current : isDone ? marks.pass : marks.pending
    const step = name === current ? html` aria-current="step"` : ''
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
    const isBusy = isRunning && (gate === undefined || isOpen(gate))
    const tone = isBusy ? 'open' : gate?.verdict.replace(' ', '-') ?? ''
    const word = isBusy ? 'measuring' : gate === undefined ? '' : sayVerdict(gate.verdict, [gate])
    return html`<li class="meter ${tone}"><span class="meter-name" title="${name}">${name} <span class="soft">${
  formatTarget({ ...given, ratioUnit: unit }, marks)}</span></span>
${meterSvg({ ...given, unit }, gate)}
<span class="meter-now"><span aria-hidden="true">${isBusy ? marks.current : gate ? marks[gate.verdict] : ''}</span> ${
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
 * All figures of the gates in a table, and what's to be said about them; empty without gates.
 *
 * @param {readonly GateResult[]} gates
 * @param {[string, string]} [servers] what the two are called
 */
export function gatesHtml (gates, servers = ['slow', 'yours']) {
  if (gates.length === 0) return ''
  const titles = [...(gates[0].servers ?? servers), ...gateColumns.slice(2).map(({ title }) => title)]
  const rows = gates.map((gate) => [
    `${gate.name}, ${gate.unit}`,
    ...gateColumns.map(({ cell }) => cell(gate, marks)),
    html`<span class="${gate.verdict}">${verdictHtml(gate.verdict, [gate])}</span>`
  ])
  const notes = gates.flatMap((gate) => notesOf(gate).map((note) => html`<p class="soft">${gate.name}: ${note}</p>`))
  return html`${tableHtml('Targets', { columns: ['', ...titles.map((title) => `#${title}`), ''], rows })}${notes}`
}

/** @param {GateResult} gate */
function notesOf (gate) {
  const { verdict, note, tiers, interval, interval95 } = gate
  const reached = (tiers ?? []).map(({ name, target, verdict }) => `${name} ${target}${marks.times} ${marks[verdict]}`)
  const isUndecided = verdict === 'inconclusive'
  return [
    reached.join(` ${marks.dot} `),
    note || (verdict === 'not measured' ? 'The check ended before this was measured.' : ''),
    isUndecided && interval !== null && String(interval) !== String(interval95)
      ? `The interval that decides is ${formatInterval({ ...gate, interval95: interval }, marks)}.`
      : '',
    sayMore(gate)
  ].filter(Boolean)
}

/** @type {Record<Exclude<Verdict | GateResult['verdict'], 'inconclusive'>, string>} */
export const verdictWords = {
  pass: 'passed',
  fail: 'not yet',
  error: 'couldn’t be checked',
  dropped: 'not judged here',
  'not measured': 'not measured'
}

/**
 * The browser's words for a verdict.
 *
 * @param {Verdict | GateResult['verdict']} verdict of a check or of a gate
 * @param {Parameters<typeof sayUndecided>[0]} gates which it's about
 */
export function sayVerdict (verdict, gates) {
  return verdict === 'inconclusive' ? sayUndecided(gates) : verdictWords[verdict]
}

/** With its mark. @type {(...given: Parameters<typeof sayVerdict>) => Html} */
export function verdictHtml (verdict, gates) {
  return html`<span class="word"><span aria-hidden="true">${marks[verdict]}</span> ${sayVerdict(verdict, gates)}</span>`
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
