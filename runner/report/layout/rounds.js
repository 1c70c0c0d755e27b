/** The rounds of each load as two small curves on one scale. */
import { sparkline } from './sparkline.js'
import { formatNumber } from './numbers.js'
import { truncateText, padText, textWidth } from './text.js'

/**
 * @import { RoundResult } from '../../judge/index.js'
 * @import { Theme } from './theme.js'
 */

const longestCurve = 24
const longestName = 24

/**
 * @param {RoundResult[]} rounds
 * @returns {Map<string, RoundResult[]>} by load, in the order of their first round
 */
function roundsByLoad (rounds) {
  /** @type {Map<string, RoundResult[]>} */
  const loads = new Map()
  for (const round of rounds) loads.set(round.load, [...loads.get(round.load) ?? [], round])
  return loads
}

/**
 * @param {RoundResult[]} rounds
 * @param {Theme} theme
 * @param {{ figures: boolean }} options figures: end each curve with the last round's requests/s
 * @returns {string[]} for each load a title and two curves
 */
export function layoutRounds (rounds, theme, { figures }) {
  return [...roundsByLoad(rounds)].flatMap(([load, ofLoad]) => layoutLoad(load, ofLoad, theme, figures))
}

/**
 * @param {string} load
 * @param {RoundResult[]} rounds
 * @param {Theme} theme
 * @param {boolean} figures
 */
function layoutLoad (load, rounds, theme, figures) {
  const { marks, paint } = theme
  const disturbed = rounds.filter((round) => round.disturbed !== null).length
  const count = `${rounds.length} ${rounds.length === 1 ? 'round' : 'rounds'}` +
    (disturbed === 0 ? '' : `, ${disturbed} disturbed`)
  const name = truncateText(theme.line(load), theme.columns - textWidth(count) - 2, marks.ellipsis)
  const names = (rounds[0].servers ?? ['baseline', 'yours'])
    .map((one) => truncateText(theme.line(one), longestName, marks.ellipsis))
  const width = Math.max(8, ...names.map(textWidth))
  const shown = rounds.slice(-Math.max(1, Math.min(longestCurve, theme.columns - 26 - width)))
  const largest = Math.max(...shown.flatMap((round) => [round.baseline, round.yours]).filter(Number.isFinite), 0)
  const last = shown[shown.length - 1]
  const curve = (/** @type {'baseline' | 'yours'} */ who) => {
    const signs = sparkline(shown.map((round) => round[who]), largest, marks.spark)
    const painted = shown
      .map((round, at) => paint(round.disturbed === null ? undefined : 'inconclusive', signs[at]))
      .join('')
    const figure = figures
      ? `  ${formatNumber(last[who], marks.none)}${paint('secondary', ` ${theme.line(last.unit ?? 'requests/s')}`)}`
      : ''
    const name = names[who === 'baseline' ? 0 : 1]
    return `  ${paint('secondary', padText(name, width))}  ${painted}${figure}`
  }
  return [`${name}  ${paint('secondary', count)}`, curve('baseline'), curve('yours')]
}
