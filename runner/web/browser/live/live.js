import { errorOf, html, marks, sayAbout, whyRough } from '../../../report/browser.js'
import { contractHtml, failuresHtml } from './failures.js'
import { gatesHtml } from './gates.js'
import { verdictHtml } from './verdict.js'

/**
 * @import { PhaseEvent, ResultRecord } from '../../../judge/index.js'
 * @import { Progress } from '../../../report/browser.js'
 */

/** @type {PhaseEvent['phase'][]} */
const phases = ['start', 'contract', 'warm-up', 'rounds', 'after', 'inside']

/**
 * What a check knows while it runs, without its rounds. Pure.
 *
 * @param {Progress} progress
 */
export function liveHtml ({ phase, text, checks, failed, gates, settled }) {
  const current = phases.findIndex((name) => name === phase)
  const steps = phases.map((name, at) => {
    const mark = at < current ? marks.pass : at === current ? marks.current : marks.pending
    const word = name === 'inside' ? 'look inside' : name
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
: html`${verdictHtml(settled.verdict)}
<p>The verdict is final. What’s measured now explains it, and decides nothing.</p>`}
${gatesHtml(gates, { isRunning: settled === null })}`
}

/**
 * What a look says: the contract, what the server wrote when it failed, and one round without a verdict.
 *
 * @param {ResultRecord} record
 */
export function lookHtml (record) {
  const { contract, gates, verdict, reason, rounds } = record
  const failed = contract.filter(({ status }) => status === 'fail')
  const [gate] = gates
  const rough = whyRough({ rounds }, marks)
  const ratio = typeof gate?.ratio === 'number' ? sayAbout(gate.ratio, rough !== '', marks) : ''
  const error = verdict === 'fail' ? errorOf(record) : null
  const isWrong = failed.length > 0 || verdict === 'fail' || verdict === 'error'
  const counts = isWrong
    ? 'doesn’t count while an answer is wrong.'
    : `in ${gate?.name ?? ''}: one round, no verdict${
      rough === '' ? '' : `, and a rough one (${rough})`}. “Check” decides.`
  return html`<h3>A quick look</h3>
${contractHtml(contract)}
${error === null ? '' : html`<pre>${[error.error, ...error.code].join('\n')}</pre>`}
${failuresHtml(failed.slice(0, 3))}
${ratio === '' ? '' : html`<p><strong>${ratio}</strong> ${counts}</p>`}
${isWrong && failed.length === 0 ? html`<p>${reason}</p>` : ''}`
}
