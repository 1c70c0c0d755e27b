import { formatNumber, html, marks } from '../../../report/browser.js'
import { linearPlace, linearTicks } from './axes.js'
import { width } from './figure.js'
import { keyHtml, tableHtml } from './table.js'

/**
 * @import { RoundResult } from '../../../judge/index.js'
 * @import { Figure } from './figure.js'
 */

const [left, bottom] = [56, 120]

/** The rounds of each load. @param {readonly RoundResult[]} rounds @returns {Figure[]} */
export function roundFigures (rounds) {
  return [...loadsOf(rounds)].map(([load, ofLoad]) => {
    const servers = ofLoad[0].servers ?? ['baseline', 'yours']
    return {
      kind: 'rounds',
      name: load,
      caption: captionOf(load, ofLoad, servers),
      chart: roundsSvg(ofLoad),
      table: tableHtml('Rounds', ['round', ...servers, 'ratio', 'remark'], ofLoad.map(rowOf))
    }
  })
}

/**
 * @param {readonly RoundResult[]} rounds
 * @returns {Map<string, RoundResult[]>} by load, in the order of their first round
 */
function loadsOf (rounds) {
  /** @type {Map<string, RoundResult[]>} */
  const loads = new Map()
  for (const round of rounds) loads.set(round.load, [...loads.get(round.load) ?? [], round])
  return loads
}

/** @param {string} load @param {RoundResult[]} rounds @param {[string, string]} servers */
function captionOf (load, rounds, servers) {
  const disturbed = rounds.filter((round) => round.disturbed !== null).length
  const count = `${rounds.length} ${rounds.length === 1 ? 'round' : 'rounds'}`
  return html`<span><strong>${load}</strong>, ${rounds[0].unit ?? 'requests/s'}</span>
<span class="soft">${count}${disturbed === 0 ? '' : `, ${disturbed} disturbed (hollow)`}</span>
${keyHtml(servers[0] === 'baseline' ? ['slow', 'yours'] : servers)}`
}

/** A pair of dots per round, hollow where it was disturbed. @param {RoundResult[]} rounds */
function roundsSvg (rounds) {
  const high = Math.max(...rounds.flatMap(({ baseline, yours }) => [baseline, yours])) * 1.05
  const place = linearPlace(high, [bottom, 4])
  const step = (width - left) / rounds.length
  const ticks = linearTicks(high).map((tick) => html`<line class="grid" x1="${left}" x2="${width}" y1="${place(tick)}"
y2="${place(tick)}"/><text class="tick" x="${left - 8}" y="${place(tick) + 4}" text-anchor="end">${
  tick.toLocaleString('en')}</text>`)
  const pairs = rounds.map(({ number, baseline, yours, disturbed }, at) => {
    const x = (left + (at + 0.5) * step).toFixed(1)
    const hollow = disturbed === null ? '' : ' hollow'
    const isWritten = at === 0 || at === rounds.length - 1 || (rounds.length <= 12 && step > 16)
    return html`<line class="pair" x1="${x}" x2="${x}" y1="${place(baseline)}" y2="${place(yours)}"/>
<circle class="slow${hollow}" cx="${x}" cy="${place(baseline)}" r="4"/><circle class="yours${hollow}" cx="${x}"
cy="${place(yours)}" r="4"/>${isWritten
  ? html`<text class="tick" x="${x}" y="${bottom + 15}" text-anchor="middle">${number}</text>`
  : ''}`
  })
  return html`<svg class="chart" viewBox="0 0 ${width} ${bottom + 18}" aria-hidden="true">${ticks}${pairs}</svg>`
}

/** @param {RoundResult} round */
function rowOf ({ number, baseline, yours, disturbed }) {
  const [first, second, ratio] = [baseline, yours, yours / baseline].map((value) => formatNumber(value, marks.none))
  return [number, first, second, ratio === marks.none ? ratio : `${ratio}${marks.times}`, { text: disturbed ?? '' }]
}
