import path from 'node:path'
import { structuredPatch } from 'diff'
import { plural } from '../../shared/format.js'
import { marks } from '../../report/browser.js'
import { html, withCode } from '../../report/index.js'
import { differingPart } from './live.js'
import { renderMarkdown } from './lesson-text.js'
import { asking, workshopFrame } from './workshop-frame.js'
import { changeOf, highlightLines, markPart } from './verdict-card.js'

/**
 * @import { StructuredPatchHunk } from 'diff'
 * @import { Html } from '../../report/index.js'
 * @import { TreeFile } from '../../workspace/index.js'
 * @import { Files, readDiff } from '../page-data.js'
 * @import { Around } from './workshop-frame.js'
 *
 * @typedef {{ name: string, files: Files }} Side name: `yours`
 * @typedef {{ sign: ' ' | '-' | '+', number: number }} Line number: in its own file
 * @typedef {{ text: string[], lines: Html[] }} Shown the lines of a file, plain and highlighted
 */

/** Two texts with nothing in common take long to compare. */
const longestMs = 2000

/**
 * Two folders of files side by side; on a phone one below the other.
 *
 * @param {Awaited<ReturnType<typeof readDiff>> & Around} diff
 * @returns {string} HTML
 */
export function diffPage ({
  slug, title, number, kind, with: shown, mine, other, refusal, text, last, ...around
}) {
  const slow = kind === 'server' ? 'slow' : 'first'
  const tab = (/** @type {string} */ one, /** @type {string} */ words) =>
    html`<a href="?with=${one}"${one === shown ? html` aria-current="page"` : ''}>${words}</a>`
  return workshopFrame({
    ...around,
    lesson: slug,
    title: `Compare ${marks.dot} ${title} ${marks.dot} Make It Fast`,
    name: 'diff-page',
    crumbs: [{ href: `/lessons/${slug}`, text: `${number} ${marks.dot} ${title}` }],
    here: 'Compare',
    main: html`<h1>${title}: ${shown === 'slow' ? 'your changes' : 'yours and the solution'}</h1>
<nav aria-label="Compare with"><p class="tabs">${tab('slow', `${kind === 'server' ? 'Slow' : 'First'} → mine`)} ${
      tab('solution', 'Mine → solution')}</p></nav>
${last === null || shown === 'solution' ? '' : changeOf(last.gates)}
<div class="with-${shown}">${
      other === null ? refusalHtml(slug, refusal ?? '') : bothHtml(mine, other, shown === 'slow' ? slow : null)}</div>
${text === null
      ? ''
      : html`<h2>Why the solution is written this way</h2><article>${renderMarkdown(text, { slug }).html}</article>`}`
  })
}

/** @param {string} slug @param {string} refusal */
function refusalHtml (slug, refusal) {
  return html`<p>${withCode(refusal)}</p>
<p class="buttons"><button type="button"${asking(`POST /api/lessons/${slug}/solution`)}>Show the solution
anyway</button> <span role="status" class="soft" data-said></span></p>`
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
  const [left, right] = [from, to].map((file) =>
    ({ text: linesOf(file).split('\n'), lines: highlightLines(linesOf(file), name) }))
  const ends = [0, ...patch.hunks.map(({ oldStart, oldLines }) => oldStart + oldLines - 1)]
  const hunks = patch.hunks.map((hunk, at) => html`${foldHtml(hunk.oldStart - 1 - ends[at])}<tbody>${
    sideBySide(hunk).map((row) => rowHtml(row, left, right))}</tbody>`)
  const [come, gone] = ['+', '-'].map((sign) =>
    patch.hunks.flatMap(({ lines }) => lines).filter((line) => line.startsWith(sign)).length)
  return html`${head}<p class="soft">${plural(come, 'line')} added, ${gone} removed</p>
<table class="diff"><thead><tr><th scope="col" class="at">line</th>
<th scope="col">${before.name}${from ? '' : ': not there'}</th><th scope="col" class="at">line</th>
<th scope="col">${after.name}${to ? '' : ': not there'}</th></tr></thead>
${hunks}${foldHtml(left.text.length - 1 - (ends.at(-1) ?? 0))}</table>`
}

/** @param {number} lines between two changes, the same in both */
function foldHtml (lines) {
  if (lines <= 0) return ''
  return html`<tbody><tr class="fold"><td colspan="4">${plural(lines, 'unchanged line')}</td></tr></tbody>`
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

/** @param {[Line | null, Line | null]} row @param {Shown} before the one file @param {Shown} after the other */
function rowHtml ([left, right], before, after) {
  const same = left?.sign === ' '
  const [one, other] = [textOf(left, before), textOf(right, after)]
  const { start, ends } = differingPart(one, other)
  const isPart = !same && (start > 0 || ends[0] < one.length)
  return html`<tr class="${same ? 'same' : 'changed'}">${
    cellHtml(left, 'gone', before, isPart ? [start, ends[0]] : null)}${
    cellHtml(right, 'come', after, isPart ? [start, ends[1]] : null)}</tr>`
}

/** @param {Line | null} line @param {Shown} file */
function textOf (line, { text }) {
  return line === null ? '' : text[line.number - 1]
}

/** @param {Line | null} line @param {string} side @param {Shown} file @param {[number, number] | null} part to mark */
function cellHtml (line, side, { lines }, part) {
  if (line === null) return html`<td class="at none"></td><td class="none"></td>`
  const sign = line.sign === ' ' ? '' : html`<span class="sign">${line.sign === '-' ? '−' : '+'}</span>`
  const name = line.sign === ' ' ? 'same' : side
  const code = lines[line.number - 1]
  return html`<td class="at ${name}">${line.number}</td><td class="${name} ${side}-side">${sign}<code>${
    part === null ? code : markPart(code, ...part)}</code></td>`
}
