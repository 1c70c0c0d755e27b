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
  return html`<h4>Mechanism</h4><dl><dt>Expected</dt><dd>${expected}</dd>
<dt>So</dt><dd>${said}</dd><dt>Answers</dt><dd>${formatCount(load.requests)} under load</dd></dl>
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
    return [shown, show(baseline), show(yours), { text: does === null ? '' : `${does}: ${answerOf(agrees)}` }]
  })
  return html`<p>Inside, looked at after the rounds: both servers were loaded once more, each with a recorder in it.
Nothing of this decides.</p>
${tableHtml('Inside of both servers', ['figure', 'baseline', 'yours', 'expected'], rows)}
<p class="soft">CPU time for one answer is from the rounds themselves, where the system tells it.</p>`
}

/** @param {boolean | null} agrees */
function answerOf (agrees) {
  if (agrees === null) return `${marks.none} unclear`
  return agrees ? `${marks.pass} yes` : `${marks.fail} no`
}
