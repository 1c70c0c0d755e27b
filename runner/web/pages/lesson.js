import { html } from '../../report/index.js'
import { formatNumber, formatRatio, formatTarget, formatWhen, marks, withCode } from '../../report/browser.js'
import { renderMarkdown } from './markdown.js'
import { profileButtons } from './profile-page.js'
import { resultHtml } from './result.js'
import { predictionFields, seenHtml } from './prediction.js'
import { workshopFrame } from './room-bar.js'
import { stepsHtml } from './steps.js'

/**
 * @import { LessonData, LessonPage, Place } from '../lessons.js'
 * @import { Around } from './room-bar.js'
 */

/**
 * One lesson: its text, and beside it everything that is done with it.
 *
 * @param {LessonPage & Around} lesson
 * @returns {string} HTML
 */
export function lessonPage (lesson) {
  const { token, classroom, fitness, slug, number, title, text, sizes, hintTexts, outdated } = lesson
  const { html: article, sections } = renderMarkdown(text, { slug, sizes })
  return workshopFrame({
    classroom,
    fitness,
    here: `${number} ${marks.dot} ${title}`,
    lesson: slug,
    title: `${number} ${marks.dot} ${title} ${marks.dot} Make It Fast`,
    token,
    name: 'lesson-page',
    nav: html` <a class="to-bench" href="#bench">To the workbench</a>`,
    styles: ['text', 'seen', 'charts', 'lesson'].map((style) => `/static/web/browser/${style}.css`),
    scripts: ['lesson', 'steps', 'glossary'].map((script) => `/static/web/browser/${script}.js`),
    data: { slug, isPredicted: lesson.prediction !== null },
    main: html`<div class="text"><h1>${title}</h1>
${stepsHtml(sections, lesson.done)}
<article>${article}</article>
${neighboursHtml(lesson)}</div>
<section id="bench" class="bench" aria-label="Workbench" tabindex="-1">
${outdated === '' ? '' : html`<p class="note">${withCode(outdated)}</p>`}
${fileHtml(lesson)}
${predictionHtml(lesson)}
${measureHtml(lesson)}
${hintsHtml(lesson, hintTexts)}
${historyHtml(lesson)}
</section>`
  })
}

/** @param {LessonData} lesson */
function fileHtml ({ kind, file, targets, slug, passed }) {
  const asked = targets.filter(({ target }) => target !== null).map(({ name, unit, ...gate }) =>
    html`<li>${name} <strong>${formatTarget({ ...gate, ratioUnit: unit }, marks)}</strong></li>`)
  const other = kind === 'load plan' ? 'the first one' : 'the slow one'
  const what = kind === 'load plan' ? 'load plan' : 'server'
  return html`<section class="panel" aria-labelledby="file"><h2 id="file">Your ${what}</h2>
<p><code class="path">${file.shown}</code></p>
<p class="buttons"><button type="button" data-open>Open in my editor</button>
<span data-part="editor">${file.editorUrl === null
    ? ''
    : html`<a href="${file.editorUrl}">Open in VS Code</a>`}</span></p>
${asked.length === 0 ? '' : html`<p>Targets, compared with the slow one:</p><ul class="targets">${asked}</ul>`}
<p data-part="compare">Compare yours with <a href="/lessons/${slug}/compare?with=slow">${other}</a>${
    passed ? html` or <a href="/lessons/${slug}/compare?with=solution">the solution</a>` : ''}.</p></section>`
}

/** @param {LessonPage} lesson */
function predictionHtml (lesson) {
  const { prediction } = lesson
  // Once it is kept, there is more room for what is measured.
  return html`<section class="panel" aria-labelledby="predict"><h2 id="predict">Your prediction</h2>
<details${prediction === null ? ' open' : ''}><summary data-part="predict">${
    prediction === null ? 'Write it down before you look.' : 'Change it'}</summary>
<form data-prediction>${predictionFields(lesson)}
<p class="buttons"><button>Keep it</button> <span role="status" class="soft"></span></p></form></details>
<div data-part="seen">${seenHtml(lesson)}</div></section>`
}

