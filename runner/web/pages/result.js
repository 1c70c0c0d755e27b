import { kindOf } from '../../judge/index.js'
import { html } from '../../report/index.js'
import { formatDuration, formatWhen, marks, withCode } from '../../report/browser.js'
import { contractHtml, failuresHtml } from '../browser/live/failures.js'
import { chartsHtml } from '../browser/live/chart-figures.js'
import { gatesHtml } from '../browser/live/gates.js'
import { verdictHtml } from '../browser/live/verdict.js'
import { insideHtml } from './inside.js'

/**
 * @import { GateResult, ResultRecord } from '../../judge/index.js'
 * @import { Html } from '../../report/index.js'
 */

/**
 * A result record: the verdict first, why, what to do now, and then what was measured.
 *
 * @param {ResultRecord} record
 * @param {Html | string} [onward] ways on from here
 */
export function resultHtml (record, onward = html``) {
  const { verdict, reason, next, startedAt, durationMs, contract, gates } = record
  const failed = contract.filter(({ status }) => status === 'fail')
  return html`${verdictHtml(verdict)}
<p class="soft">Last check: ${formatWhen(startedAt)}, ${formatDuration(durationMs, marks.none)}</p>
<p>${withCode(reason)}</p>
${contractHtml(contract)}
${failuresHtml(failed)}
${gatesHtml(gates, { servers: gates[0] && kindOf(gates[0].kind).servers })}
${lookHtml(gates)}
${next === '' ? '' : html`<p class="advice"><strong>Next:</strong> ${withCode(next)}</p>`}
${onward}
<div class="charts">${chartsHtml(record)}</div>
${insideHtml(record)}
${listHtml('Warnings', [...new Set([...record.warnings, ...record.machine.warnings, ...record.load.problems])])}
${outputHtml(record)}`
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
