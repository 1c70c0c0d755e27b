import { escapeHtml, formatNumber, marks } from '../../../report/browser.js'

/** @import { RoundResult } from '../../../judge/index.js' */

/**
 * The rounds of each load: a place for its chart, and the table behind it.
 *
 * @param {readonly RoundResult[]} rounds
 * @returns {string} HTML; empty without rounds
 */
export function roundsHtml (rounds) {
  return [...loadsOf(rounds)].map(([load, ofLoad]) => {
    const name = escapeHtml(load)
    return `<figure data-load="${name}"><figcaption>${captionOf(load, ofLoad)}</figcaption>
<div class="chart" aria-hidden="true"></div>
<details><summary>The rounds of ${name} as a table</summary>${tableOf(ofLoad)}</details></figure>`
  }).join('')
}

/**
 * @param {readonly RoundResult[]} rounds
 * @returns {Map<string, RoundResult[]>} by load, in the order of their first round
 */
export function loadsOf (rounds) {
  /** @type {Map<string, RoundResult[]>} */
  const loads = new Map()
  for (const round of rounds) loads.set(round.load, [...loads.get(round.load) ?? [], round])
  return loads
}

/** @param {string} load @param {RoundResult[]} rounds @returns {string} HTML */
export function captionOf (load, rounds) {
  const disturbed = rounds.filter((round) => round.disturbed !== null).length
  const [first, second] = serversOf(rounds)
  const count = `${rounds.length} ${rounds.length === 1 ? 'round' : 'rounds'}`
  return `<span><strong>${escapeHtml(load)}</strong>, ${escapeHtml(rounds[0].unit ?? 'requests/s')}</span>
<span class="soft">${count}${disturbed === 0 ? '' : `, ${disturbed} disturbed`}</span>
<span class="key"><span class="first">${escapeHtml(first)}</span>
<span class="second">${escapeHtml(second)}</span></span>`
}

/** @param {RoundResult[]} rounds @returns {string} HTML */
export function tableOf (rounds) {
  const [first, second] = serversOf(rounds)
  const head = ['round', first, second, 'ratio', 'remark'].map((text) => `<th scope="col">${escapeHtml(text)}</th>`)
  return `<div class="scroll" role="group" aria-label="Rounds" tabindex="0"><table>
<thead><tr>${head.join('')}</tr></thead>
<tbody>${rounds.map(rowOf).join('')}</tbody></table></div>`
}

/** @param {RoundResult} round */
function rowOf ({ number, baseline, yours, disturbed }) {
  const figures = [baseline, yours, yours / baseline].map((value) => formatNumber(value, marks.none))
  return `<tr><th scope="row">${number}</th>${figures.map((text, at) =>
    `<td class="number">${text}${at === 2 && text !== marks.none ? marks.times : ''}</td>`).join('')}` +
    `<td>${escapeHtml(disturbed ?? '')}</td></tr>`
}

/** @param {RoundResult[]} rounds @returns {[string, string]} */
function serversOf (rounds) {
  return rounds[0]?.servers ?? ['baseline', 'yours']
}
