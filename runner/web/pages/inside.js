import { figures } from '../../judge/index.js'
import { html } from '../../report/index.js'
import { formatCount, marks } from '../../report/browser.js'
import { tableHtml } from '../browser/live/table.js'

/** @import { MechanismFigure, ResultRecord } from '../../judge/index.js' */

/**
 * Did the lesson's figure move, and what else was seen inside both servers? Empty if nothing was seen.
 *
 * @param {Pick<ResultRecord, 'mechanism' | 'load'>} record
 */
export function insideHtml ({ mechanism, load }) {
  if (mechanism === null) return ''
  const { confirmed, expected, note } = mechanism
  const said = confirmed === null ? note : confirmed ? `${marks.pass} confirmed` : `${marks.fail} not confirmed`
  return html`<h4>What changed inside</h4><dl><dt>Expected</dt><dd>${expected}</dd>
<dt>Observed</dt><dd>${said}</dd><dt>Answers</dt><dd>${formatCount(load.requests)} under load</dd></dl>
${tableOf(mechanism.figures)}`
}

/** @param {MechanismFigure[]} seen */
function tableOf (seen) {
  if (seen.length === 0) return ''
  const all = Object.values(figures)
  const rows = seen.map(({ name, baseline, yours, does, agrees }) => {
    // A name we don't know is one of the learner's functions.
    const { label, show } = all.find((figure) => figure.label === name) ?? figures.function
    const shown = label === name ? name : `${name}: ${label}`
    return [shown, show(baseline), show(yours), { text: does === null ? '' : `${should[does]} ${markOf(agrees)}` }]
  })
  return html`<p>Measured after the rounds: both servers were loaded once more, each with a recorder in it. None of this
affects the verdict.</p>
${tableHtml('Inside of both servers', ['figure', 'baseline', 'yours', 'expected'], rows)}
<p class="soft">CPU time for one answer comes from the rounds, on systems that report it.</p>`
}

const should = { falls: 'should fall', stays: 'should stay equal', rises: 'should rise' }

/** @param {boolean | null} agrees */
function markOf (agrees) {
  if (agrees === null) return `(${marks.none} unclear)`
  return agrees ? marks.pass : `${marks.fail} didn’t`
}
