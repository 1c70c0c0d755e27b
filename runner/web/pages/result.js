import { kindOf } from '../../judge/index.js'
import { escapeHtml } from '../../report/index.js'
import { formatCount, formatDuration, formatWhen, marks, withCode } from '../../report/browser.js'
import { contractHtml, failuresHtml } from '../browser/live/failures.js'
import { gatesHtml } from '../browser/live/gates.js'
import { roundsHtml } from '../browser/live/rounds.js'

/** @import { GateResult, ResultRecord } from '../../judge/index.js' */

/**
 * A result record: the verdict first, then what it rests on, then what to do.
 *
 * @param {ResultRecord} record
 * @returns {string} HTML
 */
export function resultHtml (record) {
  const { verdict, reason, next, startedAt, durationMs, contract, gates, rounds } = record
  const failed = contract.filter(({ status }) => status === 'fail')
  return `<h3 class="verdict ${verdict}"><span aria-hidden="true">${marks[verdict]}</span> ${words[verdict]}</h3>
<p class="soft">Last check: ${escapeHtml(formatWhen(startedAt))}, ${formatDuration(durationMs, marks.none)}</p>
<p>${withCode(reason)}</p>
${contractHtml(contract)}
${failuresHtml(failed)}
${gatesHtml(gates, { servers: gates[0] && kindOf(gates[0].kind).servers })}
${lookHtml(gates)}
${roundsHtml(rounds)}
${mechanismHtml(record)}
${listHtml('Warnings', [...new Set([...record.warnings, ...record.machine.warnings, ...record.load.problems])])}
${outputHtml(record)}
${next === '' ? '' : `<p class="advice"><strong>Next:</strong> ${withCode(next)}</p>`}`
}

const words = { pass: 'Pass', fail: 'Not yet', inconclusive: 'Inconclusive', error: 'Error' }

/** @param {readonly GateResult[]} gates */
function lookHtml (gates) {
  return listHtml('Look', gates.filter(({ verdict, look }) => verdict === 'fail' && look !== '')
    .map(({ name, look }) => `${name}: ${look}`))
}

/** @param {string} title @param {string[]} sentences */
function listHtml (title, sentences) {
  if (sentences.length === 0) return ''
  return `<h4>${title}</h4><ul>${sentences.map((sentence) => `<li>${withCode(sentence)}</li>`).join('')}</ul>`
}

/** @param {ResultRecord} record */
function mechanismHtml ({ mechanism, load }) {
  if (mechanism === null) return ''
  const { confirmed, expected, seen, note } = mechanism
  const said = confirmed === null ? note : confirmed ? `${marks.pass} confirmed` : `${marks.fail} not confirmed`
  return `<h4>Mechanism</h4><dl><dt>Expected</dt><dd>${escapeHtml(expected)}</dd>
${seen === '' ? '' : `<dt>Seen</dt><dd>${escapeHtml(seen)}</dd>`}
<dt>So</dt><dd>${escapeHtml(said)}</dd><dt>Answers</dt><dd>${formatCount(load.requests)} under load</dd></dl>`
}

/** @param {ResultRecord} record */
function outputHtml ({ output }) {
  return output.filter(({ text }) => text.trim() !== '').map(({ server, text }) =>
    `<details><summary>Output of ${escapeHtml(server)}</summary><pre>${escapeHtml(text)}</pre></details>`).join('')
}
