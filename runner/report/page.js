import { leadingGate, reachedTier } from '../judge/index.js'
import { dataElement, html, tableHtml, trusted } from './browser.js'
import { formatNumber, formatRatio } from './numbers.js'
import { createTheme } from './theme.js'

/**
 * @import { ResultRecord } from '../judge/index.js'
 * @import { Html } from './browser.js'
 */

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
tbody th { color: var(--ink); font-weight: 400; }
td.number, th.number { text-align: right; white-space: nowrap; }
.strong th, .strong td { font-weight: 600; }
th[style] {
  min-width: 9rem; padding-left: .3rem;
  background: linear-gradient(color-mix(in srgb, var(--accent) 22%, transparent) 0 0) 0 / var(--bar) 100% no-repeat;
}
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

/**
 * A page that says what a learner has passed, to keep, to print and to show. Pure.
 *
 * @param {readonly ResultRecord[]} records the best pass of each lesson
 * @param {{ name: string, at: string }} given name: of the learner, may be empty; at: ISO 8601
 * @returns {string} HTML
 */
export function certificatePage (records, { name, at }) {
  const { line } = createTheme()
  const machines = [...new Set(records.map(({ machine: { cpu, cores, platform, node } }) =>
    `${cpu}, ${cores} cores, ${platform}, Node ${node}`))]
  const learner = line(name)
  const body = html`<main>
<p class="seal" aria-hidden="true">✓</p>
<h1>Make It Fast</h1>
${learner === '' ? '' : html`<p class="name">${learner}</p>`}
<p>has made ${records.length} slow Node.js servers fast, and kept every answer right.</p>
<p class="soft">Each was measured against its slow original, in turn, on one machine. ${at.slice(0, 10)}</p>
<h2>The best pass of each lesson</h2>
${tableHtml('The best pass of each lesson', { columns, rows: records.map(rowOf) })}
<p class="soft">Measured on: ${machines.map(line).join('; ')}. A ratio holds for the machine on which it was
measured. This page says what a learner’s own machine has reported; no one else has verified it. The full records are
next to it, in certificate.json.</p>
</main>`
  return htmlPage({ title: learner === '' ? 'Make It Fast' : `Make It Fast · ${learner}`, body, styles: [style] })
}

const columns = ['##', 'Lesson', '#Ratio', '#Target', '#Likely', '#Date', '#Seed']

/** @param {ResultRecord} record */
function rowOf ({ lesson, gates, startedAt, seed }) {
  const { line, marks } = createTheme()
  const gate = leadingGate(gates) ?? gates.find(({ ratio }) => ratio !== null)
  const tier = reachedTier(gate)
  return [
    String(lesson.number),
    line(lesson.title) + (tier === null ? '' : `, ${line(tier)}`),
    gate === undefined ? marks.none : formatRatio(gate, marks),
    gate === undefined || gate.target === null
      ? marks.none
      : `${gate.direction} ${Number(gate.target.toPrecision(3))}${gate.ratioUnit}`,
    gate?.interval95 ? gate.interval95.map((bound) => formatNumber(bound, marks.none, 2)).join(' to ') : marks.none,
    startedAt.slice(0, 10),
    line(seed)
  ]
}

const style = `
main { max-width: 52rem; margin: 2rem auto; padding: 0 1rem; text-align: center; }
main p { margin-inline: auto; }
h1 { font-size: 2.2rem; margin: .2em 0; }
.seal { font-size: 3rem; line-height: 1; margin: 0; color: var(--accent); }
.name { font-size: 1.6rem; margin: .4em 0; overflow-wrap: anywhere; }
.soft { color: var(--soft); }
h2 { color: var(--soft); font-weight: 400; margin-top: 2rem; }
.scroll { margin-bottom: 2rem; }
table { margin: auto; font-size: inherit; }
th, td { padding: .3em .7em; }
@media print { main { margin: 0 auto; } a { color: inherit; } }
`
