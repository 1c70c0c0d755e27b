import { html, paragraphs, tableHtml, untagged, withCode } from './browser.js'
import { axisOf } from './numbers.js'
import { layoutFitted } from './table.js'
import { padText, styleOf, textWidth, themeFor, wrapText } from './theme.js'

/**
 * @import { GateResult } from '../judge/index.js'
 * @import { Html } from './browser.js'
 * @import { Style, TextOptions, Theme } from './theme.js'
 */

const labelWidth = 11
const narrowBelow = 64
const longestLine = 100

/**
 * A labelled part of the report: the label next to its lines, or above them where it has no room there.
 *
 * @param {string} label
 * @param {(inner: Theme) => string[]} body lays out for the room that the label leaves
 * @param {Theme} theme
 * @returns {string[]} empty when the body is
 */
export function section (label, body, theme) {
  const isWide = theme.columns >= narrowBelow
  const indent = isWide ? labelWidth : 2
  const lines = body({ ...theme, columns: Math.min(longestLine, theme.columns) - indent })
  if (lines.length === 0) return []
  const set = lines.map((line) => line === '' ? '' : ' '.repeat(indent) + line)
  if (!isWide || textWidth(label) >= labelWidth) return [theme.paint('secondary', label), ...set]
  return [theme.paint('secondary', padText(label, labelWidth)) + lines[0], ...set.slice(1)]
}

/**
 * A summary in labelled sections: described once, shown in a terminal and in pages. Text in backticks is code.
 *
 * @typedef {object} Section
 * @property {string} title
 * @property {string[]} [text] sentences before the rows
 * @property {string[]} [chain] what leads to what
 * @property {string[]} [columns] titles of the columns, with # before one of numbers: it's aligned right, and never cut
 * @property {string[][]} [rows]
 * @property {number} [most] rows in a terminal; a page shows them all
 * @property {number[]} [bars] one for each row, 0 to 1, behind its name in a page
 * @property {number[]} [strong] numbers of the rows to be shown bold, from 0
 * @property {string[]} [notes] sentences after the rows
 */

/** @param {readonly Section[]} sections without those that say nothing */
function saying (sections) {
  return sections.filter(({ text = [], chain = [], rows = [], notes = [] }) =>
    text.length + chain.length + rows.length + notes.length > 0)
}

/**
 * @param {readonly Section[]} sections
 * @param {TextOptions} [options]
 * @returns {string} lines without a newline at the end
 */
export function sectionsText (sections, options) {
  const theme = themeFor(options)
  return saying(sections)
    .map((one) => section(one.title.replaceAll('`', ''), (inner) => body(one, inner), theme).join('\n'))
    .join('\n\n')
}

/**
 * Sentences and a table without a title.
 *
 * @param {Omit<Section, 'title'>} block
 * @param {TextOptions} [options]
 * @returns {string} lines without a newline at the end
 */
export function blockText (block, options) {
  return body(block, themeFor(options)).join('\n')
}

/** @param {Omit<Section, 'title'>} section @param {Theme} theme */
function body ({ text = [], chain = [], rows = [], notes = [], ...table }, theme) {
  const wrapped = (/** @type {string[]} */ sentences) =>
    sentences.flatMap((sentence) => wrapText(theme.line(sentence), theme.columns))
  return [
    ...wrapped(chain.length === 0 ? text : [...text, chain.join(' → ')]),
    ...rows.length === 0 ? [] : tableLines({ rows, ...table }, theme),
    ...wrapped(notes)
  ]
}

/** @param {Pick<Section, 'columns' | 'most' | 'strong'> & { rows: string[][] }} table @param {Theme} theme */
function tableLines ({ columns = [], rows, most = Infinity, strong = [] }, theme) {
  const styled = (/** @type {string[]} */ cells, /** @type {'secondary' | 'strong' | undefined} */ style) =>
    cells.map((cell) => ({ text: theme.line(cell), style }))
  const titles = columns.map(untagged)
  const head = titles.some((title) => title !== '')
  const shown = rows.slice(0, most).map((row, at) => styled(row, strong.includes(at) ? 'strong' : undefined))
  const align = columns.map((title) => title.startsWith('#') ? /** @type {const} */ ('right') : 'left')
  return layoutFitted(head ? [styled(titles, 'secondary'), ...shown] : shown, align, theme, { head })
}

/**
 * @param {readonly Section[]} sections
 * @param {object} [options]
 * @param {2 | 3} [options.level] of the headings
 * @param {boolean} [options.bars] styles in tags are allowed
 * @param {(row: string[]) => (string | Html)[]} [options.rowOf] draws a row of a table
 */
