import { html, marks } from '../../../report/browser.js'
import { failuresHtml } from './failures.js'
import { gatesHtml } from './gates.js'
import { verdictHtml } from './verdict.js'

/**
 * @import { PhaseEvent } from '../../../judge/index.js'
 * @import { Progress } from '../../../report/browser.js'
 */

/**
 * Warming up belongs to the rounds: there may be some of both.
 *
 * @type {Partial<Record<PhaseEvent['phase'], string>>}
 */
const ofCheck = {
  start: 'start', contract: 'contract', rounds: 'rounds', after: 'after', inside: 'look inside'
}
/** A quick look measures first. @type {typeof ofCheck} */
const ofLook = { start: 'start', rounds: 'one round', contract: 'contract' }
/** @type {typeof ofCheck} */
const ofComparison = { rounds: 'rounds', after: 'answers once more' }

/**
 * What a check knows while it runs, without its rounds. Pure.
 *
 * @param {Progress} progress
 * @param {{ isLook?: boolean, servers?: [string, string] }} [options] servers: the two of a comparison
 */
export function liveHtml ({ phase, text, checks, failed, gates, settled }, { isLook = false, servers } = {}) {
  const phases = Object.entries(isLook ? ofLook : servers ? ofComparison : ofCheck)
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
${gatesHtml(gates, { servers, isRunning: settled === null })}`
}
