import { html } from '../../report/index.js'
import { lineId } from '../browser/lines.js'
import { highlightLines } from './highlight.js'

/**
 * @import { CpuFigures, SeenFunction } from '../../profiling/index.js'
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
    return html`<span class="line${shares ? ` hot-${Math.ceil(shares.total * 5)}` : ''}" id="${id}">${
      gutter}<span class="at" aria-hidden="true">${at + 1}</span><span class="words">${line}</span></span>`
  })
  return html`<section class="source" aria-label="${name}" data-file="${name}"><h2><code>${shown}</code></h2>
<p class="buttons"><button type="button" class="small" data-open-file="${name}">Open in my editor</button>
<a href="${editorUrl}" data-editor="${editorUrl}">Open in VS Code</a></p>
${isNewer ? html`<p class="note">Changed after this profile: its lines may have moved since.</p>` : ''}
<pre tabindex="0" aria-label="${name}">${cpu === null ? '' : head}<code>${lines}</code></pre></section>`
}

/** By line, the largest. @param {string} file @param {CpuFigures | null} cpu @returns {Map<number, SeenFunction>} */
function heatOf (file, cpu) {
  /** @type {Map<number, SeenFunction>} */
  const lines = new Map()
  for (const one of cpu?.functions ?? []) {
    if (one.owner !== 'yours' || one.file !== file || one.total < leastShare) continue
    if ((lines.get(one.line)?.total ?? 0) < one.total) lines.set(one.line, one)
  }
  return lines
}

/** @param {SeenFunction | undefined} shares */
function heatHtml (shares) {
  const text = (/** @type {number} */ share) => shares === undefined ? '' : (share * 100).toFixed(1)
  return html`<span class="heat" aria-hidden="true">${text(shares?.self ?? 0)}</span><span class="heat"
aria-hidden="true">${text(shares?.total ?? 0)}</span>`
}
