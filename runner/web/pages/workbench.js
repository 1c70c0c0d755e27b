import path from 'node:path'
import { plural } from '../../shared/format.js'
import { aimIn } from '../../lesson/index.js'
import {
  formatDuration, formatNumber, formatRatio, html, marks, sectionsHtml, tableHtml, withCode
} from '../../report/index.js'
import { queryOf } from '../browser/lines.js'
import { longerSeconds, nameOf } from '../job-handlers.js'
import { isActive } from '../jobs.js'
import { eventLoopHtml } from './event-loop.js'
import { predictionFields, seenHtml } from '../prediction-feedback.js'
import { heatHead, linesHtml, rowsOf } from './code-lines.js'
import { inlineHtml, outcomeHtml, renderMarkdown, saidHtml } from './lesson-text.js'
import { metersHtml, sayPhase, sayVerdict, verdictHtml } from './live.js'
import { headline, inBrowser } from './verdict-card.js'
import { liveHtml, previewHtml, previewLine, resultHtml } from './result-html.js'
import { aroundParts, asking, clockHtml, partHtml, submitHtml, whenHtml } from './workshop-frame.js'

/**
 * The workbench: what can be measured and the targets, one of four panels, and a line that says what's going on. Pure.
 *
 * @import { ResultRecord } from '../../judge/index.js'
 * @import { Html, Progress } from '../../report/index.js'
 * @import { Ended, Job, Jobs } from '../jobs.js'
 * @import { LessonPage } from '../page-data.js'
 * @import { Served } from '../serving.js'
 * @import { Around } from './workshop-frame.js'
 *
 * @typedef {LessonPage & Around & { job: Job | null, served: Served | null, saved: number }} ShownLesson job: the
 *   newest one; saved: how often files of the copy were saved
 * @typedef {ReturnType<typeof workbenchParts>} WorkbenchParts
 */

/** @type {{ name: string, title: string, show: (lesson: ShownLesson, parts: Record<string, Html>) => Html }[]} */
const panels = [
  { name: 'code', title: 'Code', show: codePanel },
  {
    name: 'result',
    title: 'Result',
    show: (lesson, parts) => html`<div id="live" data-part="live">${parts.live}</div>
<div id="result" data-part="result">${parts.result}</div>`
  },
  { name: 'profile', title: 'Profile', show: profilePanel },
  { name: 'help', title: 'Help', show: helpPanel }
]

/** All that jobs and the learner change, but for the progress of a job. @param {ShownLesson} lesson */
export function workbenchParts (lesson) {
  const { slug, number, jobs, last, prediction, served, saved } = lesson
  /** @type {Record<string, Html>} */
  const outcomes = Object.fromEntries(Object.entries(jobs.outcomes ?? {}).map(([name, ended]) =>
    [`outcome ${name}`, outcomeHtml(ended, last)]))
  const own = served?.lesson === slug ? served : null
  return {
    ...aroundParts(lesson, slug),
    ...servedParts(own),
    saved: html`${saved}`,
    result: resultsHtml(lesson),
    bench: benchHtml(jobs.bench, number),
    profile: profileHtml(jobs.profile, lesson),
    predict: html`${prediction === null ? 'Write it down before you look.' : 'Edit it'}`,
    seen: html`${seenHtml(lesson)}`,
    hints: hintsHtml(lesson),
    code: codeHtml(lesson),
    ...outcomes
  }
}

