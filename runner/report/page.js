import { dataElement, html, trusted } from './html.js'

/** @import { Html } from './html.js' */

/**
 * One HTML file that works offline: styles, scripts and data are in it. Pure.
 *
 * @param {object} page
 * @param {string} page.title
 * @param {Html} page.body
 * @param {string[]} [page.styles] CSS
 * @param {string[]} [page.scripts] classic scripts, in this order; they find the data with
 *   `JSON.parse(document.getElementById('data').textContent)`
 * @param {unknown} [page.data]
 * @returns {string}
 */
export function htmlPage ({ title, body, styles = [], scripts = [], data = null }) {
  return String(html`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${trusted(policy)}">
<title>${title}</title>
<style>
${trusted([baseStyle, ...styles].join('\n'))}
</style>
<body>
${body}
${dataElement(data)}
${scripts.map((script) => html`<script>\n${trusted(script.replaceAll('</script', '<\\/script'))}\n</script>`)}
</body>
</html>
`)
}

/** Nothing is loaded from anywhere. */
const policy = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  "script-src 'unsafe-inline'",
  'img-src data:'
].join('; ')

/** Light and dark, from a phone's width up. */
const baseStyle = `
:root {
  color-scheme: light dark;
  --back: #fff; --ink: #1b1f24; --soft: #59636e; --line: #d1d9e0; --panel: #f6f8fa; --accent: #0969da;
}
@media (prefers-color-scheme: dark) {
  :root { --back: #0d1117; --ink: #e6edf3; --soft: #9198a1; --line: #3d444d; --panel: #151b23; --accent: #4493f8; }
}
* { box-sizing: border-box; }
body {
  margin: 0 auto; padding: 1rem; max-width: 1400px;
  background: var(--back); color: var(--ink); font: 15px/1.5 system-ui, sans-serif;
}
h1 { font-size: 1.3rem; margin: 0 0 .25rem; }
h2 { font-size: 1rem; margin: 1.5rem 0 .5rem; }
p { margin: .25rem 0 .75rem; max-width: 75ch; }
.soft { color: var(--soft); }
table { border-collapse: collapse; font-size: 13px; font-variant-numeric: tabular-nums; }
th, td {
  padding: .2rem .75rem .2rem 0; text-align: left; border-bottom: 1px solid var(--line); overflow-wrap: anywhere;
}
th { color: var(--soft); font-weight: 500; }
td.number, th.number { text-align: right; white-space: nowrap; }
code { font: 13px ui-monospace, monospace; overflow-wrap: anywhere; }
button, input, select {
  font: inherit; color: inherit; background: var(--panel);
  border: 1px solid var(--line); border-radius: 6px; padding: .25rem .6rem;
}
button:focus-visible, input:focus-visible, select:focus-visible {
  outline: 2px solid var(--accent); outline-offset: 1px;
}
.scroll { overflow-x: auto; }
.reading {
  margin: .75rem 0 1rem; padding: .6rem .9rem;
  background: var(--panel); border-left: 4px solid var(--accent); border-radius: 4px;
}
.reading p { margin: .3rem 0; }
`
