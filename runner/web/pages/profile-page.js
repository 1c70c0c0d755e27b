import { html } from '../../report/index.js'
import { formatWhen, marks } from '../../report/browser.js'
import { lineId } from '../browser/lines.js'
import { highlightLines } from './highlight.js'
import { allHtml, changesHtml, ownHtml, sentencesHtml } from './profile-tables.js'
import { seenHtml } from './prediction.js'
import { workshopFrame } from './room-bar.js'

/**
 * @import { ProfileData, Source } from '../read-profile.js'
 * @import { Around } from './room-bar.js'
 */

/** What makes a profile. */
export const profileButtons = html`
<button type="button" data-job="profile" data-tool="cpu">Where does the time go?</button>
<button type="button" data-job="profile" data-tool="trace">What grows?</button>`

/** @type {Record<string, string>} */
const words = { cpu: 'Where the time goes', trace: 'What grows', heap: 'Heap', prof: 'V8’s own profile' }

/**
 * The profiles of the learner's server beside their files.
 *
 * @param {ProfileData & Around} profile
 * @returns {string} HTML
 */
export function profilePage (profile) {
  const { token, classroom, fitness, slug, number, title, kind, tool, tabs, file, prediction } = profile
  const madeAt = tabs.find((tab) => tab.tool === tool)?.madeAt ?? null
  const first = prediction === null
    ? html`<p>First <a href="/lessons/${slug}#predict">write down what you expect</a>:
what is seen here answers it.</p>`
    : html`<section class="panel" aria-labelledby="predict"><h2 id="predict">Your prediction</h2>
${seenHtml(profile)}</section>`
  return workshopFrame({
    classroom,
    lesson: slug,
    title: `Profile ${marks.dot} ${title} ${marks.dot} Make It Fast`,
    token,
    name: 'profile-page',
    fitness,
    crumbs: [{ href: `/lessons/${slug}`, text: `${number} ${marks.dot} ${title}` }],
    here: 'Profile',
    styles: ['/static/web/browser/seen.css', '/static/web/browser/profile.css'],
    scripts: ['/static/web/browser/profile.js'],
    data: { slug, file },
    main: html`<h1>Lesson ${number}: profiles of your server</h1>
${kind === 'load plan'
    ? html`<p>This lesson is about a load plan: there is no server of yours to record.</p>`
    : html`<p class="buttons">${profileButtons} <span id="status" role="status" aria-live="polite"></span></p>
<noscript><p>The buttons need JavaScript. In a terminal: <code>npm run profile ${slug}</code></p></noscript>
<div data-part="seen">${first}</div>
<nav aria-label="Profiles" data-part="tabs"><p class="tabs">${tabs.map((tab) => tabHtml(tab, tool))}</p></nav>
<div class="beside"><div>${reportHtml(profile, madeAt)}</div>
<div data-part="sources">${sourcesHtml(profile)}</div></div>`}`
  })
}

/** @param {{ tool: string, madeAt: string | null }} tab @param {string} shown */
function tabHtml ({ tool, madeAt }, shown) {
  const when = html`<span class="soft">${madeAt === null ? 'not yet' : formatWhen(madeAt)}</span>`
  const current = tool === shown ? html` aria-current="page"` : ''
  return html`<span><a href="?tool=${tool}"${current}>${nameOf(tool)}</a> ${when}</span>`
}

/** @param {ProfileData} profile @param {string | null} madeAt null: there is none yet */
function reportHtml (profile, madeAt) {
  const { tool, cpu } = profile
  const own = cpu === null ? '' : html`<h2>Your functions</h2>${ownHtml(cpu, profile)}`
  return html`<div data-part="figures">${cpu === null ? '' : html`<h2>Reading</h2>${sentencesHtml(cpu)}${own}`}</div>
<div data-part="report">${madeAt === null ? noneHtml(tool) : frameHtml(profile, madeAt)}</div>
<div data-part="tables">${cpu === null ? '' : [changesHtml(cpu, profile), allHtml(cpu, profile)]}</div>`
}

/** @param {string} tool */
function noneHtml (tool) {
  const what = tool === 'cpu' ? 'where the CPU time goes' : 'memory, handles and the event loop over time'
  return html`<p>There is no such profile yet. The button above starts your server, loads it with this lesson’s
requests, and records ${what}.</p>`
}

/** @param {ProfileData} profile @param {string} madeAt */
function frameHtml ({ slug, tool }, madeAt) {
  // Another address for another report: the frame loads it then, and only then.
  const address = `/lessons/${slug}/profile/report?tool=${tool}&made=${Date.parse(madeAt)}`
  return html`<h2>${tool === 'cpu' ? 'Flame graph' : 'Report'}</h2>
<p>${tool === 'cpu' ? 'Click a frame of yours: its line is marked. ' : ''}<a href="${address}">The report alone</a></p>
<iframe src="${address}" sandbox="allow-scripts" title="Report: ${nameOf(tool)}"></iframe>`
}

/** @param {string} tool */
function nameOf (tool) {
  return words[tool] ?? tool
}

/** @param {ProfileData} profile */
function sourcesHtml ({ sources, file }) {
  if (sources.length === 0) return html`<p>You have no copy yet: the first profile makes it.</p>`
  const [first, ...others] = sources
  return html`${sourceHtml(first, file)}${others.map((source) =>
    html`<details><summary><code>${source.name}</code></summary>${sourceHtml(source, file)}</details>`)}`
}

/** @param {Source} source @param {string} main */
function sourceHtml ({ name, shown, text, editorUrl, isNewer }, main) {
  const lines = highlightLines(text.replaceAll('\r\n', '\n').replace(/\n$/, ''), name).map((line, at) => {
    const id = lineId({ file: name, line: at + 1 }, main)
    return html`<span class="line" id="${id}"><span class="at" aria-hidden="true">${at + 1}</span>${line}</span>`
  })
  return html`<section class="source" aria-label="${name}" data-file="${name}"><h2><code>${shown}</code></h2>
<p class="buttons"><button type="button" data-open-file="${name}">Open in my editor</button>
<a href="${editorUrl}" data-editor="${editorUrl}">Open in VS Code</a></p>
${isNewer ? html`<p class="note">Changed after this profile: its lines may have moved since.</p>` : ''}
<pre tabindex="0" aria-label="${name}"><code>${lines}</code></pre></section>`
}