/** The server that's running, where it was started and where it's looked at. @param {Served | null} served */
function servedParts (served) {
  const link = served === null ? '' : html`<a href="${served.url}" target="_blank" rel="noreferrer">${served.url}</a>`
  const stop = html`<button type="button" class="small"${asking('DELETE /api/served')}>Stop</button>`
  const of = (/** @type {Served['server']} */ server) => served?.server === server
    ? html`It listens on ${link}${served.output === '' ? '.' : html`. <a href="#output">What it writes</a>`}`
    : html``
  const button = (/** @type {Served['server']} */ server) => served?.server === server ? stop : html``
  const called = served?.server === 'slow' ? 'the slow server' : 'your server'
  const port = Number(new URL(served?.url ?? 'http://127.0.0.1').port)
  return {
    served: served === null
      ? html``
      : html`<span data-url="${served.url}">${served.server === 'slow' ? 'slow' : 'yours'} on <a href="${served.url}"
target="_blank" rel="noreferrer">:${port}</a>${served.isOld
  ? html`, from before your last change</span> <button type="button" class="small"${
    asking('POST /api/served', { lesson: served.lesson, port, node: served.node })}>Restart</button>`
  : html`</span>`} ${stop}`,
    output: served === null || served.output === ''
      ? html``
      : html`<h3 id="output" tabindex="-1">What ${called} writes</h3>
<pre tabindex="0" aria-label="Output">${served.output}</pre>`,
    'outcome serve': of('mine'),
    'outcome serve slow': of('slow'),
    'stop serve': button('mine'),
    'stop serve slow': button('slow')
  }
}

/** @type {Record<Exclude<Job['kind'], 'check' | 'preview'>, string>} */
const verbs = { bench: 'Benchmarking', profile: 'Profiling', load: 'Loading', compare: 'Comparing' }

/**
 * What a job changes while it runs: these parts come often.
 *
 * @param {ShownLesson} lesson
 * @param {Pick<Jobs, 'current' | 'progress'>} jobs
 * @returns {Record<string, Html>}
 */
export function progressParts (lesson, jobs) {
  const [job, progress] = [jobs.current(), jobs.progress()]
  const { slug, last, isStale } = lesson
  const isOwn = job?.lesson === slug
  const isBusy = job !== null && isActive(job)
  const isChecking = isOwn && isBusy && job.kind === 'check'
  // A check that goes on begins with what is known.
  const seen = isChecking && job.more && last !== null ? withEarlier(progress, last) : progress
  const over = job !== null && isOwn ? endSentence(job, lesson) : ''
  const sentence = isBusy ? busySentence(job, progress, isOwn) : over
  return {
    status: withCode(sentence.split('\n').at(-1) ?? ''),
    count: html`${isChecking ? countOf(seen) : ''}`,
    clock: clockHtml(job, slug),
    targets: metersHtml(lesson.targets, isChecking ? seen.gates : isStale ? [] : last?.gates ?? [], isChecking),
    live: isChecking
      ? html`${job.state === 'waiting' ? html`<p>${withCode(sentence)}</p>` : liveHtml(seen, slug)}${
        seen.settled === null ? beforeHtml(lesson) : ''}`
      : html``,
    ...isOwn && isBusy && { [`outcome ${nameOf(job)}`]: saidHtml(sentence) }
  }
}

/** @param {Progress} progress @param {Pick<Progress, 'gates' | 'rounds'>} earlier @returns {Progress} */
function withEarlier (progress, { gates, rounds }) {
  const known = gates.map((gate) => progress.gates.find(({ name }) => name === gate.name) ?? gate)
  return { ...progress, gates: known, rounds: [...rounds, ...progress.rounds] }
}

/** What's known before a check has found anything. @param {ShownLesson} lesson */
function beforeHtml ({ isUnchanged, last, isStale }) {
  const baseline = html`<p>Your copy is still the slow server, so this check measures that server against itself. All
numbers stay near 1×: they’re your baseline.</p>`
  return html`${isUnchanged ? baseline : ''}${last === null
    ? ''
    : html`<section class="result-card earlier"><p>Your last check, ${isStale ? 'of your earlier code, ' : ''}${
      whenHtml(last.startedAt)}</p><p>${marks[last.verdict]} ${headline(last)}</p></section>`}`
}

