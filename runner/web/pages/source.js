import { html } from '../../report/index.js'
import { lineId } from '../browser/lines.js'
import { highlightLines } from './highlight.js'

/**
 * @import { CpuFigures } from '../../profiling/index.js'
 * @import { ProfileData, Source } from '../read-profile.js'
 */

const head = html`<span class="line head" aria-hidden="true"><span class="heat">self %</span><span
class="heat">total %</span></span>`
/** Smaller shares are noise. */
const leastShare = 0.001

/** The learner's files, with the time of each function at its line. @param {ProfileData} profile */
export function sourcesHtml ({ sources, file, cpu }) {
  if (sources.length === 0) return html`<p>You have no copy yet: the first profile makes it.</p>`
  const [first, ...others] = sources
  return html`${sourceHtml(first, file, cpu)}${others.map((source) =>
    html`<details><summary><code>${source.name}</code></summary>${sourceHtml(source, file, cpu)}</details>`)}`
}

/** @param {Source} source @param {string} main @param {CpuFigures | null} cpu */
function sourceHtml ({ name, shown, text, editorUrl, isNewer }, main, cpu) {
  const heat = heatOf(name, cpu)
  const lines = highlightLines(text.replaceAll('\r\n', '\n').replace(/\n$/, ''), name).map((line, at) => {
    const id = lineId({ file: name, line: at + 1 }, main)
    const shares = heat.get(at + 1)
    const gutter = cpu === null ? '' : heatHtml(shares)
    const hot = shares === undefined ? '' : ` hot-${Math.ceil(Math.max(shares.self, shares.total) * 5)}`
    return html`<span class="line${hot}" id="${id}">${gutter}<span class="at" aria-hidden="true">${
      at + 1}</span><span class="words">${line}</span></span>`
  })
  return html`<section class="source" aria-label="${name}" data-file="${name}"><h2><code>${shown}</code></h2>
${editorUrl === null
    ? ''
    : html`<p class="buttons"><button type="button" class="small" data-open-file="${name}">Open in my editor</button>
<a href="${editorUrl}" data-editor="${editorUrl}">Open in VS Code</a></p>`}
${isNewer ? html`<p class="note">Changed after this profile: its lines may have moved since.</p>` : ''}
<pre tabindex="0" aria-label="${name}">${cpu === null ? '' : head}<code>${lines}</code></pre></section>`
}

/**
 * What each line takes by itself, and what a function takes with everything that it calls, at its first line. A report
 * from before knows no lines: there both are of the function.
 *
 * @typedef {{ self: number, total: number }} Shares
 *
 * @param {string} name of the file
 * @param {CpuFigures | null} cpu
 * @returns {Map<number, Shares>} by line
 */
function heatOf (name, cpu) {
  /** @type {Map<number, Shares>} */
  const heat = new Map()
  const add = (/** @type {number} */ line, /** @type {Partial<Shares>} */ { self = 0, total = 0 }) => {
    const known = heat.get(line) ?? { self: 0, total: 0 }
    heat.set(line, { self: known.self + self, total: Math.max(known.total, total) })
  }
  for (const { owner, file, line, self, total, lines = [{ line, self }] } of cpu?.functions ?? []) {
    if (owner !== 'yours' || file !== name || total < leastShare) continue
    add(line, { total })
    for (const one of lines) add(one.line, one)
  }
  return heat
}

/** @param {Shares} [shares] */
function heatHtml ({ self, total } = { self: 0, total: 0 }) {
  return [self, total].map((share) =>
    html`<span class="heat" aria-hidden="true">${share < leastShare ? '' : (share * 100).toFixed(1)}</span>`)
}
