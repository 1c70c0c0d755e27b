import { html } from '../../report/index.js'
import { formatWhen, marks } from '../../report/browser.js'
import { queryOf } from '../browser/lines.js'
import { allHtml, changesHtml, ownHtml, sentencesHtml } from './profile-tables.js'
import { seenHtml } from './prediction.js'
import { workshopFrame } from './room-bar.js'
import { sourcesHtml } from './source.js'

/**
 * @import { ProfileData } from '../read-profile.js'
 * @import { Around } from './room-bar.js'
 */

/** What makes a profile. */
export const profileButtons = html`
<button type="button" data-job="profile" data-tool="cpu">Profile</button>
<button type="button" data-job="profile" data-tool="trace">Over time</button>`

/** @type {Record<string, string>} */
const words = { cpu: 'Profile', trace: 'Over time', heap: 'Heap', prof: 'V8’s own profile' }

/**
 * The profiles of the learner's server and of the slow one, next to the files.
 *
 * @param {ProfileData & Around} profile
 * @returns {string} HTML
 */
export function profilePage (profile) {
  const { token, classroom, fitness, slug, number, title, kind, server, tool, tabs, file, prediction } = profile
  const current = tabs.find((tab) => tab.server === server && tab.tool === tool)
  const madeAt = current?.madeAt ?? null
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
    data: { slug, server, file },
    main: html`<div class="profile-bar"><h1>Profile</h1>
${kind === 'load plan'
    ? html`</div><p>This lesson is about a load plan: there is no server of yours to record.</p>`
    : html`<nav aria-label="Profiles" data-part="tabs"><p class="tabs">${tabs.map((tab) =>
      tabHtml(tab, tab === current))}</p></nav>
<p class="buttons">${profileButtons}${server === 'slow' ? ' of the slow server' : ''}
<span id="status" role="status" aria-live="polite"></span></p></div>
<noscript><p>The buttons need JavaScript. In a terminal: <code>npm run profile ${slug}</code></p></noscript>
<div class="panes"><div data-part="report">${madeAt === null ? noneHtml(profile) : frameHtml(profile, madeAt)}</div>
<div data-part="sources"><data id="hottest" hidden value="${JSON.stringify(hottestOf(profile))}"></data>
${sourcesHtml(profile)}</div></div>
<div data-part="seen">${first}</div>
<div class="figures" data-part="figures">${figuresHtml(profile)}</div>`}`
  })
}

/** Of the server's own functions the one that takes the most time by itself. @param {ProfileData} profile */
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
