import { plural } from '../../shared/format.js'
import { aimIn } from '../../lesson/index.js'
import {
  formatNumber, formatRatio, formatTarget, formatWhen, html, marks, noProgress, sectionsHtml, tableHtml, withCode
} from '../../report/index.js'
import { queryOf } from '../browser/lines.js'
import { longerSeconds, nameOf } from '../job-handlers.js'
import { isActive } from '../jobs.js'
import { eventLoopHtml } from './event-loop.js'
import { predictionFields, seenHtml } from '../prediction-feedback.js'
import { liveChartsHtml } from './charts.js'
import { inlineHtml, outcomeHtml, renderMarkdown } from './lesson-text.js'
import { liveHtml, verdictHtml } from './live.js'
import { previewHtml, previewLine, resultHtml } from './result-html.js'
import { headline, highlightLines } from './verdict-card.js'
import { aroundParts, asking, clockHtml, partHtml, submitHtml } from './workshop-frame.js'

/**
 * @import { Html } from '../../report/index.js'
 * @import { Progress } from '../../report/index.js'
 * @import { Ended, Job, Jobs } from '../jobs.js'
 * @import { LessonPage } from '../page-data.js'
 * @import { Served } from '../serving.js'
 * @import { Around } from './workshop-frame.js'
 *
 * @typedef {LessonPage & Around & { job: Job | null, served: Served | null, saved: number }} ShownLesson job: the
 *   newest one; saved: how often files of the copy were saved
 * @typedef {{ name: string, title: string, show: (lesson: ShownLesson, parts: WorkbenchParts) => Html | '' }} Panel
 *   show: empty where a lesson has no such thing
 * @typedef {ReturnType<typeof workbenchParts>} WorkbenchParts
 */

/** @type {Panel[]} */
const panels = [
  { name: 'result', title: 'Result', show: measuredHtml },
  { name: 'bench', title: 'Bench', show: (lesson, parts) => partHtml(parts, 'bench') },
  { name: 'profile', title: 'Profile', show: profilesHtml },
  { name: 'prediction', title: 'Prediction', show: predictionHtml },
  { name: 'hints', title: 'Hints', show: (lesson, parts) => partHtml(parts, 'hints') },
  {
    name: 'code',
    title: 'Code',
    show: (lesson, parts) => html`${partHtml(parts, 'code')}<p id="code-said" role="status" data-said></p>`
  },
  { name: 'history', title: 'History', show: (lesson, parts) => partHtml(parts, 'history') },
  { name: 'submit', title: 'Submit', show: submitHtml }
]

const notYetThere = 'Your copy is made by the first job, or when you open it.'

/** All that jobs and the learner change, but for the progress of a job. @param {ShownLesson} lesson */
export function workbenchParts (lesson) {
  const { slug, jobs, last, prediction, served, saved } = lesson
  /** @type {Record<string, Html>} */
  const outcomes = Object.fromEntries(Object.entries(jobs.outcomes ?? {}).map(([name, ended]) =>
    [`outcome ${name}`, outcomeHtml(ended, last)]))
  return {
    ...aroundParts(lesson, slug),
    served: served?.lesson === slug ? servedHtml(served) : html``,
    ...servedOutcomes(served?.lesson === slug ? served : null),
    saved: html`${saved}`,
    editor: editorHtml(lesson),
    targets: targetsHtml(lesson),
    result: resultsHtml(lesson),
    bench: benchHtml(jobs.bench),
    profile: profileHtml(jobs.profile, { isPredicted: prediction !== null }),
    predict: html`${prediction === null ? 'Write it down before you look.' : 'Edit it'}`,
    seen: html`${seenHtml(lesson)}`,
    hints: hintsHtml(lesson),
    code: codeHtml(lesson),
    history: historyHtml(lesson),
    ...outcomes
  }
}

/** @param {Served} served */
function servedHtml ({ server, url }) {
  return html`<span>${server === 'slow' ? 'The slow server' : 'Your server'} listens on <code>${url}</code>.</span>
<button type="button" class="small"${asking('DELETE /api/served')}>Stop it</button>`
}

/** Below the commands that serve. @param {Served | null} served */
function servedOutcomes (served) {
  const said = (/** @type {Served['server']} */ server) => served?.server === server
    ? html`It listens on ${served.url} until you stop it.`
    : html``
  return { 'outcome serve': said('mine'), 'outcome serve slow': said('slow') }
}

/** @type {Record<Job['kind'], string>} */
const verbs = {
  check: 'Checking', preview: 'Looking', bench: 'Benchmarking', profile: 'Profiling', compare: 'Comparing'
}

