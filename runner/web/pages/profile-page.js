import { milliseconds, percent, percentInColumn } from '../../shared/format.js'
import { formatWhen, marks, withCode } from '../../report/browser.js'
import { html, paragraphs, tableHtml } from '../../report/index.js'
import { routeIn } from '../../shared/text.js'
import { lineId, queryOf } from '../browser/lines.js'
import { isActive } from '../jobs.js'
import { inlineHtml } from './lesson-text.js'
import { aroundParts, asking, clockHtml, partHtml, workshopFrame } from './workshop-frame.js'
import { highlightLines } from './verdict-card.js'

/**
 * @import { QuestionGroup } from '../../lesson/index.js'
 * @import { CpuFigures, SeenFunction } from '../../profiling/index.js'
 * @import { Html } from '../../report/index.js'
 * @import { Prediction } from '../../workspace/index.js'
 * @import { Seen } from '../prediction-feedback.js'
 * @import { Job } from '../jobs.js'
 * @import { ProfileData, Source } from '../read-profile.js'
 * @import { Around } from './workshop-frame.js'
 *
 * @typedef {ProfileData & Around & { job: Job | null }} ProfilePage
 */

/** @type {Record<string, string>} */
const words = { cpu: 'Profile', trace: 'Over time', heap: 'Heap', prof: 'V8’s own profile' }