export function sectionsHtml (sections, { level = 2, bars: areShown = true, rowOf = (row) => row } = {}) {
  return html`${saying(sections).map(({ title, text = [], chain = [], rows = [], bars, notes = [], ...table }) => {
    const heading = level === 2 ? html`<h2>${withCode(title)}</h2>` : html`<h3>${withCode(title)}</h3>`
    const links = chain.map((link) => html`<li><code>${link}</code></li>`)
    return html`<section>${heading}${paragraphs(text)}${chain.length === 0 ? '' : html`<ol class="chain">${links}</ol>`}
${tableHtml(title.replaceAll('`', ''), {
  ...table, rows: rows.map(rowOf), bars: areShown ? bars : []
})}${paragraphs(notes)}</section>`
  })}`
}

/**
 * @param {string} title
 * @param {readonly Section[]} sections
 * @returns {string} Markdown, with every row
 */
export function sectionsMarkdown (title, sections) {
  const escaped = (/** @type {string[]} */ cells) => cells.map((cell) => cell.replaceAll('|', '\\|'))
  const parts = saying(sections).flatMap(({ title, text = [], chain = [], columns = [], rows = [], notes = [] }) => [
    `## ${title}`,
    ...text,
    ...chain.length === 0 ? [] : [chain.join(' → ')],
    ...rows.length === 0 ? [] : [tableMarkdown(rows[0].map((_, at) => columns[at] ?? ''), rows.map(escaped))],
    ...notes
  ])
  return `${[`# ${title}`, ...parts].join('\n\n')}\n`
}

/**
 * @param {readonly string[]} columns titles, with # before one of numbers
 * @param {readonly string[][]} rows cells of Markdown
 * @returns {string} lines without a newline at the end
 */
export function tableMarkdown (columns, rows) {
  const sides = columns.map((title) => title.startsWith('#') ? '--:' : '---')
  return [columns.map(untagged), sides, ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

/**
 * Blocks with an empty line between them, if the window is high enough.
 *
 * @param {string[][]} blocks empty ones are left out
 * @param {number} [height] lines that fit the window
 */
export function apart (blocks, height = Infinity) {
  const airy = blocks.filter((lines) => lines.length > 0).flatMap((lines, at) => at === 0 ? lines : ['', ...lines])
  const lines = airy.length <= height ? airy : blocks.flat()
  // In a very low window the newest lines, or the keys below them, count most.
  return lines.length <= height ? lines : lines.slice(-Math.max(1, height))
}

/**
 * One sign per round, from 0 to the largest value, so that heights can be compared.
 *
 * @param {number[]} values
 * @param {number} largest the value of a full sign
 * @param {string} signs from low to high
 * @returns {string}
 */
export function sparkline (values, largest, signs) {
  return values.map((value) => {
    const share = largest > 0 && Number.isFinite(value) ? value / largest : 0
    return signs[Math.max(0, Math.min(signs.length - 1, Math.round(share * (signs.length - 1))))]
  }).join('')
}

/**
 * What a record or a run is about: a comparison has its own title, and no number.
 *
 * @param {{ number: number, title: string }} lesson
 * @param {string} [dot]
 * @returns {string} `Lesson 3 · In-memory JSON`
 */
export function titleOf ({ number, title }, dot = '·') {
  return number === 0 ? title : `Lesson ${number} ${dot} ${title}`
}

/**
 * A small logarithmic axis with the ratio, its interval of 95 % and the target.
 *
 * @param {GateResult} gate
 * @param {number} width columns
 * @param {Theme} theme
 * @returns {{ text: string, painted: string } | null} null if there's nothing to draw
 */
export function scaleOf ({ ratio, interval95, target, verdict }, width, theme) {
  const axis = axisOf({ ratio, target })
  if (axis === null || width < 5) return null
  const place = (/** @type {number} */ value) => Math.round(axis(value) * (width - 1))

  const { marks } = theme
  /** @type {{ sign: string, style: Style }[]} */
  const cells = Array.from({ length: width }, () => ({ sign: marks.track, style: 'secondary' }))
  if (interval95 !== null) {
    for (let at = place(interval95[0]); at <= place(interval95[1]); at++) {
      cells[at] = { sign: marks.interval, style: styleOf(verdict) }
    }
  }
  cells[place(Number(ratio))] = { sign: marks.ratio, style: styleOf(verdict) }
  cells[place(Number(target))] = { sign: marks.target, style: 'strong' }

  return { text: cells.map((cell) => cell.sign).join(''), painted: paintRuns(cells, theme) }
}

/**
 * @param {{ sign: string, style: Style }[]} cells
 * @param {Theme} theme
 */
function paintRuns (cells, { paint }) {
  let painted = ''
  for (let start = 0, end = 0; start < cells.length; start = end) {
    while (end < cells.length && cells[end].style === cells[start].style) end++
    painted += paint(cells[start].style, cells.slice(start, end).map((cell) => cell.sign).join(''))
  }
  return painted
}
