import { percent } from '../../format.js'
import { escapeHtml, withCode } from '../../report/index.js'

/**
 * @import { Prediction } from '../../workspace/index.js'
 * @import { Seen } from '../prediction-feedback.js'
 */

/**
 * A prediction, and beside it what the learner's own profiles have shown.
 *
 * @param {{ prediction: Prediction | null, seen: Seen | null }} given
 * @returns {string} HTML; empty before there is a prediction
 */
export function seenHtml ({ prediction, seen }) {
  if (prediction === null || seen === null) return ''
  const { time, growth } = seen
  return `<div class="seen">
${rowHtml('What takes the time?', prediction.time, time && timeHtml(time))}
${rowHtml('What grows?', prediction.growth, growth && sentencesHtml(growth))}
${time === null ? '' : note}</div>`
}

const note = `<p class="soft">Only names are compared; what you meant is yours to judge. A share is that of the function
itself, with what it called outside your files.</p>`

/** @param {string} question @param {string} predicted @param {string | null} found HTML */
function rowHtml (question, predicted, found) {
  if (predicted === '' && found === null) return ''
  const words = predicted === '' ? '<span class="soft">nothing</span>' : `“${escapeHtml(predicted)}”`
  return `<div><h3>${question}</h3><dl><dt>predicted</dt><dd>${words}</dd>
<dt>seen</dt><dd>${found ?? '<span class="soft">No profile has looked at it yet.</span>'}</dd></dl></div>`
}

/** @param {NonNullable<Seen['time']>} time */
function timeHtml ({ sentences, top }) {
  const items = top.map(({ name, place, charged }) => {
    const where = name.includes(place) ? '' : ` <span class="soft">${escapeHtml(place)}</span>`
    return `<li>${escapeHtml(name)}${where}: ${percent(charged)}</li>`
  })
  return sentencesHtml(sentences) + (items.length < 2 ? '' : `<p>Of yours:</p><ol>${items.join('')}</ol>`)
}

/** @param {string[]} sentences */
function sentencesHtml (sentences) {
  return sentences.map((sentence) => `<p>${withCode(sentence)}</p>`).join('')
}
