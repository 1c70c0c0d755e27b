import { clockTime } from '../../format.js'
import { html, withCode } from '../../report/index.js'
import { commandOf, nameOf } from '../jobs/job-options.js'
import { headline } from './verdict-card.js'

/**
 * Commands of a lesson's text, one a line, each to be run or copied, with what came of it last.
 *
 * @import { ResultRecord } from '../../judge/index.js'
 * @import { Ended, LastJobs } from '../jobs/job.js'
 *
 * @typedef {object} Commands
 * @property {string[]} names by which commands call this lesson
 * @property {LastJobs} jobs
 * @property {ResultRecord | null} last
 */

const forShell = /^(npm run|npx|node|curl) /

/**
 * @param {string} code of a block
 * @param {Commands} commands
 * @returns {string | null} HTML; null: the block holds something else
 */
export function commandsHtml (code, { names, jobs: { outcomes = {} }, last }) {
  const lines = code.split('\n').filter((line) => line.trim() !== '')
  if (lines.length === 0 || code.includes('\\\n') || !lines.every((line) => forShell.test(line))) return null
  return lines.map((line) => {
    const command = commandOf(line, names)
    const run = command === null
      ? ''
      : html`<button type="button" class="small run" data-run="${JSON.stringify(command)}" aria-label="Run ${
        line}">Run</button>`
    const outcome = command === null
      ? ''
      // What is served isn't over: the page says so itself.
      : command.kind === 'serve'
        ? html`<p class="outcome" role="status"></p>`
        : html`<p class="outcome" role="status" data-part="outcome ${nameOf(command)}">${
          outcomeHtml(outcomes[nameOf(command)], last)}</p>`
    return html`<div class="command"><pre><code>${line}</code></pre>${run}
<button type="button" class="small" data-copy="${line}" aria-label="Copy ${line}">Copy</button>
${outcome}</div>`
  }).join('\n')
}

/** @param {Ended | undefined} ended @param {ResultRecord | null} last */
function outcomeHtml (ended, last) {
  if (ended === undefined) return ''
  const { job: { kind, state, message }, at } = ended
  const found = kind === 'check' && state === 'done' && last !== null ? headline(last) : ''
  const panel = kind === 'check' ? 'result' : kind
  return html`${withCode([found, message].filter(Boolean).join(' ') || 'Done.')} (${clockTime(at)})${
    state === 'done' ? html` <a href="#panel-${panel}">See it</a>` : ''}`
}
