import { aimIn } from '../../lesson/index.js'
import { formatNumber, formatRatio, formatTarget, formatWhen, marks, withCode } from '../../report/browser.js'
import { html, sectionsHtml, tableHtml } from '../../report/index.js'
import { queryOf } from '../browser/lines.js'
import { verdictHtml } from '../browser/live.js'
import { longerSeconds } from '../job-handlers.js'
import { inlineHtml, renderMarkdown } from './markdown.js'
import { predictionFields, profileButtons, seenHtml } from './profile-page.js'
import { lookHtml, resultHtml } from './result.js'
import { submitHtml } from './room-bar.js'
import { highlightLines } from './verdict-card.js'

/**
 * @import { Html } from '../../report/index.js'
 * @import { Ended } from '../jobs.js'
 * @import { LessonPage } from '../page-data.js'
 * @import { Around } from './room-bar.js'
 *
 * @typedef {{ name: string, title: string, show: (lesson: LessonPage & Around) => Html | '' }} Panel show: empty where
 *   a lesson has no such thing
 */

/** @type {Panel[]} */
const panels = [
  { name: 'result', title: 'Result', show: measuredHtml },
  { name: 'bench', title: 'Bench', show: ({ jobs }) => html`<div data-part="bench">${benchHtml(jobs.bench)}</div>` },
  { name: 'profile', title: 'Profile', show: profilesHtml },
  { name: 'prediction', title: 'Prediction', show: predictionHtml },
  { name: 'hints', title: 'Hints', show: hintsHtml },
  { name: 'code', title: 'Code', show: codeHtml },
  { name: 'history', title: 'History', show: historyHtml },
  { name: 'submit', title: 'Submit', show: submitHtml }
]

const notYetThere = 'Your copy is made by the first job, or when you open it.'

/** What is always in sight, and one panel at a time. @param {LessonPage & Around} lesson */
export function workbenchHtml (lesson) {
  const current = lesson.last !== null || lesson.jobs.preview || lesson.prediction !== null ? 'result' : 'prediction'
  const shown = panels.map((panel) => ({ ...panel, content: panel.show(lesson) }))
    .filter(({ content }) => content !== '')
  return html`<section id="bench" class="bench" aria-label="Workbench" tabindex="-1">
${barHtml(lesson)}
<div class="panel-tabs" role="tablist" aria-label="Workbench">${shown.map(({ name, title }) => {
  const isCurrent = name === current
  return html`<button type="button" role="tab" id="tab-${name}" aria-controls="panel-${name}" aria-selected="${
    String(isCurrent)}" tabindex="${isCurrent ? 0 : -1}">${title}</button>`
})}</div>
<div class="panels">${shown.map(({ name, title, content }) => html`<section role="tabpanel" id="panel-${name}"
aria-labelledby="tab-${name}" tabindex="0" class="bench-panel${name === current ? ' current' : ''}"><h2>${title}</h2>
${content}</section>`)}</div></section>`
}

/** @param {LessonPage} lesson */
function barHtml ({ kind, slug, file, files, outdated, targets, last, isStale }) {
  const others = kind === 'load plan'
    ? ''
    : html`${profileButtons}
<label>of <select id="which"><option value="mine">my server</option><option value="slow">slow server</option>
</select></label>`
  const chips = targets.filter(({ target }) => target !== null).map(({ name, unit, ...gate }) => {
    const verdict = isStale ? undefined : last?.gates.find((one) => one.name === name)?.verdict
    const mark = verdict === undefined ? '' : html`<span aria-hidden="true">${marks[verdict]}</span> `
    return html`<li class="chip ${verdict ?? ''}">${mark}${name} ${
      formatTarget({ ...gate, ratioUnit: unit }, marks)}</li>`
  })
  return html`<div class="bar"><p class="actions">