/**
 * What a job changes while it runs: these parts come often.
 *
 * @param {ShownLesson} lesson
 * @param {Pick<Jobs, 'current' | 'progress'>} jobs
 * @returns {Record<string, Html>}
 */
export function progressParts (lesson, jobs) {
  const [job, progress] = [jobs.current(), jobs.progress()]
  if (job === null) return { status: html``, clock: clockHtml(job, lesson.slug), live: html``, charts: html`` }
  const [isOwn, isBusy] = [job.lesson === lesson.slug, isActive(job)]
  const sentence = isBusy ? busySentence(job, progress, isOwn) : isOwn ? endSentence(job, lesson) : ''
  const isLive = isOwn && isBusy && progress !== noProgress
  return {
    status: withCode(sentence),
    clock: clockHtml(job, lesson.slug),
    live: isLive ? liveHtml(progress, { isPreview: job.kind === 'preview' }) : html``,
    charts: isLive ? liveChartsHtml(progress) : html``,
    ...isOwn && isBusy && { [`outcome ${nameOf(job)}`]: withCode(sentence) }
  }
}

/** @param {Job} job @param {Progress} progress @param {boolean} isOwn it's of the lesson that is shown */
function busySentence ({ kind, state, message }, { phase, settled }, isOwn) {
  if (!isOwn) {
    const what = kind === 'compare' ? 'A comparison is running in a terminal.' : 'Another lesson is being measured.'
    return `${what} ${message}`
  }
  if (state === 'waiting' && message !== '') return `${message} It starts by itself: read on.`
  return settled?.reason ?? (message || (phase === null ? `${verbs[kind]} …` : `${verbs[kind]}: ${phase}.`))
}

/** @param {Job} job @param {ShownLesson} lesson */
function endSentence ({ kind, state, message }, { last, jobs: { preview } }) {
  const found = state !== 'done'
    ? ''
    : kind === 'check' && last !== null
      ? headline(last)
      : kind === 'preview' && preview !== undefined ? previewLine(preview) : ''
  return [found, message || (state === 'cancelled' ? 'Cancelled.' : '')].filter(Boolean).join(' ')
}

/** What is always in sight, and one panel at a time. @param {ShownLesson} lesson @param {WorkbenchParts} parts */
export function workbenchHtml (lesson, parts) {
  const current = lesson.last !== null || lesson.jobs.preview || lesson.prediction !== null ? 'result' : 'prediction'
  const shown = panels.map((panel) => ({ ...panel, content: panel.show(lesson, parts) }))
    .filter(({ content }) => content !== '')
  return html`<section id="bench" class="bench" aria-label="Workbench" tabindex="-1">
${barHtml(lesson, parts)}
<div class="panel-tabs" role="tablist" aria-label="Workbench">${shown.map(({ name, title }) => {
  const isCurrent = name === current
  return html`<button type="button" role="tab" id="tab-${name}" aria-controls="panel-${name}" aria-selected="${
    String(isCurrent)}" tabindex="${isCurrent ? 0 : -1}">${title}</button>`
})}</div>
<div class="panels">${shown.map(({ name, title, content }) => html`<section role="tabpanel" id="panel-${name}"
aria-labelledby="tab-${name}" tabindex="0" class="bench-panel${name === current ? ' current' : ''}"><h2>${title}</h2>
${content}</section>`)}</div></section>`
}

/** @param {ShownLesson} lesson @param {Record<string, Html>} parts */
function barHtml ({ kind, slug, outdated }, parts) {
  const job = (/** @type {string} */ title, /** @type {object} */ body, main = false) =>
    html`<button${main ? html` class="main"` : ''} data-job data-body="${JSON.stringify(body)}">${title}</button>`
  const others = kind !== 'server'
    ? ''
    : html`${job('Profile', { kind: 'profile', tool: 'cpu' })}
${job('Over time', { kind: 'profile', tool: 'trace' })}
<label>of <select id="which" name="server"><option value="mine">my server</option>
<option value="slow">slow server</option></select></label>`
  return html`<div class="bar"><form class="actions"${asking('POST /api/jobs', { lesson: slug })}>
${job('Check', { kind: 'check' }, true)}
<button type="button" id="sheet" aria-expanded="false" aria-controls="bench">Workbench</button>
<span class="more">${job('Bench', { kind: 'bench' })}${others}</span></form>
<p class="job-line"><span id="status" role="status" aria-live="polite" data-part="status" data-said>${
  parts.status}</span> <span data-part="clock">${parts.clock}</span><span id="saved" data-part="saved" hidden>${
  parts.saved}</span></p>
