import fs from 'node:fs/promises'
import path from 'node:path'
import { oneOf, refuse } from '../../http/index.js'
import { readReports, tools } from '../../profiling/index.js'
import { html, sectionsHtml, withCode } from '../../report/index.js'
import { shownPath } from '../../shared/text.js'
import { readProgress, readTree } from '../../workspace/index.js'
import { queryOf } from '../browser/lines.js'
import { profileTools, readServer } from '../job-handlers.js'
import { isActive } from '../jobs.js'
import { editorUrl, headOf, isCode } from '../page-data.js'
import { seenHtml, seenIn } from '../prediction-feedback.js'
import { heatHead, linesHtml, rowsOf } from './code-lines.js'
import { aroundParts, asking, belowLesson, clockHtml, partHtml, whenHtml, workshopFrame } from './workshop-frame.js'

/**
 * The page of a lesson's profiles: a report, next to the files whose lines it is about. First its data.
 *
 * @import { LoadedLesson } from '../../lesson/index.js'
 * @import { ReadReport } from '../../profiling/index.js'
 * @import { Job } from '../jobs.js'
 * @import { Around } from './workshop-frame.js'
 *
 * @typedef {Awaited<ReturnType<typeof readProfile>>} ProfileData server and tool: whose report is shown, and by what it
 *   was made; tabs: of all reports, with madeAt in ISO 8601, or null where none was made; cpu: figures of the report
 *   shown; file: the one in which the lesson's work is done; sources: that server's files, that one first; seen: null
 *   before there is a prediction
 * @typedef {Awaited<ReturnType<typeof readSources>>[number]} Source name: relative to the server's folder, with
 *   slashes; shown: its path; editorUrl: null if it isn't the learner's to change; isNewer: it changed after the report
 * @typedef {ProfileData & Around & { job: Job | null }} ProfilePage
 */

/** The tools with a button come first. */
const order = [...new Set([...profileTools, ...Object.keys(tools)])]

/**
 * @typedef {{ server?: unknown, tool?: unknown }} Asked as it came; nothing: the newest
 *
 * @param {LoadedLesson} entry
 * @param {Asked} asked
 */
export async function readProfile (entry, asked) {
  const reports = await readReports(entry)
  const { server, tool } = wantedOf(asked, reports)
  const shown = reports.find((report) => report.server === server && report.tool === tool)
  const { prediction } = await readProgress(entry)
  const sources = await readSources(entry, server, shown)
  const none = profileTools.filter((one) => !reports.some(({ server, tool }) => server === 'mine' && tool === one))
  return {
    ...headOf(entry),
    hasLoop: entry.lesson.eventLoop !== undefined,
    server,
    tool,
    tabs: [
      ...none.map((tool) => ({ server: /** @type {const} */ ('mine'), tool, madeAt: null })),
      ...reports.map(({ server, tool, madeAt }) => ({ server, tool, madeAt: madeAt.toISOString() }))
    ].sort((a, b) => a.server.localeCompare(b.server) || order.indexOf(a.tool) - order.indexOf(b.tool)),
    cpu: shown?.cpu ?? null,
    file: entry.file,
    sources,
    prediction,
    seen: prediction && seenIn(prediction, reports)
  }
}

/** @param {LoadedLesson} entry @param {Asked} asked @returns {Promise<ReadReport>} */
export async function readReport (entry, asked) {
  const reports = await readReports(entry)
  const wanted = wantedOf(asked, reports)
  const found = reports.find(({ server, tool }) => server === wanted.server && tool === wanted.tool)
  if (found === undefined) throw refuse(404, 'There’s no such profile yet.')
  return found
}

/**
 * @param {Asked} asked
 * @param {ReadReport[]} reports the newest first
 * @returns {Pick<ReadReport, 'server' | 'tool'>}
 */
function wantedOf ({ server, tool }, reports) {
  if (server === undefined && tool === undefined && reports.length > 0) return reports[0]
  return {
    server: readServer({ server }).server ?? 'mine',
    tool: oneOf(tool ?? profileTools[0], order, `A report is made by one of these tools: ${order.join(', ')}.`)
  }
}

/** @param {LoadedLesson} entry @param {'mine' | 'slow'} server @param {ReadReport | undefined} report */
async function readSources ({ workspaceDir, slowDir, file: first }, server, report) {
  const isOwn = server === 'mine'
  const dir = isOwn ? workspaceDir : slowDir
  const files = await readTree(dir, { first })
  const sources = await Promise.all([...files].map(async ([name, { text }]) => {
    if (text === undefined || !isCode.test(name)) return []
    const file = path.join(dir, name)
    const changedAt = await fs.stat(file).then(({ mtime }) => mtime, () => null)
    const isNewer = isOwn && report !== undefined && changedAt !== null && changedAt > report.madeAt
    return [{ name, shown: shownPath(file), text, editorUrl: isOwn ? editorUrl(file) : null, isNewer }]
  }))
  return sources.flat()
}

/** @type {Record<string, string>} */
const words = { cpu: 'Profile', trace: 'Over time', heap: 'Heap', loop: 'Event loop', prof: 'V8’s own profile' }

/** @param {ProfilePage} profile */
export function profileParts (profile) {
  const { classroom, fitness, slug, server, tool, tabs, prediction, job } = profile
  const current = tabs.find((tab) => tab.server === server && tab.tool === tool)
  const madeAt = current?.madeAt ?? null
  const ask = html`<p>First <a href="/lessons/${slug}#predict">write down what you expect</a>: what is seen here answers
it.</p>`
  // It names the culprit at once, so it waits for the prediction.
  const waits = madeAt !== null && tool === 'loop' && prediction === null
  return {
    ...aroundParts({ classroom, fitness }, slug),
    tabs: html`<p class="tabs">${tabs.map((tab) => tabHtml(tab, tab === current))}</p>`,
    status: withCode(job === null ? '' : sayJob(job, slug)),
    clock: clockHtml(job, slug),
    report: madeAt === null ? noneHtml(profile) : waits ? ask : frameHtml(profile, madeAt),
    sources: sourcesHtml(profile),
    seen: prediction === null
      ? waits ? html`` : ask
      : html`<section class="panel" aria-labelledby="predict"><h2 id="predict">Your prediction</h2>
${seenHtml(profile)}</section>`,
    figures: html`${figuresHtml(profile)}`
  }
}

