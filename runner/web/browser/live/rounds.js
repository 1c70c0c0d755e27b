import { formatNumber, html, marks } from '../../../report/browser.js'
import { keyHtml, tableHtml } from './table.js'

/**
 * @import { RoundResult } from '../../../judge/index.js'
 * @import { Figure } from './figure.js'
 */

/** The rounds of each load. @param {readonly RoundResult[]} rounds @returns {Figure[]} */
export function roundFigures (rounds) {
  return [...loadsOf(rounds)].map(([load, ofLoad]) => {
    const servers = ofLoad[0].servers ?? ['baseline', 'yours']
    return {
      kind: 'rounds',
      name: load,
      caption: captionOf(load, ofLoad, servers),
      summary: `The rounds of ${load} as a table`,
      table: tableHtml('Rounds', ['round', ...servers, 'ratio', 'remark'], ofLoad.map(rowOf)),
      values: ofLoad
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
<span class="soft">${count}${disturbed === 0 ? '' : `, ${disturbed} disturbed`}</span>
${keyHtml(servers)}`
}

/** @param {RoundResult} round */
function rowOf ({ number, baseline, yours, disturbed }) {
  const [first, second, ratio] = [baseline, yours, yours / baseline].map((value) => formatNumber(value, marks.none))
  return [number, first, second, ratio === marks.none ? ratio : `${ratio}${marks.times}`, { text: disturbed ?? '' }]
}
