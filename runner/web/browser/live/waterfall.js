import { formatNumber, html, marks } from '../../../report/browser.js'
import { linearPlace, linearTicks } from './axes.js'
import { width } from './figure.js'
import { keyHtml, tableHtml } from './table.js'

/**
 * The upstream calls of one request as bars on one scale. Pure.
 *
 * @import { WaterfallBar, WaterfallResult } from '../../../judge/index.js'
 * @import { Figure } from './figure.js'
 */

const [left, right] = [156, width - 40]
const [rowHeight, gap] = [18, 8]
const longestName = 20

/** Those of both servers, one above the other. @param {WaterfallResult | null} [waterfall] @returns {Figure[]} */
export function waterfallFigures (waterfall) {
  if (!waterfall) return []
  const rows = [
    ...waterfall.baseline.map((bar) => ({ server: 'baseline', side: 'slow', ...bar })),
    ...waterfall.yours.map((bar) => ({ server: 'yours', side: 'yours', ...bar }))
  ]
  return [{
    kind: 'waterfall',
    name: 'calls',
    caption: html`<span><strong>Waterfall</strong>: the upstream calls of one request, ms</span>${
      keyHtml(['slow', 'yours'])}`,
    chart: barsSvg(rows),
    table: tableHtml('Upstream calls of one request, ms', ['call', 'server', 'begins', 'ends'],
      rows.map(({ path, server, startMs, endMs }) => [path, { text: server }, ms(startMs), ms(endMs)]))
  }]
}

/** @param {(WaterfallBar & { side: string })[]} rows */
function barsSvg (rows) {
  const wholeMs = Math.max(...rows.map(({ startMs, endMs }) => endMs ?? startMs), 1)
  const place = linearPlace(wholeMs, [left, right])
  const top = (/** @type {number} */ at) => at * rowHeight + (rows[at].side === rows[0].side ? 0 : gap)
  const bottom = top(rows.length - 1) + rowHeight
  const ticks = linearTicks(wholeMs).map((tick) => html`<line class="grid" x1="${place(tick)}" x2="${place(tick)}"
y1="0" y2="${bottom}"/><text class="tick" x="${place(tick)}" y="${bottom + 14}" text-anchor="middle">${tick}</text>`)
  const bars = rows.map(({ path, startMs, endMs, side }, at) => {
    const [x, end, y] = [place(startMs), place(endMs ?? wholeMs), top(at)]
    return html`<text class="tick" x="0" y="${y + 13}">${shortName(path)}</text><rect class="${side}${
      endMs === null ? ' hollow' : ''}" x="${x}" y="${y + 3}" width="${Math.max(end - x, 2).toFixed(1)}" height="${
      rowHeight - 6}" rx="2"/><text class="tick" x="${end + 5}" y="${y + 13}">${
      ms(endMs && endMs - startMs)}</text>`
  })
  return html`<svg class="chart" viewBox="0 0 ${width} ${bottom + 18}" aria-hidden="true">${ticks}${bars}</svg>`
}

/** @param {string} path of an upstream call */
function shortName (path) {
  const [name] = path.split('?')
  return name.length > longestName ? `${name.slice(0, longestName - 1)}…` : name
}

/** @param {number | null} value */
function ms (value) {
  return value === null ? marks.none : formatNumber(value, marks.none, 2)
}
