import { percent } from '../../format.js'
import { html, paragraphs } from '../../report/index.js'

/**
 * @import { Html } from '../../report/index.js'
 * @import { Prediction } from '../../workspace/index.js'
 * @import { Seen } from '../prediction-feedback.js'
 */

/**
 * A prediction, and beside it what the learner's own profiles have shown; empty before there is one.
 *
 * @param {{ prediction: Prediction | null, seen: Seen | null }} given
 */
export function seenHtml ({ prediction, seen }) {
  if (prediction === null || seen === null) return ''
  const { time, growth } = seen
  return html`<div class="seen">
${rowHtml('What takes the time?', prediction.time, time && timeHtml(time))}
${rowHtml('What grows?', prediction.growth, growth && paragraphs(growth))}
${time === null ? '' : note}</div>`
}

const note = html`<p class="soft">Only names are compared; what you meant is yours to judge. A share is that of the
function itself, with what it called outside your files.</p>`

/** @param {string} question @param {string} predicted @param {Html | null} found */
function rowHtml (question, predicted, found) {
  if (predicted === '' && found === null) return ''
  const words = predicted === '' ? html`<span class="soft">nothing</span>` : `“${predicted}”`
  return html`<div><h3>${question}</h3><dl><dt>predicted</dt><dd>${words}</dd>
<dt>seen</dt><dd>${found ?? html`<span class="soft">No profile has looked at it yet.</span>`}</dd></dl></div>`
}

/** @param {NonNullable<Seen['time']>} time */
function timeHtml ({ sentences, top }) {
  const items = top.map(({ name, place, charged }) => {
    const where = name.includes(place) ? '' : html` <span class="soft">${place}</span>`
    return html`<li>${name}${where}: ${percent(charged)}</li>`
  })
  return html`${paragraphs(sentences)}${items.length < 2 ? '' : html`<p>Of yours:</p><ol>${items}</ol>`}`
}
