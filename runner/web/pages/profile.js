import { escapeHtml } from '../../report/index.js'
import { formatWhen, marks } from '../../report/browser.js'
import { frame } from './frame.js'

/**
 * @import { Token } from './frame.js'
 *
 * @typedef {object} Profile
 * @property {string} slug
 * @property {number} number
 * @property {string} title
 * @property {{ url: string, name: string, madeAt: string } | null} report the newest one; madeAt: ISO 8601
 * @property {{ shown: string, text: string } | null} source the learner's file; null where there is none yet
 */

/**
 * The newest profile beside the learner's file.
 *
 * @param {Profile & Token} profile
 * @returns {string} HTML
 */
export function profilePage ({ token, slug, number, title, report, source }) {
  return frame({
    title: `Profile ${marks.dot} ${title} ${marks.dot} Make It Fast`,
    token,
    name: 'profile-page',
    nav: ` <a href="/lessons/${slug}">Lesson ${number}, ${escapeHtml(title)}</a>`,
    styles: ['/static/web/browser/profile.css'],
    main: `<h1>Lesson ${number}: where the time goes</h1>
${report === null ? noneHtml(slug) : reportHtml(report, source)}`
  })
}

/** @param {string} slug */
function noneHtml (slug) {
  return `<p>There is no profile yet. “Profile” <a href="/lessons/${slug}#measure">at the workbench</a> starts your
server, loads it, and records which function has the main thread.</p>`
}

/** @param {NonNullable<Profile['report']>} report @param {Profile['source']} source */
function reportHtml ({ url, name, madeAt }, source) {
  const [address, title] = [url, name].map(escapeHtml)
  return `<p>${title}, ${escapeHtml(formatWhen(madeAt))}. <a href="${address}">The report alone</a></p>
<div class="beside"><iframe src="${address}" sandbox="allow-scripts" title="Profile ${title}"></iframe>
${source === null ? '' : sourceHtml(source)}</div>`
}

/** @param {NonNullable<Profile['source']>} source */
function sourceHtml ({ shown, text }) {
  const lines = text.replaceAll('\r\n', '\n').split('\n').map((line, at) =>
    `<span class="at" aria-hidden="true">${at + 1}</span>${escapeHtml(line)}`)
  return `<section aria-labelledby="source"><h2 id="source"><code>${escapeHtml(shown)}</code></h2>
<pre class="source" tabindex="0"><code>${lines.join('\n')}</code></pre></section>`
}
