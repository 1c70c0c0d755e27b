import { loopFigures } from '../../runner/profiling/pages/loop-moment.js'
import { text, width } from '../drawings/svg.js'

/**
 * Recorded event loops as a small picture: a line for each connection, and the main thread in blocks. Pure.
 *
 * @import { LoopSide } from '../../runner/inside/index.js'
 */

const margin = 12
const inner = width - 2 * margin
const [laneHeight, threadHeight, mostLanes, lineHeight] = [8, 26, 10, 15]

export const loopStyles = [
  '.wait{stroke:var(--soft);stroke-opacity:.55}.amber{fill:var(--amber)}.blue{fill:var(--blue)}',
  // Not see-through: the line of a request that waits is under it.
  ...['amber', 'blue'].map((tone) => `.pool.${tone}{fill:color-mix(in srgb,var(--${tone}) 35%,var(--paper))}`),
  '.pale{fill:var(--paper);fill-opacity:.45}.thread{fill:none;stroke:var(--soft);stroke-opacity:.4}'
]

/**
 * @param {[LoopSide, LoopSide]} sides slow, fixed
 * @param {string} about the machine
 * @returns {{ height: number, pieces: string[] }}
 */
export function loopPieces (sides, about) {
  let y = 8
  const pieces = sides.flatMap((side, at) => {
    const drawn = sidePieces(side, { y, name: at === 0 ? 'slow' : 'fixed', tone: at === 0 ? 'amber' : 'blue' })
    y = drawn.foot + 10
    return drawn.pieces
  })
  const isPooled = sides.some(({ requests }) => requests.some(({ pool }) => pool.length > 0))
  const isPale = sides.some(({ threads: [{ blocks }] }) => blocks.some(({ pale }) => pale.length > 0))
  const notes = [
    'thin line: waits for the main thread',
    isPooled ? 'thick line: dark on that thread, pale in the pool' : 'thick line: on that thread',
    isPale ? 'no line: no request; pale block: no core was free' : 'no line: no request',
    about
  ]
  return {
    height: y + 9 + notes.length * lineHeight,
    pieces: [
      ...pieces,
      text(margin, y + 2, '0 ms', { isSmall: true }),
      text(width - margin, y + 2, `${Math.round(sides[0].ms)} ms`, { isSmall: true, anchor: 'end' }),
      ...notes.map((note, at) => text(margin, y + 2 + lineHeight * (at + 1), note, { isSmall: true }))
    ]
  }
}

/** @param {LoopSide} side @param {{ y: number, name: string, tone: 'amber' | 'blue' }} look */
function sidePieces (side, { y, name, tone }) {
  const x = (/** @type {number} */ ms) => margin + Math.min(1, Math.max(0, ms / side.ms)) * inner
  /** @param {[number, number]} span @param {number} top @param {number} height @param {string} look */
  const bar = ([from, to], top, height, look) => to <= 0 || from >= side.ms
    ? ''
    : `<rect class="${look}" x="${round(x(from))}" y="${round(top)}" ` +
      `width="${round(Math.max(0.6, x(to) - x(from)))}" height="${height}"/>`
  const { waiting } = loopFigures(side)
  const answered = side.requests.filter(({ received }) => received > 0 && received <= side.ms).length
  const all = [...new Set(side.requests.filter(({ sent, done, received }) =>
    sent < side.ms && Math.min(done ?? received, received) > 0).map(({ lane }) => lane))]
  const isServed = (/** @type {number} */ lane) =>
    side.requests.some((one) => one.lane === lane && one.work.some(([from, to]) => to > 0 && from < side.ms))
  // Whatever the main thread works on has a row.
  const drawn = all.toSorted((a, b) => Number(isServed(b)) - Number(isServed(a))).slice(0, mostLanes)
  const lanes = all.filter((lane) => drawn.includes(lane))
  const lines = lanes.flatMap((lane, at) => side.requests.filter((one) => one.lane === lane)
    .flatMap(({ sent, received, done, work, pool }) => {
      const middle = y + 20 + lineHeight + at * laneHeight
      const until = Math.min(done ?? received, received)
      return [
        until <= 0 ? '' : `<path class="wait" d="M${round(x(sent))},${middle}H${round(x(until))}"/>`,
        ...pool.map(([from, to]) => bar([from, Math.min(to, received)], middle - 1.5, 3, `pool ${tone}`)),
        ...work.map((span) => bar(span, middle - 2.5, 5, tone))
      ]
    }))
  const under = y + 20 + lineHeight + lanes.length * laneHeight
  const top = under + lineHeight
  const [thread] = side.threads
  return {
    foot: top + threadHeight,
    pieces: [
      text(margin, y + 10, name, { isBold: true, isSmall: true }),
      text(width - margin, y + 10, `${answered} responses, ${waiting.toFixed(1)} wait on average`,
        { isSmall: true, anchor: 'end' }),
      text(margin, y + 10 + lineHeight, `a row for each connection (${lanes.length} of ${all.length} drawn)`,
        { isSmall: true }),
      ...lines,
      text(margin, under + 8, 'the main thread', { isSmall: true }),
      `<rect class="thread" x="${margin}" y="${top}" width="${inner}" height="${threadHeight}"/>`,
      ...thread.blocks.flatMap(({ from, to, pale }) => [
        // A border that can be seen between two blocks.
        bar([from, to - side.ms / 600], top + 2, threadHeight - 4, tone),
        ...pale.map((span) => bar(span, top + 2, threadHeight - 4, 'pale'))
      ])
    ].filter(Boolean)
  }
}

/** @param {number} value */
function round (value) {
  return Number(value.toFixed(1))
}