<button type="button" class="main" data-job="check">Check</button>
<button type="button" id="sheet" aria-expanded="false" aria-controls="bench">Workbench</button>
<span class="more"><button type="button" data-job="bench">Bench</button>${others}</span></p>
<p class="job-line"><span id="status" role="status" aria-live="polite"></span> <span id="elapsed" class="soft"></span>
<button type="button" class="small" data-cancel hidden>Cancel</button></p>
<p id="served" class="job-line" role="status"></p>
<noscript><p>The buttons need JavaScript. In a terminal: <code>npm run check ${slug}</code></p></noscript>
<div class="more">${outdated === '' ? '' : html`<p class="note">${withCode(outdated)}</p>`}
<p class="file"><code class="path">${file.shown}</code>
<button type="button" class="small" data-open>Open in my editor</button>
<span data-part="editor">${file.editorUrl === null
    ? html`<span class="soft">${notYetThere}</span>`
    : html`<button type="button" class="small" data-copy="${file.path}">Copy path</button>
<a href="${file.editorUrl}">VS Code</a> ${othersHtml(files.length - 1)}`}</span>
<span id="file-said" role="alert"></span></p>
<ul class="chips" aria-label="Targets, compared with the slow server" data-part="targets">${chips}</ul></div></div>`
}

/** @param {number} count of the files next to the main one */
function othersHtml (count) {
  return count < 1 ? '' : html`<a href="#panel-code">and ${count} more ${count === 1 ? 'file' : 'files'}</a>`
}

/** @param {LessonPage} lesson */
function measuredHtml (lesson) {
  const { last, jobs, frames, isStale } = lesson
  const look = jobs.preview === undefined ? '' : lookHtml(jobs.preview, frames.preview)
  const result = last === null
    ? html`<p class="soft">No verdict yet. Run a check.</p>`
    : resultHtml(last, { onward: onwardHtml(lesson), frame: frames.last, isStale })
  return html`<p><label><input type="checkbox" id="preview-saves" checked> Take a quick look at every save</label></p>
<div id="live"></div>
<div id="charts" class="charts"></div>
<div id="result" data-part="result">${look}${result}</div>`
}

/** @param {LessonPage} lesson */
function onwardHtml ({ last, passed, canGoOn, slug, onward, history, text }) {
  if (last !== null && canGoOn) {
    return html`<p class="buttons"><button type="button" class="main" data-more>Measure ${
      longerSeconds(last)} s longer</button></p>`
  }
  const solution = html`<a href="/lessons/${slug}/compare?with=solution">Compare with the solution</a>`
  if (last?.verdict !== 'pass') return passed ? html`<p>${solution}</p>` : ''
  const [href, name] = onward === null
    ? ['/', 'All lessons']
    : [`/lessons/${onward.slug}`, `Next lesson: ${onward.title}`]
  const aim = history.filter(({ verdict }) => verdict === 'pass').length === 1 ? aimIn(text) : null
  return html`${aim === null ? '' : html`<p>You can now ${inlineHtml(aim)}</p>`}
<p class="buttons"><a class="button" href="${href}">${name}</a> ${solution}</p>`
}

/** @param {LessonPage} lesson */
function profilesHtml ({ kind, slug, jobs, prediction }) {
  if (kind === 'load plan') return ''
  return html`<div data-part="profile">${profileHtml(jobs.profile, { isPredicted: prediction !== null })}</div>
<p><a href="/lessons/${slug}/profile">Your profiles, next to your code</a></p>`
}

/** @param {LessonPage} lesson */
function predictionHtml (lesson) {
  const { prediction } = lesson
  // Once it is kept, there is more room for what is measured.
  return html`<details id="predict"${prediction === null ? ' open' : ''}><summary data-part="predict">${
    prediction === null ? 'Write it down before you look.' : 'Edit it'}</summary>
<form data-prediction>${predictionFields(lesson)}
<p class="buttons"><button>Save prediction</button> <span role="status" class="soft"></span></p></form></details>
<div data-part="seen">${seenHtml(lesson)}</div>`
}

/** @param {LessonPage} lesson */
function hintsHtml ({ hints, slug, hintTexts }) {
  const rest = hints.total - hintTexts.length
  return html`<ol id="shown-hints">${hintTexts.map((hint, at) =>
    html`<li>${renderMarkdown(hint, { slug, prefix: `hint-${at + 1}-` }).html}</li>`)}</ol>