/** How far it is, which is no news for a screen reader. @param {Progress} progress */
function countOf ({ phase, checks, rounds, settled }) {
  if (phase === 'contract' && checks !== null) return `${checks.done} of ${checks.total}`
  const number = Math.max(...rounds.map((one) => one.number))
  return phase !== 'after' && settled === null && rounds.length > 0 ? `round ${number}` : ''
}

/** @param {Job} job @param {Progress} progress @param {boolean} isOwn it's of the lesson that is shown */
function busySentence ({ kind, state, message, speed }, { phase, settled }, isOwn) {
  if (!isOwn) {
    const what = kind === 'compare' ? 'A comparison is running in a terminal.' : 'Another lesson is being measured.'
    return `${what} ${message}`
  }
  if (state === 'waiting' && message !== '') return `${message} It starts by itself: read on.`
  if (message !== '') return message
  if (kind === 'preview') return speed === false ? 'Checking answers' : 'Taking a quick look'
  if (kind !== 'check') return `${verbs[kind]} …`
  return settled === null ? sayPhase(phase) : `${sayCheck(settled)} ${sayPhase(phase)}`
}

/** @param {ResultRecord} record */
function sayCheck ({ verdict, gates }) {
  return `Check: ${sayVerdict(verdict, gates)}.`
}

/** What was found is in the panels. @param {Job} job @param {ShownLesson} lesson */
function endSentence ({ kind, state, message }, { last, jobs: { preview } }) {
  if (state === 'cancelled') return message || 'Cancelled.'
  if (state === 'failed' || (kind !== 'check' && kind !== 'preview')) return message
  if (kind === 'preview') return preview === undefined ? message : previewLine(preview)
  return [last && sayCheck(last), message].filter(Boolean).join(' ')
}

/** @param {ShownLesson} lesson @param {WorkbenchParts & Record<string, Html>} parts */
export function workbenchHtml (lesson, parts) {
  const current = (lesson.last !== null && !lesson.isStale) || lesson.jobs.preview ? 'result' : 'code'
  return html`<section id="bench" class="bench" aria-label="Workbench" tabindex="-1">
${barHtml(lesson, parts)}
<div class="panel-tabs" role="tablist" aria-label="Workbench">${panels.map(({ name, title }) => {
  const isCurrent = name === current
  return html`<button type="button" role="tab" id="tab-${name}" aria-controls="panel-${name}" aria-selected="${
    String(isCurrent)}" tabindex="${isCurrent ? 0 : -1}">${title}</button>`
})}</div>
<div class="panels"><p id="toast" role="status" data-said></p>
${panels.map(({ name, title, show }) => html`<section role="tabpanel" id="panel-${name}"
aria-labelledby="tab-${name}" tabindex="0" class="bench-panel${name === current ? ' current' : ''}">
<h2 class="hidden">${title}</h2>
${show(lesson, parts)}</section>`)}</div>
<div class="status-bar"><p><span id="status" role="status" aria-live="polite" data-part="status">${
  parts.status}</span></p>
<span class="soft" data-part="count">${parts.count}</span><span data-part="clock">${parts.clock}</span>
<span id="served" data-part="served">${parts.served}</span><span id="saved" data-part="saved" hidden>${
  parts.saved}</span></div></section>`
}

/** @param {ShownLesson} lesson @param {Record<string, Html>} parts */
function barHtml ({ kind, slug, number, outdated, file }, parts) {
  const name = path.basename(file.path)
  return html`<div class="bar"><form class="actions"${asking('POST /api/jobs', { lesson: slug })}>
<button class="main" id="check" data-job data-body="${JSON.stringify({ kind: 'check' })}" title="Ctrl+Enter"
aria-keyshortcuts="Control+Enter">Check</button>
<details class="menu" id="measure"><summary>Measure</summary><div class="menu-items">${menuHtml(kind)}
<p><label><input type="checkbox" id="preview-saves" checked> Quick look at every save</label></p></div></details>
<button type="button" id="sheet" aria-expanded="false" aria-controls="bench">Workbench</button></form>
<button type="button" class="small" id="open" title="Open in my editor"${
  asking(`POST /api/lessons/${slug}/open`)}><span class="hidden">Open in my editor: </span>${name} ↗</button>