/** @param {ProfilePage} profile */
export function profileParts (profile) {
  const { classroom, fitness, slug, server, tool, tabs, prediction, job } = profile
  const current = tabs.find((tab) => tab.server === server && tab.tool === tool)
  const madeAt = current?.madeAt ?? null
  return {
    ...aroundParts({ classroom, fitness }, slug),
    tabs: html`<p class="tabs">${tabs.map((tab) => tabHtml(tab, tab === current))}</p>`,
    status: withCode(job === null ? '' : sayJob(job, slug)),
    clock: clockHtml(job, slug),
    report: madeAt === null ? noneHtml(profile) : frameHtml(profile, madeAt),
    sources: html`<data id="hottest" hidden value="${JSON.stringify(hottestOf(profile))}"></data>
${sourcesHtml(profile)}`,
    seen: prediction === null
      ? html`<p>First <a href="/lessons/${slug}#predict">write down what you expect</a>:
what is seen here answers it.</p>`
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
  const { token, classroom, fitness, slug, number, title, kind, server, tool, file } = profile
  const parts = profileParts(profile)
  const button = (/** @type {string} */ tool) => html`<button type="button" data-job${
    asking('POST /api/jobs', { kind: 'profile', lesson: slug, tool, server })}>${words[tool]}</button>`
  return workshopFrame({
    classroom,
    lesson: slug,
    title: `Profile ${marks.dot} ${title} ${marks.dot} Make It Fast`,
    token,
    name: 'profile-page',
    fitness,
    crumbs: [{ href: `/lessons/${slug}`, text: `${number} ${marks.dot} ${title}` }],
    here: 'Profile',
    parts: kind !== 'server' ? undefined : `/api/parts/lessons/${slug}/profile${queryOf({ server, tool })}`,
    styles: ['profile'],
    scripts: ['profile'],
    data: { slug, file },
    main: html`<div class="profile-bar"><h1>Profile</h1>
${kind !== 'server'
    ? html`</div><p>This lesson is about a ${kind}: there is no server of yours to record.</p>`
    : html`<nav aria-label="Profiles" data-part="tabs">${parts.tabs}</nav>
<p class="buttons">${button('cpu')} ${button('trace')}${server === 'slow' ? ' of the slow server' : ''}
<span id="status" role="status" aria-live="polite" data-part="status" data-said>${parts.status}</span>
<span data-part="clock">${parts.clock}</span></p></div>
<noscript><p>The buttons need JavaScript. In a terminal: <code>npm run profile ${slug}</code></p></noscript>
<div class="panes">${partHtml(parts, 'report')}
${partHtml(parts, 'sources')}</div>
${partHtml(parts, 'seen')}
${partHtml(parts, 'figures', html` class="figures"`)}`}`
  })
}

/** The one of the server's own functions that takes the most time by itself. @param {ProfileData} profile */
function hottestOf ({ cpu, sources }) {
  const [hottest] = (cpu?.functions ?? [])
    .filter(({ owner, file }) => owner === 'yours' && sources.some(({ name }) => name === file))
    .sort((a, b) => b.charged - a.charged)
  return hottest === undefined ? null : { file: hottest.file, line: hottest.line }
}

/** @param {ProfileData['tabs'][number]} tab @param {boolean} isCurrent */
function tabHtml ({ server, tool, madeAt }, isCurrent) {
  const when = html`<span class="soft">${madeAt === null ? 'not yet' : formatWhen(madeAt)}</span>`
  const current = isCurrent ? html` aria-current="page"` : ''
  return html`<span><a href="${queryOf({ server, tool })}"${current}>${server === 'slow' ? 'Slow server: ' : ''}${
    nameOf(tool)}</a> ${when}</span>`
}

/** @param {ProfileData} profile */
function figuresHtml (profile) {
  const { cpu } = profile
  return cpu === null
    ? ''
    : html`<h2>Reading</h2>${sentencesHtml(cpu)}
<h2>${profile.server === 'slow' ? 'Its own' : 'Your'} functions</h2>${ownHtml(cpu, profile)}
${changesHtml(cpu, profile)}${allHtml(cpu, profile)}`
}

/** @param {ProfileData} profile */
function noneHtml ({ server, tool }) {
  const what = tool === 'cpu' ? 'where the CPU time goes' : 'memory, handles and the event loop over time'
  return html`<p>There is no such profile yet. The button above starts ${
    server === 'slow' ? 'the slow' : 'your'} server, loads it with this lesson’s requests, and records ${what}.</p>`
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

const longest = 10
const columns = ['function', 'where', '#self', '#total', '#for a request']

/** @param {CpuFigures} cpu */
function sentencesHtml ({ sentences, slow, requestMs }) {
  if (slow === null) return paragraphs(sentences)
  return html`<p>A request costs <strong>${milliseconds(slow.requestMs)}</strong> in the slow server, and
<strong>${milliseconds(requestMs)}</strong> in yours: JavaScript, native code and garbage collection of all recorded
threads.</p><h3>Yours</h3>${paragraphs(sentences)}<h3>The slow one</h3>${paragraphs(slow.sentences)}`
}

/** @param {CpuFigures} cpu @param {ProfileData} profile */
function ownHtml ({ functions }, profile) {
  const own = functions.filter(({ owner, total }) => owner === 'yours' && total > 0).slice(0, longest)
  if (own.length === 0) return html`<p>None of its own functions took any time that could be seen.</p>`
  const rows = own.map((one) => {
    const source = sourceOf(one, profile)
    const what = `${one.file ?? ''} at line ${one.line}`
    const open = !source?.editorUrl
      ? ''
      : html`<span class="open"><button type="button" class="small" data-open-file="${source.name}"
data-line="${one.line}" aria-label="Open in my editor: ${what}">Open</button>
<a href="${source.editorUrl}:${one.line}" aria-label="VS Code: ${what}">VS Code</a></span>`
    return [...cellsOf(one, profile), open]
  })
  return html`<p class="soft">Time in each function, with everything that it called. A name leads to its
line.</p>
${tableHtml('Own functions', { columns: [...columns, 'in your editor'], rows })}`
}

/** @param {CpuFigures} cpu @param {ProfileData} profile */
function allHtml ({ functions }, profile) {
  const hottest = functions.filter(({ self }) => self > 0).sort((a, b) => b.self - a.self).slice(0, longest)
  return html`<details><summary>All functions by self time</summary>
${tableHtml('All functions', { columns, rows: hottest.map((one) => cellsOf(one, profile)) })}</details>`
}

/** @param {CpuFigures} cpu @param {ProfileData} profile @returns {Html | ''} empty where nothing was compared */
function changesHtml ({ changes, functions }, profile) {
  if (changes.length === 0) return ''
  const rows = changes.slice(0, longest).map((change) => {
    const { name, place, beforeMs, afterMs } = change
    // A function that's gone has a place in the slow server only.
    const now = functions.find((one) => one.name === name && one.place === place)
    const isGone = now === undefined && change.owner === 'yours'
    const difference = `${afterMs < beforeMs ? '−' : '+'}${milliseconds(Math.abs(afterMs - beforeMs))}`
    return [
      nameHtml(now ?? { ...change, file: null }, profile),
      html`${placeHtml(place)}${isGone ? html` <span class="soft">of the slow one</span>` : ''}`,
      difference,
      milliseconds(beforeMs),
      milliseconds(afterMs)
    ]
  })
  return html`<details open><summary>What changed: time in the function itself for one request</summary>
${tableHtml('What changed', { columns: ['function', 'where', '#change', '#slow', '#yours'], rows })}</details>`
}

/** @param {SeenFunction} one @param {ProfileData} profile @returns {(string | Html)[]} */
function cellsOf (one, profile) {
  const { place, self, total, totalMs } = one
  const figures = [percentInColumn(self), percentInColumn(total), milliseconds(totalMs)]
  return [nameHtml(one, profile), placeHtml(place), ...figures]
}

/** @param {Pick<SeenFunction, 'name' | 'place' | 'file'> & { line?: number }} one @param {ProfileData} profile */
function nameHtml (one, profile) {
  const source = sourceOf(one, profile)
  const name = one.name === `function at ${one.place}`
    ? routeIn(source?.text.split('\n')[(one.line ?? 0) - 1]) ?? '(no name)'
    : one.name
  if (source === undefined || one.line === undefined) return name
  const id = lineId({ file: source.name, line: one.line }, profile.file)
  return html`<a href="#${encodeURIComponent(id)}">${name}</a>`
}

/** @param {Pick<SeenFunction, 'file'>} one @param {ProfileData} profile */
function sourceOf ({ file }, { sources }) {
  return file === null ? undefined : sources.find(({ name }) => name === file)
}

/** @param {string} place */
function placeHtml (place) {
  return place === '' ? '' : html`<code>${place}</code>`
}

const head = html`<span class="line head" aria-hidden="true"><span class="heat">self %</span><span
class="heat">total %</span></span>`
/** Smaller shares are noise. */
const leastShare = 0.001

/** The learner's files, with the time of each function at its line. @param {ProfileData} profile */
function sourcesHtml ({ sources, file, cpu }) {
  if (sources.length === 0) return html`<p>You have no copy yet: the first profile makes it.</p>`
  const [first, ...others] = sources
  return html`${sourceHtml(first, file, cpu)}${others.map((source) =>
    html`<details><summary><code>${source.name}</code></summary>${sourceHtml(source, file, cpu)}</details>`)}`
}

/** @param {Source} source @param {string} main @param {CpuFigures | null} cpu */
function sourceHtml ({ name, shown, text, editorUrl, isNewer }, main, cpu) {
  const heat = heatOf(name, cpu)
  const lines = highlightLines(text.replaceAll('\r\n', '\n').replace(/\n$/, ''), name).map((line, at) => {
    const id = lineId({ file: name, line: at + 1 }, main)
    const shares = heat.get(at + 1)
    const gutter = cpu === null ? '' : heatHtml(shares)
    const hot = shares === undefined ? '' : ` hot-${Math.ceil(Math.max(shares.self, shares.total) * 5)}`
    return html`<span class="line${hot}" id="${id}">${gutter}<span class="at" aria-hidden="true">${
      at + 1}</span><span class="words">${line}</span></span>`
  })
  return html`<section class="source" aria-label="${name}" data-file="${name}"><h2><code>${shown}</code></h2>
${editorUrl === null
    ? ''
    : html`<p class="buttons"><button type="button" class="small" data-open-file="${name}">Open in my editor</button>
<a href="${editorUrl}" data-editor="${editorUrl}">Open in VS Code</a></p>`}
${isNewer ? html`<p class="note">Changed after this profile: its lines may have moved since.</p>` : ''}
<pre tabindex="0" aria-label="${name}">${cpu === null ? '' : head}<code>${lines}</code></pre></section>`
}

/**
 * The time that each line takes by itself, and that a function takes with everything that it calls, at its first line.
 * A report from before knows no lines: there both are of the function.
 *
 * @typedef {{ self: number, total: number }} Shares
 *
 * @param {string} name of the file
 * @param {CpuFigures | null} cpu
 * @returns {Map<number, Shares>} by line
 */
function heatOf (name, cpu) {
  /** @type {Map<number, Shares>} */
  const heat = new Map()
  const add = (/** @type {number} */ line, /** @type {Partial<Shares>} */ { self = 0, total = 0 }) => {
    const known = heat.get(line) ?? { self: 0, total: 0 }
    heat.set(line, { self: known.self + self, total: Math.max(known.total, total) })
  }
  for (const { owner, file, line, self, total, lines = [{ line, self }] } of cpu?.functions ?? []) {
    if (owner !== 'yours' || file !== name || total < leastShare) continue
    add(line, { total })
    for (const one of lines) add(one.line, one)
  }
  return heat
}

/** @param {Shares} [shares] */
function heatHtml ({ self, total } = { self: 0, total: 0 }) {
  return [self, total].map((share) =>
    html`<span class="heat" aria-hidden="true">${share < leastShare ? '' : (share * 100).toFixed(1)}</span>`)
}

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
<textarea id="${id}" name="answers" rows="1" maxlength="2000">${answers.get(question) ?? ''}</textarea></p>`
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
