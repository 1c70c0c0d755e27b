import { kindOf } from '../../judge/index.js'
import { sizedSeed } from '../../random.js'
import { html } from '../../report/index.js'
import { formatDuration, formatWhen, marks, withCode } from '../../report/browser.js'
import { failuresHtml } from '../browser/live/failures.js'
import { chartsHtml } from '../browser/live/chart-figures.js'
import { gatesHtml } from '../browser/live/gates.js'
import { verdictWords } from '../browser/live/verdict.js'
import { inBrowser } from './in-browser.js'
import { insideHtml } from './inside.js'
import { verdictCard } from './verdict-card.js'

/**
 * @import { GateResult, ResultRecord } from '../../judge/index.js'
 * @import { Html } from '../../report/index.js'
 * @import { CodeFrame } from './verdict-card.js'
 */

/**
 * A result record: the verdict first, what to do now, and then what was measured.
 *
 * @param {ResultRecord} record
 * @param {object} [around]
 * @param {Html | string} [around.onward] ways on from here
 * @param {CodeFrame | null} [around.frame] where its server failed
 * @param {boolean} [around.isStale] the code has changed since: it's folded up
 */
export function resultHtml (record, { onward = '', frame = null, isStale = false } = {}) {
  const { verdict, reason, next, startedAt, durationMs, contract, gates, lesson, seed, machine } = record
  const failed = contract.filter(({ status }) => status === 'fail')
  const whole = html`${verdictCard(record, { onward, frame })}
${failuresHtml(failed)}
${next === '' ? '' : html`<p class="advice"><strong>Next:</strong> ${inBrowser(next, lesson.id)}</p>`}
${gatesHtml(gates, { servers: gates[0] && kindOf(gates[0].kind).servers })}
${lookHtml(gates)}
<div class="charts">${chartsHtml(record)}</div>
${insideHtml(record)}
${listHtml('Warnings', [...new Set([...record.warnings, ...machine.warnings, ...record.load.problems])])}
<details><summary>Details (${formatDuration(durationMs, marks.none)})</summary><p>${inBrowser(reason, lesson.id)}</p>
<p class="soft">Seed <code>${sizedSeed(seed, machine.work)}</code></p></details>
${outputHtml(record)}`
  if (!isStale) return whole
  return html`<details class="stale"><summary>Last check, of an earlier version (${formatWhen(startedAt)}): ${
    marks[verdict]} ${verdictWords[verdict]}</summary>${whole}</details>`
}

/** @param {readonly GateResult[]} gates */
function lookHtml (gates) {
  return listHtml('Look', gates.filter(({ verdict, look }) => verdict === 'fail' && look !== '')
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