<ul class="meters" aria-label="Targets, compared with the slow server" data-part="targets">${parts.targets}</ul>
<noscript><p>The buttons need JavaScript. In a terminal: <code>npm run check ${slug}</code></p></noscript>
${outdated === '' ? '' : html`<p class="note">${inBrowser(outdated, { id: slug, number })}</p>`}</div>`
}

/** @param {string} kind of what a lesson is about */
function menuHtml (kind) {
  const button = (/** @type {string} */ title, /** @type {string} */ server, /** @type {object} */ body) =>
    html`<button class="small" data-job data-body="${JSON.stringify({ ...body, server })}"><span class="hidden">${
      title} of </span>${server === 'slow' ? 'slow' : 'yours'}</button>`
  const row = (/** @type {string} */ title, /** @type {object} */ body) => html`<span aria-hidden="true">${
    title}</span>${button(title, 'mine', body)}${kind === 'server' ? button(title, 'slow', body) : ''}`
  return html`<div class="choices">${row('Benchmark', { kind: 'bench' })}${kind !== 'server'
    ? ''
    : html`${row('Profile', { kind: 'profile', tool: 'cpu' })}${
      row('Over time', { kind: 'profile', tool: 'trace' })}`}</div>`
}

/** @param {ShownLesson} lesson @param {Record<string, Html>} parts */
function codePanel (lesson, parts) {
  const submit = submitHtml(lesson)
  return html`${partHtml(parts, 'code')}${submit === ''
    ? ''
    : html`<details id="panel-submit"><summary>Submit to the class</summary>${submit}</details>`}`
}

/** The learner's code as it is, or before there is a copy, what it will begin as. @param {ShownLesson} lesson */
function codeHtml ({ slug, kind, passed, file, files, hasCopy, heat, frames }) {
  const other = kind !== 'server' ? 'the first one' : 'the slow one'
  const wrong = frames.preview ?? frames.last
  const [main] = files
  const open = (/** @type {string} */ name) => html`<button type="button" class="small"${
    asking(`POST /api/lessons/${slug}/open`, { file: name })}>Open in my editor</button>`
  const shown = files.map(({ name, text }) => html`<div class="source" data-file="${name}"><pre tabindex="0"
aria-label="${name}">${heat === null ? '' : heatHead}<code>${
    linesHtml({ name, text }, { main: main.name, cpu: heat, wrong: wrong?.file === name ? wrong.line : undefined })
  }</code></pre></div>`)
  return html`${hasCopy
    ? html`<p class="buttons"><code class="path">${file.shown}</code> ${open(main?.name)}
<button type="button" class="small" data-copy="${file.path}">Copy path</button>
<a href="${file.editorUrl ?? ''}">VS Code</a></p>
<p>Compare yours with <a href="/lessons/${slug}/diff?with=slow">${other}</a>${
    passed ? html` or <a href="/lessons/${slug}/diff?with=solution">the solution</a>` : ''}.</p>`
    : html`<p class="soft">This is what your copy will begin as. It’s made when you open it or run something:
<code class="path">${file.shown}</code></p>`}
${shown[0] ?? ''}${shown.slice(1).map((source, at) => html`<details><summary><code>${
  files[at + 1].name}</code></summary>${hasCopy ? html`<p>${open(files[at + 1].name)}</p>` : ''}${source}</details>`)}`
}

/** Nothing while a check runs: `live` shows what is known. @param {ShownLesson} lesson */
function resultsHtml (lesson) {
  const { slug, job, last, jobs, frames, isStale, canGoOn } = lesson
  if (job?.lesson === slug && isActive(job) && job.kind === 'check') return html``
  return html`${jobs.preview === undefined ? '' : previewHtml(jobs.preview, frames.preview)}${last === null
    ? html`<p class="soft">No verdict yet: press <em>Check</em>.</p>`
    : resultHtml(last, { onward: onwardHtml(lesson), frame: frames.last, isStale, canGoOn })}
