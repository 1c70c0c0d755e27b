import { percent } from '../../format.js'
import { html, paragraphs } from '../../report/index.js'
import { inlineHtml } from './markdown.js'

/**
 * @import { QuestionGroup } from '../../lesson/index.js'
 * @import { Prediction } from '../../workspace/index.js'
 * @import { Seen } from '../prediction-feedback.js'
 */

/**
 * The lesson's questions, each with room for an answer.
 *
 * @param {{ questions: QuestionGroup[], prediction: Prediction | null }} given
 */
export function predictionFields ({ questions: groups, prediction }) {
  let count = 0
  const answers = new Map(prediction?.map(({ question, answer }) => [question, answer]))
  const field = (/** @type {string} */ question) => {
    const id = `answer-${++count}`
    return html`<p><label for="${id}">${inlineHtml(question)}</label>
<textarea id="${id}" name="answer" rows="1" maxlength="2000">${answers.get(question) ?? ''}</textarea></p>`
  }
  return groups.map(({ intro, questions }) => intro === ''
    ? html`${questions.map(field)}`
    : html`<fieldset><legend>${inlineHtml(intro)}</legend>${questions.map(field)}</fieldset>`)
}

/**
 * A prediction, next to what the learner's profiles have shown; empty before there is one.
 *
 * @param {{ slug: string, prediction: Prediction | null, seen: Seen | null }} given
 */
export function seenHtml ({ slug, prediction, seen }) {
  if (prediction === null) return ''
  const answered = prediction.map(({ question, answer }) => html`<dt>${inlineHtml(question)}</dt>
<dd>${answer === '' ? html`<span class="soft">no prediction</span>` : `“${answer}”`}</dd>`)
  const { time, growth, server } = seen ?? { time: null, growth: null, server: 'yours' }
  return html`<div class="seen"><div><h3>You predicted</h3><dl class="answers">${answered}</dl></div>
<div><h3>The profile${server === 'yours' ? '' : ` of ${server}`} says</h3>${time === null && growth === null
    ? html`<p class="soft">Nothing yet: profile the server.</p>`
    : html`${time === null ? '' : timeHtml(time)}${growth === null ? '' : growthHtml(growth)}`}
<p>What the project measured is under <a href="/lessons/${slug}#2-predict">Answers</a> in the lesson.</p></div></div>`
}

/** @param {string[]} sentences */
function growthHtml (sentences) {
  return html`<h4>Over time</h4>${paragraphs(sentences)}`
}

/** @param {NonNullable<Seen['time']>} time */
function timeHtml ({ sentences, top }) {
  const items = top.map(({ name, place, charged }) => {
    const where = name.includes(place) ? '' : html` <span class="soft">${place}</span>`
    return html`<li>${name}${where}: ${percent(charged)}</li>`
  })
  return html`${paragraphs(sentences)}${items.length < 2 ? '' : html`<p>Its hottest functions:</p><ol>${items}</ol>`}
<p class="soft">Only names are compared; what you meant is for you to judge. A share is that of the function itself,
with what it called outside the server’s files.</p>`
}
