import { escapeHtml } from '../report/browser.js'

/** @typedef {{ token: string }} Token what requests of a page carry */

/**
 * The frame of every page. Styles and scripts are files: the policy of the server allows nothing in the page.
 *
 * @param {object} page
 * @param {string} page.title
 * @param {string} [page.token] that requests of this page carry
 * @param {string} page.main HTML
 * @param {string} [page.name] what the styles call this page
 * @param {string | null} [page.home] where the name of the workshop leads; null: nowhere
 * @param {string} [page.nav] HTML beside the name of the workshop
 * @param {string[]} [page.styles] addresses
 * @param {string[]} [page.scripts] addresses of modules
 * @param {string[]} [page.classic] addresses of classic scripts, which come first
 * @param {unknown} [page.data] for the scripts: `JSON.parse(document.getElementById('data').textContent)`
 * @returns {string} HTML
 */
export function frame ({
  title, token = '', main, name = '', home = '/', nav = '', styles = [], scripts = [], classic = [], data
}) {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="token" content="${escapeHtml(token)}">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="/static/http/browser/icon.svg" type="image/svg+xml">
${['/static/http/browser/style.css', ...styles].map((href) => `<link rel="stylesheet" href="${href}">`).join('\n')}
${classic.map((src) => `<script src="${src}" defer></script>`).join('\n')}
${scripts.map((src) => `<script src="${src}" type="module"></script>`).join('\n')}
</head>
<body class="${name}">
<a class="skip" href="#main">Skip to the content</a>
<header class="top">${home === null
    ? '<span class="home">Make It Fast</span>'
    : `<a class="home" href="${home}">Make It Fast</a>`}${nav}</header>
<main id="main" tabindex="-1">
${main}
</main>
${data === undefined
    ? ''
    : `<script type="application/json" id="data">${JSON.stringify(data).replaceAll('<', '\\u003c')}</script>`}
</body>
</html>
`
}
