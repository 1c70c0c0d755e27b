import { html } from '../../report/index.js'
import { commandOf } from '../jobs/job-options.js'

/** Commands from a lesson's text, one per line, each with buttons to run and copy it. */

const forShell = /^(npm run|npx|node|curl) /

/**
 * @param {string} code of a block
 * @param {string[]} names by which commands call this lesson
 * @returns {string | null} HTML; null: the block holds something else
 */
export function commandsHtml (code, names) {
  const lines = code.split('\n').filter((line) => line.trim() !== '')
  if (lines.length === 0 || code.includes('\\\n') || !lines.every((line) => forShell.test(line))) return null
  return lines.map((line) => {
    const command = commandOf(line, names)
    const run = command === null
      ? ''
      : html`<button type="button" class="small run" data-run="${JSON.stringify(command)}" aria-label="Run ${
        line}">Run</button>`
    return html`<div class="command"><pre><code>${line}</code></pre>${run}
<button type="button" class="small" data-copy="${line}" aria-label="Copy ${line}">Copy</button>
<p class="outcome" role="status"></p></div>`
  }).join('\n')
}
