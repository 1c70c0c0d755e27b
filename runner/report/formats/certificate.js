/** What a learner has passed, as one page to keep, to print and to show. Pure. */
import { leadingGate, reachedTier } from '../../judge/index.js'
import { createTheme } from '../layout/theme.js'
import { formatNumber, formatRatio } from '../layout/numbers.js'
import { html } from '../html.js'
import { htmlPage } from '../page.js'

/** @import { GateResult, ResultRecord } from '../../judge/index.js' */

/**
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
<div class="wide"><table>
<caption>The best pass of each lesson</caption>
<thead><tr><th scope="col">#</th><th scope="col">Lesson</th><th scope="col">Ratio</th><th scope="col">Target</th>
<th scope="col">Likely</th><th scope="col">Date</th><th scope="col">Seed</th></tr></thead>
<tbody>
${records.map(rowOf)}
</tbody></table></div>
<p class="soft">Measured on: ${machines.map(line).join('; ')}. A ratio holds for the machine on which it was
measured. This page says what a learner’s own machine has reported; no one else has verified it. The full records are
next to it, in certificate.json.</p>
</main>`
  return htmlPage({ title: learner === '' ? 'Make It Fast' : `Make It Fast · ${learner}`, body, styles: [style] })
}

/** @param {ResultRecord} record */
function rowOf ({ lesson, gates, startedAt, seed }) {
  const { line, marks } = createTheme()
  const gate = leadingGate(gates) ?? gates.find(({ ratio }) => ratio !== null)
  const tier = reachedTier(gate)
  const cells = [
    String(lesson.number),
    line(lesson.title) + (tier === null ? '' : `, ${line(tier)}`),
    gate === undefined ? marks.none : formatRatio(gate, marks),
    gate === undefined ? marks.none : askedFor(gate),
    gate?.interval95 ? gate.interval95.map((bound) => formatNumber(bound, marks.none, 2)).join(' to ') : marks.none,
    startedAt.slice(0, 10),
    line(seed)
  ]
  return html`<tr>${cells.map((cell, at) =>
    at === 1 ? html`<th scope="row">${cell}</th>` : html`<td>${cell}</td>`)}</tr>`
}

/** @param {GateResult} gate */
function askedFor ({ target, ratioUnit, direction }) {
  return target === null ? '–' : `${direction} ${Number(target.toPrecision(3))}${ratioUnit}`
}

const style = `
main { max-width: 52rem; margin: 2rem auto; padding: 0 1rem; text-align: center; }
main p { margin-inline: auto; }
h1 { font-size: 2.2rem; margin: .2em 0; }
.seal { font-size: 3rem; line-height: 1; margin: 0; color: var(--accent); }
.name { font-size: 1.6rem; margin: .4em 0; overflow-wrap: anywhere; }
.soft { color: var(--soft); }
.wide { overflow-x: auto; margin: 2rem 0; }
table { border-collapse: collapse; margin: auto; font-variant-numeric: tabular-nums; }
caption { color: var(--soft); padding-bottom: .5em; }
th, td { padding: .3em .7em; border-bottom: 1px solid var(--line); text-align: right; font-weight: normal; }
thead th { color: var(--soft); }
tbody th { color: var(--ink); }
tbody th, thead th:nth-child(2) { text-align: left; }
@media print { main { margin: 0 auto; } a { color: inherit; } }
`
