import MarkdownIt from 'markdown-it'
import { html, trusted } from '../../report/index.js'

/** The longest message, in characters. */
const longest = 500

/**
 * What an instructor can say to learners who share a reason: a part of their page.
 *
 * @param {{ number: number, talk: import('../talk.js').Talk }} given number: of the lesson
 */
export function talkHtml ({ number, talk: { wants, mistakes, debrief, hints } }) {
  const md = new MarkdownIt()
  const said = (/** @type {string} */ markdown) => trusted(md.render(markdown))
  return html`${wants === null ? '' : html`<h3>What the check says</h3><blockquote>${said(wants)}</blockquote>`}
${mistakes === '' ? '' : html`<h3>What to ask them</h3>${said(mistakes)}`}
${hints.length === 0
? ''
: html`<h3>Hints</h3>${hints.map((hint, at) => html`<section class="hint">
<p class="buttons"><strong>${at + 1}</strong>
<button type="button" class="small" data-hint="${at + 1}" data-text="${messageOf(hint, number, at + 1)}"></button></p>
${said(hint)}</section>`)}`}
${debrief === '' ? '' : html`<h3>In the debrief</h3>${said(debrief)}`}`
}

/**
 * The hint as a message, or where it is, if it's too long for one. Pure.
 *
 * @param {string} hint
 * @param {number} lesson
 * @param {number} at
 */
export function messageOf (hint, lesson, at) {
  const text = `Hint ${at}, lesson ${lesson}: ${hint.replace(/\s+/g, ' ').trim()}`
  if (text.length <= longest && !hint.includes('```')) return text
  return `Take hint ${at} of lesson ${lesson}: it’s on the lesson’s page, or \`npm run hint lesson-${lesson}\`.`
}