<p id="served" class="job-line" role="status" data-part="served">${parts.served}</p>
<noscript><p>The buttons need JavaScript. In a terminal: <code>npm run check ${slug}</code></p></noscript>
<div class="more">${outdated === '' ? '' : html`<p class="note">${withCode(outdated)}</p>`}
<p class="file"><span data-part="editor">${parts.editor}</span> <span id="file-said" role="alert" data-said></span></p>
<ul class="chips" aria-label="Targets, compared with the slow server" data-part="targets">${
  parts.targets}</ul></div></div>`
}

/** @param {ShownLesson} lesson */
function editorHtml ({ slug, file, files }) {
  const others = files.length - 1
  return html`<code class="path">${file.shown}</code>
<button type="button" class="small" id="open"${asking(`POST /api/lessons/${slug}/open`)}>Open in my editor</button>
${file.editorUrl === null
    ? html`<span class="soft">${notYetThere}</span>`
    : html`<button type="button" class="small" id="copy-path" data-copy="${file.path}">Copy path</button>
<a href="${file.editorUrl}">VS Code</a> ${others < 1
    ? ''
    : html`<a href="#panel-code">and ${plural(others, 'more file')}</a>`}`}`
}

/** @param {ShownLesson} lesson */
function targetsHtml ({ targets, last, isStale }) {
  return html`${targets.filter(({ target }) => target !== null).map(({ name, unit, ...gate }) => {
    const verdict = isStale ? undefined : last?.gates.find((one) => one.name === name)?.verdict
    const mark = verdict === undefined ? '' : html`<span aria-hidden="true">${marks[verdict]}</span> `
    return html`<li class="chip ${verdict ?? ''}">${mark}${name} ${
      formatTarget({ ...gate, ratioUnit: unit }, marks)}</li>`
  })}`
}

/** @param {ShownLesson} lesson @param {Record<string, Html>} parts */
function measuredHtml (lesson, parts) {
  return html`<p><label><input type="checkbox" id="preview-saves" checked> Take a quick look at every save</label></p>
<div id="live" data-part="live">${parts.live}</div>
<div id="charts" class="charts" data-part="charts">${parts.charts}</div>
<div id="result" data-part="result">${parts.result}</div>`
}

/** Nothing until there is a newer one. @param {ShownLesson} lesson */
function resultsHtml (lesson) {
  const { slug, job, last, jobs, frames, isStale } = lesson
  if (job?.lesson === slug && isActive(job) && (job.kind === 'check' || job.kind === 'preview')) return html``
  return html`${jobs.preview === undefined ? '' : previewHtml(jobs.preview, frames.preview)}${last === null
    ? html`<p class="soft">No verdict yet. Run a check.</p>`
    : resultHtml(last, { onward: onwardHtml(lesson), frame: frames.last, isStale })}`
}

/** @param {ShownLesson} lesson */
function onwardHtml (lesson) {
  return html`${waysHtml(lesson)}${eventLoopHtml(lesson)}`
}

/** @param {ShownLesson} lesson */
function waysHtml ({ last, passed, canGoOn, slug, onward, history, text }) {
  if (last !== null && canGoOn) {
    return html`<p class="buttons"><button type="button" class="main" id="more"${
      asking('POST /api/jobs', { kind: 'check', lesson: slug, more: true })}>Measure ${
      longerSeconds(last)} s longer</button> <span role="alert" data-said></span></p>`
  }
  const solution = html`<a href="/lessons/${slug}/diff?with=solution">Compare with the solution</a>`
  if (last?.verdict !== 'pass') return passed ? html`<p>${solution}</p>` : ''
  const [href, name] = onward === null
    ? ['/', 'All lessons']
    : [`/lessons/${onward.slug}`, `Next lesson: ${onward.title}`]
  const aim = history.filter(({ verdict }) => verdict === 'pass').length === 1 ? aimIn(text) : null
  return html`${aim === null ? '' : html`<p>You can now ${inlineHtml(aim)}</p>`}
<p class="buttons"><a class="button" href="${href}">${name}</a> ${solution}</p>`
}

/** @param {ShownLesson} lesson @param {WorkbenchParts} parts */
function profilesHtml ({ kind, slug }, parts) {
  return kind !== 'server'
    ? ''
    : html`${partHtml(parts, 'profile')}<p><a href="/lessons/${slug}/profile">Your profiles, next to your code</a></p>`
}

/** @param {ShownLesson} lesson @param {WorkbenchParts} parts */
function predictionHtml (lesson, parts) {
  // Once it is kept, there is more room for what is measured.
  return html`<details id="predict"${lesson.prediction === null ? ' open' : ''}><summary