<details id="history"><summary>Your checks</summary>${historyHtml(lesson)}</details>`
}

/** @param {ShownLesson} lesson */
function onwardHtml (lesson) {
  return html`${waysHtml(lesson)}${eventLoopHtml(lesson)}`
}

/** @param {ShownLesson} lesson */
function waysHtml ({ last, passed, canGoOn, slug, onward, history, text }) {
  if (last !== null && canGoOn) {
    return html`<p class="buttons"><button type="button" class="main" id="more"${
      asking('POST /api/jobs', { kind: 'check', lesson: slug, more: true })}>Measure longer</button>
<span class="soft">It adds ${longerSeconds(last)} s of rounds. Starting the servers and looking inside come on top.
Your last check took ${formatDuration(last.durationMs, marks.none)}.</span> <span role="alert" data-said></span></p>`
  }
  const solution = html`<a href="/lessons/${slug}/diff?with=solution">Compare with the solution, and read why</a>`
  if (last?.verdict !== 'pass') return passed ? html`<p>${solution}</p>` : ''
  const [href, name] = onward === null
    ? ['/', 'All lessons']
    : [`/lessons/${onward.slug}`, `Next lesson: ${onward.title}`]
  const aim = history.filter(({ verdict }) => verdict === 'pass').length === 1 ? aimIn(text) : null
  return html`${aim === null ? '' : html`<p>You can now ${inlineHtml(aim)}</p>`}
<p class="buttons"><a class="button" href="${href}">${name}</a> ${solution}</p>`
}

/** What servers have been seen to do. @param {ShownLesson} lesson @param {Record<string, Html>} parts */
function profilePanel ({ kind, slug }, parts) {
  return html`${partHtml(parts, 'output')}${partHtml(parts, 'bench')}${kind !== 'server'
    ? ''
    : html`${partHtml(parts, 'profile')}
<p><a href="/lessons/${slug}/profile">Your profiles, next to your code</a></p>`}`
}

/** What one thinks, and what helps to. @param {ShownLesson} lesson @param {Record<string, Html>} parts */
function helpPanel (lesson, parts) {
  // Once it is kept, there is more room for what is measured.
  return html`<h3>Prediction</h3><details id="predict"${lesson.prediction === null ? ' open' : ''}><summary
data-part="predict">${parts.predict}</summary>
<form data-ask="POST /api/lessons/${lesson.slug}/prediction" data-draft="${lesson.slug}" data-close>${
  predictionFields(lesson)}
<p class="buttons"><button>Save prediction</button></p></form></details>
<p role="status" class="soft" data-said></p>
${partHtml(parts, 'seen')}
<h3>Hints</h3>${partHtml(parts, 'hints')}`
}

/** @param {ShownLesson} lesson */
function hintsHtml ({ hints, slug, hintTexts }) {
  const rest = hints.total - hintTexts.length
  return html`<ol id="shown-hints">${hintTexts.map((hint, at) => html`<li id="hint-${at + 1}" tabindex="-1">${
    renderMarkdown(hint, { slug, prefix: `hint-${at + 1}-` }).html}</li>`)}</ol>
<p class="buttons" id="hints"><button type="button"${asking(`POST /api/lessons/${slug}/hint`)}${
  rest > 0 ? '' : ' disabled'}>${
  rest > 0 ? `Show hint ${hintTexts.length + 1} of ${hints.total}` : `All ${hints.total} hints are shown`}</button></p>
