/** The upstream calls of one request as bars on one scale, for both servers. */
import { formatNumber } from './numbers.js'
import { padText, truncateText, textWidth } from './text.js'

/**
 * @import { WaterfallResult } from '../../judge/index.js'
 * @import { Theme } from './theme.js'
 */

const longestName = 18
const mostCalls = 12

/**
 * @param {WaterfallResult | null} waterfall
 * @param {Theme} theme
 * @returns {string[]}
 */
export function layoutWaterfall (waterfall, theme) {
  if (waterfall === null) return []
  const { marks, paint } = theme
  const all = [...waterfall.baseline, ...waterfall.yours]
  const wholeMs = Math.max(...all.map(({ startMs, endMs }) => endMs ?? startMs), 1)
  const nameOf = (/** @type {string} */ path) =>
    truncateText(theme.line(path.split('?')[0]), longestName, marks.ellipsis)
  const nameWidth = Math.max(...all.map(({ path }) => textWidth(nameOf(path))))
  const room = Math.min(60, theme.columns - nameWidth - 14)
  const columnOf = (/** @type {number} */ ms) => Math.round(ms / wholeMs * (room - 1))
  return /** @type {const} */ (['baseline', 'yours']).flatMap((who) => {
    const calls = waterfall[who]
    const endMs = Math.max(0, ...calls.map((call) => call.endMs ?? call.startMs))
    const bars = calls.slice(0, mostCalls).map((call) => {
      const from = columnOf(call.startMs)
      const to = Math.max(from + 1, columnOf(call.endMs ?? wholeMs) + 1)
      const took = call.endMs === null ? marks.none : `${formatNumber(call.endMs - call.startMs, marks.none, 2)} ms`
      return `  ${padText(nameOf(call.path), nameWidth)}  ` +
        `${padText(' '.repeat(from) + marks.interval.repeat(Math.min(to, room) - from), room)}  ` +
        `${paint('secondary', took)}`
    })
    const more = calls.length > mostCalls ? [`  ${marks.ellipsis} ${calls.length - mostCalls} more`] : []
    const took = calls.length === 0 ? '' : `, ${formatNumber(endMs, marks.none, 2)} ms`
    const count = `${calls.length} ${calls.length === 1 ? 'call' : 'calls'}${took}`
    return [`${who}  ${paint('secondary', count)}`, ...bars, ...more]
  })
}