/** @param {Job} job @param {string} slug */
function sayJob (job, slug) {
  const isOwn = job.lesson === slug
  if (isActive(job)) return job.message || (isOwn ? 'Starting.' : 'Something else is being measured.')
  return isOwn ? job.message || 'Done.' : ''
}

/**
 * The profiles of the learner's server and of the slow one, next to the files.
 *
 * @param {ProfilePage} profile
 * @returns {string} HTML
 */
export function profilePage (profile) {
  const { slug, kind, server, tool, file } = profile
  const parts = profileParts(profile)
  const button = (/** @type {string} */ tool) => html`<button type="button" data-job${
    asking('POST /api/jobs', { kind: 'profile', lesson: slug, tool, server })}>${words[tool]}</button>`
  return workshopFrame({
    ...belowLesson(profile, 'Profile'),
    name: 'profile-page',
    parts: kind !== 'server' ? undefined : `/api/parts/lessons/${slug}/profile${queryOf({ server, tool })}`,
    styles: ['profile'],
    scripts: ['profile'],
    data: { file },
    main: html`<div class="profile-bar"><h1 class="hidden">Profile</h1>
${kind !== 'server'
    ? html`</div><p>This lesson is about a ${kind}: there is no server of yours to record.</p>`
    : html`<nav aria-label="Profiles" data-part="tabs">${parts.tabs}</nav>
<p class="buttons"><span class="soft">Record</span> ${button('cpu')} ${button('trace')} ${
  profile.hasLoop ? button('loop') : ''}${
  server === 'slow' ? ' of the slow server' : ''}
<span id="status" role="status" aria-live="polite" data-part="status" data-said>${parts.status}</span>
<span data-part="clock">${parts.clock}</span></p></div>
<noscript><p>The buttons need JavaScript. In a terminal: <code>npm run profile ${slug}</code></p></noscript>
<div class="panes">${partHtml(parts, 'report')}
${partHtml(parts, 'sources')}</div>
${partHtml(parts, 'seen')}
${partHtml(parts, 'figures', html` class="figures"`)}`}`
  })
}

/** @param {ProfileData['tabs'][number]} tab @param {boolean} isCurrent */
function tabHtml ({ server, tool, madeAt }, isCurrent) {
  const when = html`<span class="soft">${madeAt === null ? 'not yet' : whenHtml(madeAt)}</span>`
  const current = isCurrent ? html` aria-current="page"` : ''
  return html`<span><a href="${queryOf({ server, tool })}"${current}>${server === 'slow' ? 'Slow server: ' : ''}${
    nameOf(tool)}</a> ${when}</span>`
}

/** The tables of the report, whose places lead to their lines. @param {ProfileData} profile */
function figuresHtml ({ cpu, sources, file }) {
  if (cpu === null) return ''
  return sectionsHtml(cpu.sections, { bars: false, rowOf: rowsOf(sources, (id) => `#${id}`, file) })
}

/** @param {ProfileData} profile */
function noneHtml ({ slug, server, tool }) {
  return html`<div class="none"><p>There’s none yet: it starts ${server === 'slow' ? 'the slow' : 'your'} server, and
loads it with this lesson’s requests.</p><p><button type="button" class="main" data-job${
  asking('POST /api/jobs', { kind: 'profile', lesson: slug, tool, server })}>Record it</button></p></div>`
}

/** @param {ProfileData} profile @param {string} madeAt */
function frameHtml ({ slug, server, tool }, madeAt) {
  // Another address for another report: the frame loads it then, and only then.
  const address = `/lessons/${slug}/profile/report${queryOf({ server, tool })}&made=${Date.parse(madeAt)}`
  return html`<iframe src="${address}" sandbox="allow-scripts" title="Report: ${nameOf(tool)}"></iframe>
<p class="soft">${tool === 'cpu' ? 'Click a function of these files: its line is marked. ' : ''}<a
href="${address}">Open full screen</a></p>`
}

/** @param {string} tool */
function nameOf (tool) {
  return words[tool] ?? tool
}

/** The learner's files, with the time of each function at its line. @param {ProfileData} profile */
function sourcesHtml ({ slug, sources, file, cpu }) {
  if (sources.length === 0) return html`<p>You have no copy yet: the first profile makes it.</p>`
  const [first, ...others] = sources.map((source) => {
    const { name, shown, editorUrl, isNewer } = source
    return html`<section class="source" aria-label="${name}" data-file="${name}"><h2><code>${shown}</code></h2>
${editorUrl === null
    ? ''
    : html`<p class="buttons"><button type="button" class="small"${
      asking(`POST /api/lessons/${slug}/open`, { file: name })}>Open in my editor</button>
<a href="${editorUrl}" data-editor="${editorUrl}">Open in VS Code</a></p>`}
${isNewer ? html`<p class="note">Changed after this profile: its lines may have moved since.</p>` : ''}
<pre tabindex="0" aria-label="${name}">${cpu === null ? '' : heatHead}<code>${
  linesHtml(source, { main: file, cpu })}</code></pre></section>`
  })
  return html`${first}${others.map((source, at) =>
    html`<details><summary><code>${sources[at + 1].name}</code></summary>${source}</details>`)}`
}