<p class="buttons"><button type="button" data-hint${rest > 0 ? '' : ' disabled'}>${rest > 0
    ? `Show hint ${hintTexts.length + 1} of ${hints.total}`
    : `All ${hints.total} hints are shown`}</button></p>`
}

/** @param {LessonPage} lesson */
function codeHtml ({ slug, kind, passed, files }) {
  const other = kind === 'load plan' ? 'the first one' : 'the slow one'
  return html`<div data-part="code"><p>Compare yours with <a href="/lessons/${slug}/compare?with=slow">${other}</a>${
    passed ? html` or <a href="/lessons/${slug}/compare?with=solution">the solution</a>` : ''}.</p>
${files.length === 0 ? html`<p class="soft">${notYetThere}</p>` : ''}
${files.map(({ name, text }, at) => html`<details${at === 0 ? ' open' : ''}><summary><code>${name}</code></summary>
<p><button type="button" class="small" data-open="${name}">Open in my editor</button></p>
<pre tabindex="0" aria-label="${name}"><code>${
  highlightLines(text, name).map((line, at) => html`${at === 0 ? '' : '\n'}${line}`)}</code></pre></details>`)}</div>`
}

/** @param {LessonPage} lesson */
function historyHtml ({ history, best }) {
  const rows = history.toReversed().map(({ at, verdict, ratio, interval, gate = '' }) => [
    formatWhen(at),
    html`<span class="${verdict}">${verdictHtml(verdict)}</span>`,
    ratio === null ? marks.none : formatRatio({ ratio, ratioUnit: '×', target: null }, marks),
    interval === null ? marks.none : interval.map((bound) => formatNumber(bound, marks.none, 2)).join(' to '),
    gate
  ])
  return html`<div data-part="history">${rows.length === 0
    ? html`<p class="soft">No check yet.</p>`
    : tableHtml('Your checks', { columns: ['When', 'Verdict', '#Ratio', '#95 %', 'Of'], rows })}
${best === null ? '' : html`<p>Best pass: ${formatWhen(best.startedAt)}.</p>`}</div>`
}

/** What the last benchmark has shown. @param {Ended} [ended] */
function benchHtml (ended) {
  if (ended === undefined) return html`<p class="soft">No benchmark yet. It loads a server for five seconds.</p>`
  const { job: { message, result } } = ended
  const head = html`<h3>${whatOf(ended)}</h3><p>${message}</p>`
  if (typeof result.table === 'string') {
    return html`${head}<div class="scroll" role="group" aria-label="autocannon’s table" tabindex="0">
<pre class="wide">${result.table}</pre></div>`
  }
  const [faster, slower] = result.figures.map((/** @type {number | null} */ figure) =>
    figure === null ? 'no answer' : `${formatNumber(figure, marks.none)} ${result.unit}`)
  return html`${head}<dl><dt>The faster server</dt><dd>${faster}</dd><dt>The slower server</dt><dd>${slower}</dd></dl>`
}

/**
 * What the last profile has shown.
 *
 * @param {Ended | undefined} ended
 * @param {{ isPredicted: boolean }} learner without a prediction they're asked to make one first
 */
export function profileHtml (ended, { isPredicted }) {
  if (ended === undefined) return html`<p class="soft">No profile yet. It records where a server’s time goes.</p>`
  const { job, job: { lesson, tool = 'cpu', result } } = ended
  const report = `/lessons/${encodeURIComponent(lesson)}/profile${queryOf(job)}`
  return html`<h3>${whatOf(ended)}</h3>
${tool === 'prof'
    ? ''
    : html`<p><a class="button" href="${report}">${
      tool === 'trace' ? 'See it over time' : 'See the flame graph'}</a></p>`}
${isPredicted
    ? sectionsHtml(result.sections, { level: 3, bars: false })
    : html`<p>It’s recorded. First <a href="#predict">write your prediction down</a>: the profile answers it.</p>`}`
}

/** @param {Ended} ended */
function whatOf ({ at, job: { server, tool, load, connections } }) {
  const parts = [
    server === 'slow' ? 'The slow server' : 'Yours',
    tool === undefined || tool === 'cpu' ? '' : tool === 'trace' ? 'over time' : tool,
    load === undefined ? '' : `load ${load}`,
    connections === undefined ? '' : `${connections} connection${connections === 1 ? '' : 's'}`,
    formatWhen(at)
  ]
  return parts.filter(Boolean).join(', ')
}
