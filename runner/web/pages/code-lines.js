import jsTokens from 'js-tokens'
import { html, trusted } from '../../report/index.js'
import { lineId } from '../browser/lines.js'
import { sparkSvg } from './charts.js'
import { asking } from './workshop-frame.js'

/**
 * Code on pages: highlighted, with its lines numbered, and with what a profile or an error says about each. Pure.
 *
 * @import { CpuFigures } from '../../profiling/index.js'
 * @import { Html } from '../../report/index.js'
 *
 * @typedef {{ file: string, line: number, text: string }} CodeFrame text: the whole file
 * @typedef {{ name: string, text: string }} Source name: relative to the server's folder, with slashes
 */

/**
 * A whole file, line by line. Each has an id, and of a profile the shares of the time.
 *
 * @param {Source} source
 * @param {object} around
 * @param {string} around.main the lesson's own file
 * @param {CpuFigures | null} [around.cpu] what a profile says of these very lines
 * @param {number} [around.wrong] the line of an error
 */
export function linesHtml ({ name, text }, { main, cpu = null, wrong }) {
  const heat = heatOf(name, cpu)
  const [hottest] = (cpu?.functions ?? []).filter(({ owner }) => owner === 'yours')
    .sort((a, b) => b.charged - a.charged)
  const most = Math.max(leastShare, ...[...heat.values()].map(hotShare))
  return linesOf(name, text).map((line, at) => {
    const number = at + 1
    const shares = heat.get(number)
    const marks = [
      shares === undefined ? '' : ` hot-${Math.ceil(hotShare(shares) / most * 5)}`,
      hottest?.file === name && hottest.line === number ? ' hottest' : '',
      wrong === number ? ' wrong' : ''
    ].join('')
    return html`<span class="line${marks}" id="${lineId({ file: name, line: number }, main)}">${
      cpu === null ? '' : heatHtml(shares)}<span class="at" aria-hidden="true" data-line="${number}">${
      number}</span><span class="words">${line}</span></span>`
  })
}

/** What stands above the shares. */
export const heatHead = html`<span class="line head" aria-hidden="true"><span class="heat">self %</span><span
class="heat">total %</span></span>`

/** Five lines of the learner's code, with the relevant one marked. @param {CodeFrame} frame @param {string} slug */
export function frameHtml ({ file, line, text }, slug) {
  const first = Math.max(1, line - 2)
  const shown = linesOf(file, text).slice(first - 1, line + 2).map((code, at) => html`<span class="line${
    first + at === line ? ' wrong' : ''}"><span class="at" aria-hidden="true">${first + at}</span><span
class="words">${code}</span></span>`)
  return html`<div class="frame"><p><button type="button" class="small"${
    asking(`POST /api/lessons/${slug}/open`, { file, line })}>Open ${file}:${line}</button></p>
<pre tabindex="0" aria-label="${file}, line ${line}"><code>${shown}</code></pre></div>`
}

/** @param {string} name @param {string} text */
function linesOf (name, text) {
  return highlightLines(text.replaceAll('\r\n', '\n').replace(/\n$/, ''), name)
}

/**
 * Draws the rows of a report: a place in the files leads to its line, and what's drawn of blocks in a terminal is a
 * curve.
 *
 * @param {readonly Source[]} sources
 * @param {(id: string) => string} hrefOf the address of a line, by its id
 * @param {string} main the lesson's own file
 * @returns {(row: string[]) => (string | Html)[]}
 */
export function rowsOf (sources, hrefOf, main) {
  return (row) => row.map((text) => {
    const [, file = '', line] = /^(.+):(\d+)$/.exec(text) ?? []
    if (!sources.some(({ name }) => name === file)) return /^[▁▂▃▄▅▆▇█]{4,}$/.test(text) ? sparkSvg(text) : text
    return html`<a href="${hrefOf(encodeURIComponent(lineId({ file, line: Number(line) }, main)))}">${text}</a>`
  })
}

/** Smaller shares are noise. */
const leastShare = 0.001

/** @param {Shares} shares */
function hotShare ({ self, total }) {
  return Math.max(self, total)
}

/**
 * The time that each line takes by itself, and that a function takes with everything that it calls, at its first line.
 * A report from before knows no lines: there both are of the function.
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

/** Which tokens are marked: enough to tell code from comments. @type {[RegExp, string][]} */
const classes = [
  [/Comment$/, 'comment'],
  [/^(StringLiteral|Template|NoSubstitutionTemplate|RegularExpression)/, 'string']
]

const keywords = new Set(`async await break case catch class const continue debugger default delete do else export
extends false finally for from function if import in instanceof let new null of return static super switch this throw
true try typeof undefined var void while with yield`.split(/\s+/))

/** Long bundles are shown without marks. */
const longest = 200_000

/**
 * JavaScript, line by line, with keywords, strings and comments marked; every other text as it is.
 *
 * @param {string} text
 * @param {string} name of the file, or a language of Markdown's
 * @returns {Html[]}
 */
export function highlightLines (text, name) {
  if (!/(^|\.)([cm]?js|javascript)$/.test(name) || text.length > longest) {
    return text.split('\n').map((line) => html`${line}`)
  }
  const marked = [...jsTokens(text)].map(({ type, value }) => {
    const name = type === 'IdentifierName' ? keywords.has(value) && 'keyword' : classOf(type)
    if (!name) return html`${value}`
    return value.split('\n').map((part) => html`<span class="${name}">${part}</span>`).join('\n')
  })
  return marked.join('').split('\n').map(trusted)
}

/**
 * @param {Html} line highlighted
 * @param {number} start in its text
 * @param {number} end
 * @returns {Html} with that part marked
 */
export function markPart (line, start, end) {
  let at = 0
  const parts = (String(line).match(/<[^>]*>|&[^;]+;|[^<&]/g) ?? []).map((part) => {
    if (part.startsWith('<')) return part
    const isMarked = at >= start && at < end
    at++
    return isMarked ? `<mark>${part}</mark>` : part
  })
  return trusted(parts.join('').replaceAll('</mark><mark>', ''))
}

/** @param {string} type */
function classOf (type) {
  return classes.find(([pattern]) => pattern.test(type))?.[1]
}
