/**
 * Pictures for a terminal, of plain ASCII, at most as wide as the theme says. Pure.
 *
 * @typedef {Pick<ReturnType<typeof import('../../runner/report/index.js').createTheme>, 'columns' | 'paint'>} Paper
 * @typedef {{ atMs: number, tookMs: number, isGood: boolean }} Request when it was due, from the start, and how long it
 *   took from then on
 */

const [rows, mostColumns, labelWidth] = [14, 76, 9]

/**
 * A dot for each request: how long it took, by when it was due. Where several share a place, the most frequent kind is
 * shown.
 *
 * @param {readonly Request[]} requests
 * @param {{ goalMs: number, paper: Paper }} options goalMs: a line that the good ones should be below
 * @returns {string[]} lines
 */
export function dotPlot (requests, { goalMs, paper }) {
  const columns = Math.min(paper.columns, mostColumns) - labelWidth
  const longestMs = Math.max(goalMs, ...requests.map(({ tookMs }) => tookMs)) * 1.001
  const lastMs = Math.max(1, ...requests.map(({ atMs }) => atMs)) * 1.001
  const rowOf = (/** @type {number} */ ms) => Math.floor(ms / longestMs * rows)
  const cells = Array.from({ length: rows }, () => Array.from({ length: columns }, () => ({ good: 0, bad: 0 })))
  for (const { atMs, tookMs, isGood } of requests) {
    cells[rowOf(tookMs)][Math.floor(atMs / lastMs * columns)][isGood ? 'good' : 'bad']++
  }
  const goalRow = rowOf(goalMs)
  const lines = cells.map((cells, row) => {
    const label = row === goalRow ? 'goal' : row % 3 === 0 ? `${Math.round(row * longestMs / rows)} ms` : ''
    const empty = row === goalRow ? paper.paint('secondary', '-') : ' '
    const drawn = cells.map(({ good, bad }) => {
      if (good + bad === 0) return empty
      return good >= bad ? paper.paint('pass', good > 1 ? ':' : '.') : paper.paint('fail', 'x')
    })
    return `${label.padStart(labelWidth - 1)} ${drawn.join('')}`.trimEnd()
  })
  const end = `${(lastMs / 1000).toFixed(1)} s`
  return [...lines.reverse(), `${' '.repeat(labelWidth)}0${end.padStart(columns - 1)}`]
}

/** Bounds of the bars, ms: each is about twice as long as the one before. */
const bounds = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, Infinity]

/**
 * How many requests took how long, a bar for each span of time that any of them took.
 *
 * @param {readonly number[]} tookMs
 * @param {Paper} paper
 * @returns {string[]} lines
 */
export function histogram (tookMs, { columns }) {
  const counts = bounds.map((bound, at) => tookMs.filter((ms) => ms < bound && ms >= (bounds[at - 1] ?? 0)).length)
  const most = Math.max(1, ...counts)
  const [first, last] = [counts.findIndex(Boolean), counts.findLastIndex(Boolean)]
  const room = Math.min(columns, mostColumns) - 24
  return bounds.slice(Math.max(first, 0), last + 1).map((bound, at) => {
    const count = counts[Math.max(first, 0) + at]
    const label = bound === Infinity ? `${bounds.at(-2)} ms or more` : `under ${bound} ms`
    // The rarest ones are what a histogram is for.
    return `${label.padStart(15)} ${String(count).padStart(6)} ${'#'.repeat(Math.ceil(count / most * room))}`.trimEnd()
  })
}