<p role="alert" data-said></p>`
}

/** @param {ShownLesson} lesson */
function historyHtml ({ history, best }) {
  const rows = history.toReversed().map(({ at, verdict, ratio, interval, gate = '' }) => [
    whenHtml(at),
    html`<span class="${verdict}">${verdictHtml(verdict, [])}</span>`,
    ratio === null ? marks.none : formatRatio({ ratio, ratioUnit: '×', target: null }, marks),
    interval === null ? marks.none : interval.map((bound) => formatNumber(bound, marks.none, 2)).join(' to '),
    gate
  ])
  return html`${rows.length === 0
    ? html`<p class="soft">No check yet.</p>`
    : tableHtml('Your checks', { columns: ['When', 'Verdict', '#Ratio', '#95 %', 'Of'], rows })}
${best === null ? '' : html`<p>Best pass: ${whenHtml(best.startedAt)}.</p>`}`
}

/** What the last benchmark has shown. @param {Ended | undefined} ended @param {number} number of the lesson */
function benchHtml (ended, number) {
  if (ended === undefined) return html`<p class="soft">No benchmark yet. It loads a server for five seconds.</p>`
  const { job: { message, result } } = ended
  const head = html`<h3>Benchmark of ${whatOf(ended)}</h3>`
  if (typeof result.table === 'string') {
    const { latency = {}, requests = {} } = result.figures ?? {}
    const cells = [
      result.rate ?? requests.average, ...['average', 'p50', 'p99', 'max'].map((name) => latency[name])
    ].map((figure) => formatNumber(figure, marks.none))
    const problem = result.problems?.[0]
    return html`${head}${problem ? html`<p class="fail">${withCode(problem)}</p>` : ''}
${tableHtml('Benchmark', { columns: ['#requests/s', '#mean, ms', '#median', '#p99', '#largest'], rows: [cells] })}
<details><summary>autocannon’s own table</summary><div class="scroll" role="group" aria-label="autocannon’s table"
tabindex="0"><pre class="wide">${result.table}</pre></div></details>`
  }
  const { servers, figures, unit } = result
  return html`${head}<p>${message}</p><dl>${servers.map((/** @type {string} */ name, /** @type {number} */ at) =>
    html`<dt>${name[0].toUpperCase()}${name.slice(1)}</dt><dd>${
      figures[at] === null ? 'no answer' : `${formatNumber(figures[at], marks.none)} ${unit}`}</dd>`)}</dl>`
}

/**
 * What the last profile has shown; without a prediction, the learner is asked to make one first.
 *
 * @param {Ended | undefined} ended
 * @param {ShownLesson} lesson
 */
function profileHtml (ended, { slug, prediction, files }) {
  if (ended === undefined) return html`<p class="soft">No profile yet. It records where a server’s time goes.</p>`
  const { job, job: { tool = 'cpu', result } } = ended
  const report = `/lessons/${encodeURIComponent(slug)}/profile${queryOf(job)}`
  const rowOf = rowsOf(files, (id) => `${report}#${id}`, files[0]?.name)
  return html`<h3>Profile of ${whatOf(ended)}</h3>
${tool === 'prof'
    ? ''
    : html`<p><a class="button" href="${report}">${
      tool === 'trace' ? 'See it over time' : tool === 'loop' ? 'See the event loop' : 'See the flame graph'}</a></p>`}
${prediction !== null
    ? sectionsHtml(result.sections, { level: 3, bars: false, rowOf })
    : html`<p>It’s recorded. First <a href="#predict">write your prediction down</a>: the profile answers it.</p>`}`
}

/** @param {Ended} ended */
function whatOf ({ at, job: { server, tool, load, connections } }) {
  const parts = [
    server === 'slow' ? 'slow' : 'yours',
    tool === undefined || tool === 'cpu' ? '' : tool === 'trace' ? 'over time' : tool,
    load === undefined ? '' : `load ${load}`,
    connections === undefined ? '' : plural(connections, 'connection')
  ]
  return html`${parts.filter(Boolean).join(', ')} <small class="soft">${whenHtml(at)}</small>`
}
