import { html } from '../../report/index.js'
import { marks, sayAbout, whyRough, withCode } from '../../report/browser.js'
import { waterfallHtml } from '../browser/live/chart-figures.js'
import { contractHtml, failuresHtml } from '../browser/live/failures.js'
import { problemHtml } from './verdict-card.js'

/**
 * @import { ResultRecord } from '../../judge/index.js'
 * @import { CodeFrame } from './verdict-card.js'
 */

const mostFailures = 3

/**
 * What a quick look says: the contract, what the server wrote when it failed, and one round without a verdict.
 *
 * @param {ResultRecord} record
 * @param {CodeFrame | null} [frame] where its server failed
 */
export function lookHtml (record, frame = null) {
  const { contract, gates, verdict, reason, rounds } = record
  const failed = contract.filter(({ status }) => status === 'fail')
  const isWrong = failed.length > 0 || verdict === 'fail' || verdict === 'error'
  const [gate] = gates
  const rough = whyRough({ rounds }, marks)
  const isMeasured = !isWrong && typeof gate?.ratio === 'number'
  return html`<section class="result-card look${isWrong ? ' fail' : ''}" aria-labelledby="look">
<h3 id="look">A quick look</h3>
${contractHtml(contract)}
${isWrong && failed.length === 0 ? html`<p>${withCode(reason)}</p>` : ''}
${verdict === 'fail' ? problemHtml(record, frame) : ''}
${failuresHtml(failed.slice(0, mostFailures))}
${isMeasured
    ? html`<p><strong>${sayAbout(Number(gate.ratio), rough !== '', marks)}</strong> so far in ${gate.name}: one round${
      rough === '' ? '' : `, and a rough one (${rough})`}. Run the full check for a verdict.</p>`
    : ''}
${waterfallHtml(record)}</section>`
}
