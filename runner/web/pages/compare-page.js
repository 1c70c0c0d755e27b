import path from 'node:path'
import { structuredPatch } from 'diff'
import { html, withCode } from '../../report/index.js'
import { marks } from '../../report/browser.js'
import { highlightLines } from './highlight.js'
import { renderMarkdown } from './markdown.js'
import { workshopFrame } from './room-bar.js'

/**
 * @import { StructuredPatchHunk } from 'diff'
 * @import { Html } from '../../report/index.js'
 * @import { TreeFile } from '../../workspace/index.js'
 * @import { Files, readComparison } from '../lessons.js'
 * @import { Around } from './room-bar.js'
 *
 * @typedef {{ name: string, files: Files }} Side name: `yours`
 * @typedef {{ sign: ' ' | '-' | '+', number: number }} Line number: in its own file
 */

/** Two texts with nothing in common take long to compare. */
const longestMs = 2000

/**
 * Two folders of files side by side; on a phone one below the other.
 *
 * @param {Awaited<ReturnType<typeof readComparison>> & Around} comparison
 * @returns {string} HTML
 */
export function comparePage ({
  token, classroom, fitness, slug, title, number, kind, with: shown, mine, other, refusal, text
}) {
  const slow = kind === 'load plan' ? 'the first one' : 'the slow one'
  const tab = (/** @type {string} */ one, /** @type {string} */ words) =>
    html`<a href="?with=${one}"${one === shown ? html` aria-current="page"` : ''}>${words}</a>`
  return workshopFrame({
    classroom,
    lesson: slug,
    title: `Compare ${marks.dot} ${title} ${marks.dot} Make It Fast`,
    token,
    name: 'compare-page',
    fitness,
    crumbs: [{ href: `/lessons/${slug}`, text: `${number} ${marks.dot} ${title}` }],
    here: 'Compare',
    styles: ['/static/web/browser/compare.css'],
    scripts: ['/static/web/browser/compare.js'],
    data: { slug },
    main: html`<h1>Lesson ${number}: compare</h1>
<nav aria-label="Compare with"><p class="tabs">${tab('slow', `Mine and ${slow}`)} ${
      tab('solution', 'Mine and the solution')}</p></nav>
${other === null ? refusalHtml(refusal ?? '') : bothHtml(mine, other, shown === 'slow' ? slow : null)}
${text === null
      ? ''
      : html`<h2>Why the solution is written this way</h2><article>${renderMarkdown(text, { slug }).html}</article>`}`
  })
}

/** @param {string} refusal */
function refusalHtml (refusal) {
  return html`<p>${withCode(refusal)}</p>
<p class="buttons"><button type="button" data-solution>Show the solution anyway</button>
<span role="status" class="soft"></span></p>`
}

/** @param {Files} mine @param {Files} other @param {string | null} slow its name; null: it's the solution */
function bothHtml (mine, other, slow) {
  const none = Object.keys(mine).length === 0 ? html`<p>You have no copy yet: the first check makes it.</p>` : ''
  if (none !== '' && slow !== null) return none
  const yours = { name: 'yours', files: mine }
  return slow === null
    ? html`${none}${differencesHtml(yours, { name: 'the solution', files: other })}`
    : differencesHtml({ name: slow, files: other }, yours)
}

/** @param {Side} before @param {Side} after */
function differencesHtml (before, after) {
  const names = [...new Set([...Object.keys(after.files), ...Object.keys(before.files)])]
  const differing = names.filter((name) => !isSame(before.files[name], after.files[name]))
  if (differing.length === 0) return html`<p>Both are the same, file by file.</p>`
  return html`${differing.map((name) => fileHtml(name, before, after))}`
}

/** @param {string} name @param {Side} before @param {Side} after */
function fileHtml (name, before, after) {
  const [from, to] = [before.files[name], after.files[name]]
  const head = html`<h2><code>${name}</code></h2>`
  const note = from?.note ?? to?.note
  if (note !== undefined) return html`${head}<p>${path.basename(name)} ${note}.</p>`
  const patch = structuredPatch('', '', linesOf(from), linesOf(to), '', '', { context: 4, timeout: longestMs })
  if (patch === undefined) return html`${head}<p>It has changed too much to be compared line by line.</p>`
  const [left, right] = [from, to].map((file) => highlightLines(linesOf(file), name))
  const hunks = patch.hunks.map((hunk) =>
    html`<tbody>${sideBySide(hunk).map((row) => rowHtml(row, left, right))}</tbody>`)
  return html`${head}<table class="diff"><thead><tr><th scope="col" class="at">line</th>
<th scope="col">${before.name}${from ? '' : ': not there'}</th><th scope="col" class="at">line</th>
<th scope="col">${after.name}${to ? '' : ': not there'}</th></tr></thead>
${hunks}</table>`
}

/** @param {TreeFile} [one] @param {TreeFile} [other] */
function isSame (one, other) {
  return one !== undefined && other !== undefined && one.note === other.note && linesOf(one) === linesOf(other)
}

/** How lines end is git's affair. @param {TreeFile} [file] */
function linesOf (file) {
  return (file?.text ?? '').replaceAll('\r\n', '\n')
}

/**
 * The lines of a hunk in pairs: removed next to added.
 *
 * @param {StructuredPatchHunk} hunk
 * @returns {[Line | null, Line | null][]}
 */
export function sideBySide ({ oldStart, newStart, lines }) {
  /** @type {[Line | null, Line | null][]} */
  const rows = []
  /** @type {Line[]} */
  let gone = []
  /** @type {Line[]} */
  let come = []
  const flush = () => {
    for (let at = 0; at < Math.max(gone.length, come.length); at++) rows.push([gone[at] ?? null, come[at] ?? null])
    gone = []
    come = []
  }
  let [before, after] = [oldStart, newStart]
  for (const line of lines) {
    if (line.startsWith('-')) gone.push({ sign: '-', number: before++ })
    else if (line.startsWith('+')) come.push({ sign: '+', number: after++ })
    else if (line.startsWith(' ')) {
      flush()
      rows.push([{ sign: ' ', number: before++ }, { sign: ' ', number: after++ }])
    }
  }
  flush()
  return rows
}

/**
 * @param {[Line | null, Line | null]} row
 * @param {Html[]} before the lines of the one file
 * @param {Html[]} after of the other
 */
function rowHtml ([left, right], before, after) {
  const kind = left?.sign === ' ' ? 'same' : 'changed'
  return html`<tr class="${kind}">${cellHtml(left, 'gone', before)}${cellHtml(right, 'come', after)}</tr>`
}

/** @param {Line | null} line @param {string} side @param {Html[]} lines */
function cellHtml (line, side, lines) {
  if (line === null) return html`<td class="at none"></td><td class="none"></td>`
  const mark = line.sign === ' ' ? '' : html`<span class="sign">${line.sign === '-' ? '−' : '+'}</span>`
  const name = line.sign === ' ' ? 'same' : side
  return html`<td class="at ${name}">${line.number}</td><td class="${name} ${side}-side">${mark}<code>${
    lines[line.number - 1]}</code></td>`
}
