import { figures, kindOf } from '../../judge/index.js'
import { sizedSeed } from '../../shared/random.js'
import {
  formatCount, formatDuration, html, marks, sayAbout, tableHtml, whyRough, withCode
} from '../../report/index.js'
import { chartsHtml, waterfallHtml } from './charts.js'
import { contractHtml, failuresHtml, gatesHtml, sayPhase, sayVerdict, stepsOfCheck } from './live.js'
import { inBrowser, isTold, problemHtml, verdictCard } from './verdict-card.js'
import { whenHtml } from './workshop-frame.js'

/**
 * @import { GateResult, MechanismFigure, ResultRecord } from '../../judge/index.js'
 * @import { Html, Progress } from '../../report/index.js'
 * @import { CodeFrame } from './code-lines.js'
 */

/**
 * A check while it runs, without the meters, which are always in sight; its verdict comes as soon as it's known.
 *
 * @param {Progress} progress
 * @param {string} slug of the lesson
 */
export function liveHtml ({ phase, done, text, failed, settled }, slug) {
  if (settled !== null) {
    const onward = html`<p class="soft">Now it looks inside both servers, which explains the verdict and doesn’t change
it.</p>`
    return html`${verdictCard(settled, { onward, frame: null })}${gatesHtml(settled.gates)}`
  }
  return html`${stepsOfCheck({ phase, done })}
<p class="soft now">${text || sayPhase(phase)}</p>
${failuresHtml(failed, slug)}`
}

/**
 * A result record: the verdict first, what to do now, and then what was measured.
 *
 * @param {ResultRecord} record
 * @param {object} [around]
 * @param {Html | string} [around.onward] ways on from here
 * @param {CodeFrame | null} [around.frame] where its server failed
 * @param {boolean} [around.isStale] the code has changed since: it's folded up
 * @param {boolean} [around.canGoOn] with the rounds that it has
 */
export function resultHtml (record, { onward = '', frame = null, isStale = false, canGoOn = false } = {}) {
  const { verdict, reason, startedAt, durationMs, gates, lesson, seed, machine } = record
  const whole = html`${verdictCard(record, { onward, frame, canGoOn })}
${gatesHtml(gates, gates[0] && kindOf(gates[0].kind).servers)}
${hintsOfGates(gates)}
<div class="charts">${chartsHtml(record)}</div>
${insideHtml(record)}
${listHtml('Warnings', [...new Set([...record.warnings, ...machine.warnings, ...record.load.problems])])}
<details><summary>Details (${formatDuration(durationMs, marks.none)})</summary>${
  isTold(record) ? html`<p>${inBrowser(reason, lesson)}</p>` : ''}
<p class="soft">Seed <code>${sizedSeed(seed, machine.work)}</code></p></details>
${outputHtml(record)}`
  if (!isStale) return whole
  return html`<details class="stale"><summary>Last check, of an earlier version (${whenHtml(startedAt)}): ${
    marks[verdict]} ${sayVerdict(verdict, gates)}</summary>${whole}</details>`
}

/** @param {readonly GateResult[]} gates */
function hintsOfGates (gates) {
  return listHtml('Look at', gates.filter(({ verdict, look }) => verdict === 'fail' && look !== '')
    .map(({ name, look }) => `${name}: ${look}`))
}

/** @param {string} title @param {string[]} sentences */
function listHtml (title, sentences) {
  if (sentences.length === 0) return ''
  return html`<h4>${title}</h4><ul>${sentences.map((sentence) => html`<li>${withCode(sentence)}</li>`)}</ul>`
}

/** @param {ResultRecord} record */
function outputHtml ({ output }) {
  return output.filter(({ text }) => text.trim() !== '').map(({ server, text }) =>
    html`<details><summary>Output of ${server}</summary><pre>${text}</pre></details>`)
}

/**
 * Did the lesson's figure move, and what else was seen inside both servers? Empty if nothing was seen.
 *
 * @param {Pick<ResultRecord, 'mechanism' | 'load'>} record
 */
