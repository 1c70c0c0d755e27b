import { escapeHtml } from '../../report/index.js'
import { markdownHtml } from './markdown.js'

export { markdownHtml }

/**
 * @import { LessonPage, readComparison, State } from '../lessons.js'
 *
 * @typedef {{ token: string }} Token
 */

/** @param {State & Token} state */
export function homePage ({ token, lessons }) {
  const items = lessons.map(({ slug, number, title, state }) =>
    `<li><a href="/lessons/${slug}">${number} ${escapeHtml(title)}</a> ${state}</li>`)
  return layout({ title: 'Make It Fast', token, body: `<ol>${items.join('')}</ol>` })
}

/** @param {LessonPage & Token} lesson */
export function lessonPage ({ token, slug, title, text }) {
  return layout({ title, token, body: markdownHtml(text, slug) })
}

/** @param {Awaited<ReturnType<typeof readComparison>> & Token} comparison */
export function comparePage ({ token, title, slug, refusal, mine, other }) {
  const body = refusal === null
    ? `<pre>${escapeHtml(JSON.stringify({ mine, other }, null, 2))}</pre>`
    : markdownHtml(refusal, slug)
  return layout({ title, token, body })
}

/**
 * @param {{ slug: string, number: number, title: string, report: { url: string, name: string, madeAt: string } | null }
 *   & Token} profile report: the newest one; madeAt: ISO 8601
 */
export function profilePage ({ token, title, report }) {
  const body = report
    ? `<iframe title="Profile" sandbox="allow-scripts" src="${report.url}"></iframe>`
    : 'No profile yet.'
  return layout({ title, token, body })
}

/** @param {{ title: string, message: string }} error message: a sentence */
export function errorPage ({ title, message }) {
  return layout({ title, token: '', body: `<p>${escapeHtml(message)}</p><p><a href="/">All lessons</a></p>` })
}

/** @param {{ title: string, token: string, body: string }} page body: HTML */
function layout ({ title, token, body }) {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="token" content="${escapeHtml(token)}">
<title>${escapeHtml(title)}</title>
<main><h1>${escapeHtml(title)}</h1>${body}</main>
</html>
`
}
