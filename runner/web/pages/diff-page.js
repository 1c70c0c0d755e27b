import path from 'node:path'
import { readHints, startingPointOf } from '../../lesson/index.js'
import { differencesOf, html, linesOf, withCode } from '../../report/index.js'
import { plural } from '../../shared/format.js'
import { notYet, readProgress, readTree } from '../../workspace/index.js'
import { headOf, isStale, solutionText } from '../page-data.js'
import { differingPart } from './live.js'
import { renderMarkdown } from './lesson-text.js'
import { asking, belowLesson, workshopFrame } from './workshop-frame.js'
import { highlightLines, markPart } from './code-lines.js'
import { headline } from './verdict-card.js'

/**
 * The learner's files next to the slow server's or the solution's. First the page's data.
 *
 * @import { StructuredPatchHunk } from 'diff'
 * @import { LoadedLesson } from '../../lesson/index.js'
 * @import { Difference, Html } from '../../report/index.js'
 * @import { Around } from './workshop-frame.js'
 *
 * @typedef {Awaited<ReturnType<typeof readDiff>>} DiffData last: the last check, unless the files have changed since;
 *   hasCopy: is there anything of the learner's; differences: from the slow server to theirs, or from theirs to the
 *   solution, null where that isn't shown yet; refusal: Markdown, why not; text: Markdown, why the solution is made so
 * @typedef {{ sign: ' ' | '-' | '+', number: number }} Line number: in its own file
 * @typedef {{ text: string[], lines: Html[] }} Shown the lines of a file, plain and highlighted
 *
 * @param {LoadedLesson} entry
 * @param {'slow' | 'solution'} other
 */
export async function readDiff (entry, other) {
  const progress = await readProgress(entry)
  const { last, touched, solutionShown } = progress
  const refusal = other === 'slow' || solutionShown !== null
    ? null
    : await notYet(entry, progress, { command: null, hints: (await readHints(entry)).length })
  const mine = await filesIn(entry.workspaceDir, entry)
  const theirs = refusal === null ? await filesIn(folderOf(entry, other), entry) : null
  const [before, after] = other === 'slow' ? [theirs, mine] : [mine, theirs]
  return {
    ...headOf(entry),
    with: other,
    last: last === undefined || isStale(last, touched) ? null : last,
    hasCopy: mine.size > 0,
    differences: before && after && await differencesOf(before, after, 4),
    refusal,
    text: other === 'solution' && refusal === null ? await solutionText(entry) : null
  }
}

/** @param {LoadedLesson} entry @param {'slow' | 'solution'} other */
function folderOf (entry, other) {
  if (other === 'solution') return entry.solutionDir
  return entry.lesson.check === undefined ? entry.slowDir : startingPointOf(entry)
}

/** @param {string} dir @param {LoadedLesson} entry */
async function filesIn (dir, { file }) {
  const files = await readTree(dir, { first: file })
  files.delete('README.md')
  return files
}

/**
 * The files side by side; on a phone one below the other.
 *
 * @param {DiffData & Around} diff
 * @returns {string} HTML
 */
export function diffPage (diff) {
  const { slug, title, kind, with: shown, hasCopy, differences, refusal, text, last } = diff
  const isSlow = shown === 'slow'
  const tab = (/** @type {string} */ one, /** @type {string} */ words) =>
    html`<a href="?with=${one}"${one === shown ? html` aria-current="page"` : ''}>${words}</a>`
  const slow = kind === 'server' ? 'slow' : 'first'
  const names = isSlow ? [slow, 'yours'] : ['yours', 'the solution']
  return workshopFrame({
    ...belowLesson(diff, 'Compare'),
    name: 'diff-page',
    main: html`<h1>${title}: ${isSlow ? 'your changes' : 'yours and the solution'}</h1>
<nav aria-label="Compare with"><p class="tabs">${tab('slow', `${kind === 'server' ? 'Slow' : 'First'} → mine`)} ${
      tab('solution', 'Mine → solution')}</p></nav>
${last === null || !isSlow ? '' : html`<p>${headline(last)}</p>`}
<div class="with-${shown}">${differences === null
      ? refusalHtml(slug, refusal ?? '')
      : html`${hasCopy ? '' : html`<p>You have no copy yet: the first check makes it.</p>`}${
        isSlow && !hasCopy ? '' : differencesHtml(differences, names)}`}</div>
${text === null
      ? ''
      : html`<h2 id="write-up">Why the solution is written this way</h2>
<article>${renderMarkdown(text, { slug }).html}</article>`}`
  })
}

/** @param {string} slug @param {string} refusal */
function refusalHtml (slug, refusal) {
  return html`<p>${withCode(refusal)}</p>
<p class="buttons"><button type="button"${asking(`POST /api/lessons/${slug}/solution`)}>Show the solution
anyway</button> <span role="status" class="soft" data-said></span></p>`
}

/** @param {Difference[]} differences @param {string[]} names of the two sides */
function differencesHtml (differences, names) {
  if (differences.length === 0) return html`<p>Both are the same, file by file.</p>`
  return html`${differences.map((difference) => html`<h2><code>${difference.name}</code></h2>${
    difference.note === undefined
      ? fileHtml(difference, names)
      : html`<p>${path.basename(difference.name)} ${difference.note}.</p>`}`)}`
}

/** @param {Difference} difference @param {string[]} names of the two sides */
function fileHtml ({ name, from, to, hunks }, [before, after]) {
  const [left, right] = [from, to].map((file) =>
    ({ text: linesOf(file).split('\n'), lines: highlightLines(linesOf(file), name) }))
  const ends = [0, ...hunks.map(({ oldStart, oldLines }) => oldStart + oldLines - 1)]
  const rows = hunks.map((hunk, at) => html`${foldHtml(hunk.oldStart - 1 - ends[at])}<tbody>${
    sideBySide(hunk).map((row) => rowHtml(row, left, right))}</tbody>`)
  const [come, gone] = ['+', '-'].map((sign) =>
    hunks.flatMap(({ lines }) => lines).filter((line) => line.startsWith(sign)).length)
  return html`<p class="soft">${plural(come, 'line')} added, ${gone} removed</p>
<table class="diff"><thead><tr><th scope="col" class="at">line</th>
<th scope="col">${before}${from ? '' : ': not there'}</th><th scope="col" class="at">line</th>
<th scope="col">${after}${to ? '' : ': not there'}</th></tr></thead>
${rows}${foldHtml(left.text.length - 1 - (ends.at(-1) ?? 0))}</table>`
}

/** @param {number} lines between two changes, the same in both */
function foldHtml (lines) {
  if (lines <= 0) return ''
  return html`<tbody><tr class="fold"><td colspan="4">${plural(lines, 'unchanged line')}</td></tr></tbody>`
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