function insideHtml ({ mechanism, load }) {
  if (mechanism === null) return ''
  const { confirmed, expected, note, figures: seen } = mechanism
  if (expected === '') return html`<h4>What changed inside</h4><p>${note}</p>`
  const said = confirmed === null ? note : confirmed ? `${marks.pass} confirmed` : `${marks.fail} not confirmed`
  return html`<h4>What changed inside</h4><dl><dt>Expected</dt><dd>${expected}</dd>
<dt>Observed</dt><dd>${said}</dd><dt>Answers</dt><dd>${formatCount(load.requests)} under load</dd></dl>
${tableOf(seen)}`
}

/** @param {MechanismFigure[]} seen */
function tableOf (seen) {
  if (seen.length === 0) return ''
  const all = Object.values(figures)
  const rows = seen.map(({ name, baseline, yours, does, agrees }) => {
    // A name we don't know is one of the learner's functions.
    const { label, show } = all.find((figure) => name.startsWith(figure.label)) ?? figures.function
    const shown = name.startsWith(label) ? name : `${name}: ${label}`
    return [shown, show(baseline), show(yours), does === null ? '' : `${should[does]} ${markOf(agrees)}`]
  })
  return html`<p>Measured after the rounds: both servers were loaded once more, each with a recorder in it. None of this
affects the verdict.</p>
${tableHtml('Inside of both servers', { columns: ['figure', '#slow', '#yours', 'expected'], rows })}
<p class="soft">CPU time for one answer comes from the rounds, on systems that report it.</p>`
}

const should = { falls: 'should fall', stays: 'should stay equal', rises: 'should rise' }

/** @param {boolean | null} agrees */
function markOf (agrees) {
  if (agrees === null) return `(${marks.none} unclear)`
  return agrees ? marks.pass : `${marks.fail} didn’t`
}

const mostFailures = 3

/**
 * What a preview says: the contract, what the server wrote when it failed, and one round without a verdict.
 *
 * @param {ResultRecord} record
 * @param {CodeFrame | null} [frame] where its server failed
 */
export function previewHtml (record, frame = null) {
  const { contract, gates, verdict, reason, rounds, lesson } = record
  const failed = contract.filter(({ status }) => status === 'fail')
  const isWrong = failed.length > 0 || verdict === 'fail' || verdict === 'error'
  const [gate] = gates
  const rough = whyRough({ rounds }, marks)
  const isMeasured = !isWrong && typeof gate?.ratio === 'number'
  return html`<section class="result-card look${isWrong ? ' fail' : ''}" aria-labelledby="look">
<h3 id="look">A quick look</h3>
${contractHtml(record)}
${isWrong && failed.length === 0 ? html`<p>${inBrowser(reason, lesson)}</p>` : ''}
${verdict === 'fail' ? problemHtml(record, frame) : ''}
${failuresHtml(failed.slice(0, mostFailures), lesson.id)}
${isMeasured
    ? html`<p><strong>${sayAbout(Number(gate.ratio), rough !== '', marks)}</strong> so far in ${gate.name}: one round${
      rough === '' ? '' : `, and a rough one, as ${rough}`}. Run the full check for a verdict.</p>`
    : ''}
${waterfallHtml(record)}</section>`
}

/** The same in a line. @param {ResultRecord} record */
export function previewLine ({ contract, gates: [gate], verdict, rounds }) {
  const passed = contract.filter(({ status }) => status === 'pass').length
  const isWrong = passed < contract.length || verdict === 'fail' || verdict === 'error'
  return [
    contract.length === 0
      ? ''
      : `${marks[isWrong ? 'fail' : 'pass']} Answers: ${passed} of ${contract.length} checks passed`,
    isWrong || typeof gate?.ratio !== 'number' ? '' : sayAbout(gate.ratio, whyRough({ rounds }, marks) !== '', marks)
  ].filter(Boolean).join(', ')
}