data-part="predict">${parts.predict}</summary>
<form data-ask="POST /api/lessons/${lesson.slug}/prediction" data-close>${predictionFields(lesson)}
<p class="buttons"><button>Save prediction</button></p></form></details>
<p role="status" class="soft" data-said></p>
${partHtml(parts, 'seen')}`
}

/** @param {ShownLesson} lesson */
function hintsHtml ({ hints, slug, hintTexts }) {
  const rest = hints.total - hintTexts.length
  return html`<ol id="shown-hints">${hintTexts.map((hint, at) => html`<li id="hint-${at + 1}" tabindex="-1">${
    renderMarkdown(hint, { slug, prefix: `hint-${at + 1}-` }).html}</li>`)}</ol>
<p class="buttons"><button type="button"${asking(`POST /api/lessons/${slug}/hint`)}${rest > 0 ? '' : ' disabled'}>${
  rest > 0 ? `Show hint ${hintTexts.length + 1} of ${hints.total}` : `All ${hints.total} hints are shown`}</button></p>
<p role="alert" data-said></p>`
}

/** @param {ShownLesson} lesson */
function codeHtml ({ slug, kind, passed, files }) {
  const other = kind !== 'server' ? 'the first one' : 'the slow one'
  return html`<p>Compare yours with <a href="/lessons/${slug}/diff?with=slow">${other}</a>${
    passed ? html` or <a href="/lessons/${slug}/diff?with=solution">the solution</a>` : ''}.</p>
${files.length === 0 ? html`<p class="soft">${notYetThere}</p>` : ''}
${files.map(({ name, text }, at) => html`<details${at === 0 ? ' open' : ''}><summary><code>${name}</code></summary>
<p><button type="button" class="small"${asking(`POST /api/lessons/${slug}/open`, { file: name })}>Open in my
editor</button></p>
<pre tabindex="0" aria-label="${name}"><code>${
  highlightLines(text, name).map((line, at) => html`${at === 0 ? '' : '\n'}${line}`)}</code></pre></details>`)}`
}

/** @param {ShownLesson} lesson */
function historyHtml ({ history, best }) {
  const rows = history.toReversed().map(({ at, verdict, ratio, interval, gate = '' }) => [
    formatWhen(at),
    html`<span class="${verdict}">${verdictHtml(verdict)}</span>`,
    ratio === null ? marks.none : formatRatio({ ratio, ratioUnit: '×', target: null }, marks),
    interval === null ? marks.none : interval.map((bound) => formatNumber(bound, marks.none, 2)).join(' to '),
    gate
  ])
  return html`${rows.length === 0
    ? html`<p class="soft">No check yet.</p>`
    : tableHtml('Your checks', { columns: ['When', 'Verdict', '#Ratio', '#95 %', 'Of'], rows })}
${best === null ? '' : html`<p>Best pass: ${formatWhen(best.startedAt)}.</p>`}`
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
  const { servers, figures, unit } = result
  return html`${head}<dl>${servers.map((/** @type {string} */ name, /** @type {number} */ at) =>
    html`<dt>${name[0].toUpperCase()}${name.slice(1)}</dt><dd>${
      figures[at] === null ? 'no answer' : `${formatNumber(figures[at], marks.none)} ${unit}`}</dd>`)}</dl>`
}

/**
 * What the last profile has shown.
 *
 * @param {Ended | undefined} ended
 * @param {{ isPredicted: boolean }} learner without a prediction they're asked to make one first
 */
function profileHtml (ended, { isPredicted }) {
  if (ended === undefined) return html`<p class="soft">No profile yet. It records where a server’s time goes.</p>`
  const { job, job: { lesson, tool = 'cpu', result } } = ended
  const report = `/lessons/${encodeURIComponent(lesson)}/profile${queryOf(job)}`
  return html`<h3>${whatOf(ended)}</h3>
${tool === 'prof'
    ? ''
    : html`<p><a class="button" href="${report}">${
      tool === 'trace' ? 'See it over time' : tool === 'loop' ? 'See the event loop' : 'See the flame graph'}</a></p>`}
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
    connections === undefined ? '' : plural(connections, 'connection'),
    formatWhen(at)
  ]
  return parts.filter(Boolean).join(', ')
}
