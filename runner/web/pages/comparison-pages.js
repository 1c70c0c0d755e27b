import { html, tableHtml, withCode } from '../../report/index.js'
import { formatWhen, marks } from '../../report/browser.js'
import { resultHtml } from './result.js'
import { workshopFrame } from './room-bar.js'
import { headline } from './verdict-card.js'

/**
 * @import { KeptComparison } from '../../workspace/index.js'
 * @import { ComparisonData, listComparisons } from '../comparisons.js'
 * @import { Around } from './room-bar.js'
 */

const name = 'Comparisons'
const styles = ['charts', 'lesson', 'comparison'].map((style) => `/static/web/browser/${style}.css`)
const scripts = ['/static/web/browser/comparison.js']

/**
 * All that are known, and how one is made.
 *
 * @param {Awaited<ReturnType<typeof listComparisons>> & Around} list
 * @returns {string} HTML
 */
export function comparisonsPage ({ running, kept, ...around }) {
  return workshopFrame({
    ...around,
    title: `${name} ${marks.dot} Make It Fast`,
    name: 'comparisons-page',
    here: name,
    styles,
    scripts,
    data: null,
    main: html`<h1>${name}</h1>
<p>Is one of your own servers faster than another, by how much, and does it still give the same answers? Run this in a
terminal, in the folder of your service; it shows up here while it measures, and stays.
<a href="/docs/compare">How it works</a>.</p>
<pre><code>npx make-it-fast compare --git main . --path /movies</code></pre>
<div data-part="list">${running === null
  ? ''
  : html`<p class="note"><strong>Running now:</strong>
<a href="/comparisons/${running.id}">${titleOf(running)}</a></p>`}
${kept.length === 0 ? html`<p class="soft">There are none yet.</p>` : listHtml(kept)}</div>`
  })
}

/** @param {KeptComparison[]} kept */
function listHtml (kept) {
  const rows = kept.map((one) => {
    const result = one.record === null
      ? 'Profiles of both'
      : html`<span class="${one.record.verdict}"><span aria-hidden="true">${marks[one.record.verdict]}</span> ${
        headline(one.record)}</span>`
    const link = html`<a href="/comparisons/${one.id}">${titleOf(one)}</a>`
    return [link, result, formatWhen(startOf(one.id)), html`<code>${one.folder}</code>`]
  })
  return tableHtml(name, { columns: ['compared', 'result', 'when', 'in'], rows })
}

/**
 * One comparison, while it runs and afterwards.
 *
 * @param {ComparisonData & Around} data
 * @returns {string} HTML
 */
export function comparisonPage ({ comparison, isRunning, profile, ...around }) {
  const { id, before, after, folder, record = null } = comparison
  return workshopFrame({
    ...around,
    title: `${titleOf(comparison)} ${marks.dot} Make It Fast`,
    name: 'comparison-page',
    crumbs: [{ href: '/comparisons', text: name }],
    here: titleOf(comparison),
    styles,
    scripts,
    data: { id, servers: [before, after] },
    main: html`<h1>${titleOf(comparison)}</h1>
<p class="soft">${formatWhen(startOf(id))}, in <code>${folder}</code></p>
<p id="status" role="status" aria-live="polite"></p>
<div id="live"></div>
<div id="charts" class="charts"></div>
<div data-part="result">${isRunning
  ? ''
  : record === null
    ? profile?.id === id ? '' : html`<p>It ended without a result: its terminal says why.</p>`
    : resultHtml(record, { onward: html`<p>${withCode(record.reason)}</p>` })}</div>
<div data-part="profile">${isRunning ? '' : profileHtml(profile)}</div>`
  })
}

/** @param {ComparisonData['profile']} profile */
function profileHtml (profile) {
  if (profile === null) {
    return html`<h2>Where the time went</h2>
<p>The same command with <code>--profile</code> adds a differential flame graph of the two here.</p>`
  }
  const address = `/comparisons/${profile.id}/report`
  return html`<h2>Where the time went</h2>
<iframe src="${address}" sandbox="allow-scripts" title="CPU profiles of both, compared"></iframe>
<p class="soft">Recorded ${formatWhen(startOf(profile.id))}. <a href="${address}">Open full screen</a></p>`
}

/** @param {{ before: string, after: string }} comparison */
function titleOf ({ before, after }) {
  return `${after}, compared with ${before}`
}

/** @param {string} id @returns {string} ISO 8601 */
function startOf (id) {
  return id.replace(/T(\d\d)-(\d\d)-(\d\d)-/, 'T$1:$2:$3.')
}
