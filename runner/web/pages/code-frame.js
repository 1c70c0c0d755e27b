import { html } from '../../report/index.js'
import { highlightLines } from './highlight.js'

/**
 * Five lines of the learner's code, with the relevant one marked.
 *
 * @typedef {{ file: string, line: number, text: string }} CodeFrame text: the whole file
 *
 * @param {CodeFrame} frame
 */
export function frameHtml ({ file, line, text }) {
  const lines = highlightLines(text.replaceAll('\r\n', '\n'), file)
  const first = Math.max(1, line - 2)
  const shown = lines.slice(first - 1, line + 2).map((code, at) => html`<span class="line${
    first + at === line ? ' marked' : ''}"><span class="at" aria-hidden="true">${first + at}</span>${code}</span>`)
  return html`<div class="frame"><p><button type="button" class="small" data-open="${file}" data-line="${line}">Open ${
    file}:${line}</button></p>
<pre tabindex="0" aria-label="${file}, line ${line}"><code>${shown}</code></pre></div>`
}
