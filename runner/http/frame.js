import { dataElement, html } from '../report/browser.js'

/**
 * @import { Html } from '../report/browser.js'
 *
 * @typedef {{ token: string }} Token what requests of a page carry
 */

/**
 * The frame of every page. Styles and scripts are files: the policy of the server allows nothing in the page.
 *
 * @param {object} page
 * @param {string} page.title
 * @param {string} [page.token] that requests of this page carry
 * @param {Html} page.main
 * @param {Html} [page.above] what comes above it
 * @param {string} [page.name] what the styles call this page
 * @param {string | null} [page.home] where the name of the workshop leads; null: nowhere
 * @param {Html} [page.nav] next to the name of the workshop
 * @param {string[]} [page.styles] addresses
 * @param {string[]} [page.scripts] addresses of modules
 * @param {unknown} [page.data] for the scripts: `readData` of `http/browser.js`
 * @returns {string} HTML
 */
export function frame ({
  title, token = '', main, above = html``, name = '', home = '/', nav = html``, styles = [], scripts = [], data
}) {
  return String(html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="token" content="${token}">
<title>${title}</title>
<link rel="icon" href="/static/http/browser/icon.svg" type="image/svg+xml">
${['/static/http/browser/style.css', ...styles].map((href) => html`<link rel="stylesheet" href="${href}">`)}
${scripts.map((src) => html`<script src="${src}" type="module"></script>`)}
</head>
<body class="${name}">
<a class="skip" href="#main">Skip to the content</a>
<header class="top">${home === null
    ? html`<span class="home">Make It Fast</span>`
    : html`<a class="home" href="${home}">Make It Fast</a>`}${nav}</header>
${above}
<main id="main" tabindex="-1">
${main}
</main>
${data === undefined ? '' : dataElement(data)}
</body>
</html>
`)
}