/** @param {LessonPage} lesson */
function onwardHtml ({ passed, canGoOn, slug, onward: next }) {
  const goOn = canGoOn ? html`<p><button type="button" data-more>Go on with these rounds</button></p>` : ''
  if (!passed) return goOn
  const onward = next === null ? html`<a href="/">All lessons</a>` : linkTo(next, 'Next lesson')
  return html`${goOn}<p><a href="/lessons/${slug}/compare?with=solution">Yours next to the solution</a></p>
<p>${onward}</p>`
}

/** @param {LessonPage} lesson */
function measureHtml (lesson) {
  const { kind, slug, last } = lesson
  const profile = kind === 'load plan'
    ? ''
    : profileButtons
  return html`<section class="panel" aria-labelledby="measure"><h2 id="measure">Measure</h2>
<p class="buttons"><button type="button" class="main" data-job="check">Check</button>
<button type="button" data-job="bench">Bench</button>
${profile} <button type="button" data-cancel aria-disabled="true">Cancel</button></p>
<p><label><input type="checkbox" id="preview-saves" checked> Take a quick look at every save</label></p>
<noscript><p>The buttons need JavaScript. In a terminal: <code>npm run check ${slug}</code></p></noscript>
<p id="status" role="status" aria-live="polite"></p>
<div id="live"></div>
<div id="charts" class="charts"></div>
<div id="result" data-part="result">${last === null
    ? html`<p class="soft">No verdict yet: “Check” reaches one.</p>`
    : resultHtml(last, onwardHtml(lesson))}</div>
${kind === 'load plan' ? '' : html`<p><a href="/lessons/${slug}/profile">Your profiles, next to your code</a></p>`}
</section>`
}

/** @param {LessonData} lesson @param {readonly string[]} shown */
function hintsHtml ({ hints, slug }, shown) {
  const rest = hints.total - shown.length
  return html`<section class="panel" aria-labelledby="hints"><h2 id="hints">Hints</h2>
<ol id="shown-hints">${shown.map((hint, at) =>
    html`<li>${renderMarkdown(hint, { slug, prefix: `hint-${at + 1}-` }).html}</li>`)}</ol>
<p class="buttons"><button type="button" data-hint${rest > 0 ? '' : ' disabled'}>${rest > 0
    ? `Show hint ${shown.length + 1} of ${hints.total}`
    : `All ${hints.total} hints are shown`}</button></p></section>`
}

/** @param {LessonData} lesson */
function historyHtml ({ history, best }) {
  const rows = history.toReversed().map(({ at, verdict, ratio, interval }) => html`<tr>
<th scope="row">${formatWhen(at)}</th>
<td class="${verdict}"><span aria-hidden="true">${marks[verdict]}</span> ${verdict}</td>
<td class="number">${ratio === null ? marks.none : formatRatio({ ratio, ratioUnit: '×', target: null }, marks)}</td>
<td class="number">${interval === null
    ? marks.none
    : interval.map((bound) => formatNumber(bound, marks.none, 2)).join(' to ')}</td></tr>`)
  return html`<section class="panel" aria-labelledby="history" data-part="history"><h2 id="history">History</h2>
${rows.length === 0
    ? html`<p class="soft">None yet.</p>`
    : html`<div class="scroll" role="group" aria-label="Your checks" tabindex="0"><table>
<thead><tr><th scope="col">when</th><th scope="col">verdict</th><th scope="col">ratio</th><th scope="col">95 %</th></tr>
</thead><tbody>${rows}</tbody></table></div>`}
${best === null ? '' : html`<p>Best pass: ${formatWhen(best.startedAt)}.</p>`}</section>`
}

/** @param {LessonPage} lesson */
function neighboursHtml ({ previous, next }) {
  return html`<nav class="neighbours" aria-label="Other lessons">${linkTo(previous, 'Before')}
${linkTo(next, 'After')}</nav>`
}

/** @param {Place | null} place @param {string} word */
function linkTo (place, word) {
  return place === null ? '' : html`<a href="/lessons/${place.slug}">${word}: ${place.title}</a>`
}
