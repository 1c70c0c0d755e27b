/** A check that is still running, as lines of text for a region that is redrawn in place. */
import { formatCount, formatInterval, formatRatio, formatTarget } from './numbers.js'
import { layoutRounds } from './rounds.js'
import { scaleOf } from './scale.js'
import { apart } from './section.js'
import { columnWidths } from './table.js'
import { padText, textWidth, truncateText } from './text.js'
import { styleOf } from './theme.js'
import { titleOf } from './title.js'

/**
 * @import { PhaseEvent } from '../../judge/index.js'
 * @import { Progress, Run } from '../progress.js'
 * @import { Theme } from './theme.js'
 *
 * @typedef {(progress: Progress, theme: Theme) => string[]} Part
 */

/** @type {PhaseEvent['phase'][]} */
const phases = ['start', 'contract', 'warm-up', 'rounds', 'after']

const shortestScale = 10
const longestScale = 40
const shownFailures = 3

/**
 * @param {Progress} progress
 * @param {Run | undefined} run
 * @param {number} elapsedMs
 * @param {Theme} theme
 * @param {number} [height] lines that fit the window
 * @returns {string[]} no line is longer than the theme's columns
 */
export function layoutLive (progress, run, elapsedMs, theme, height = Infinity) {
  return apart([
    [...headLines(run, elapsedMs, theme), phaseLine(progress, theme), ...layoutText(progress, theme)],
    contractLines(progress, theme),
    layoutRounds(progress.rounds, theme, { figures: true }),
    gateLines(progress, theme)
  ], height)
}

/**
 * @param {Run | undefined} run
 * @param {number} elapsedMs
 * @param {Theme} theme
 */
function headLines (run, elapsedMs, theme) {
  const seconds = `${formatCount(Math.floor(elapsedMs / 1000))} s`
  const { marks, paint } = theme
  const fit = (/** @type {string} */ text, /** @type {number} */ width) => truncateText(text, width, marks.ellipsis)
  const title =
    run === undefined
      ? 'Check'
      : fit(theme.line(titleOf(run.lesson, marks.dot)), theme.columns - seconds.length - 2)
  const head = paint('strong', title) + paint('secondary', `  ${seconds}`)
  if (run === undefined) return [head]
  const seed = fit(`seed ${theme.line(run.seed)}`, Math.floor(theme.columns / 2))
  const folder = fit(theme.line(run.submission), theme.columns - textWidth(seed) - 3)
  return [head, paint('secondary', `${folder} ${marks.dot} ${seed}`)]
}

/**
 * @param {Progress} progress
 * @param {Theme} theme
 */
function phaseLine ({ phase }, { marks, paint, columns }) {
  const current = phase === null ? -1 : phases.indexOf(phase === 'inside' ? 'after' : phase)
  // All five with two columns between them take 48.
  const gap = columns >= 48 ? '  ' : ' '
  const shown = columns >= 48 ? phases : phases.slice(Math.max(0, Math.min(current - 1, 2)))
  return shown.map((name) => {
    const at = phases.indexOf(name)
    if (at < current) return `${paint('pass', marks.pass)} ${paint('secondary', name)}`
    if (at === current) return paint('strong', `${marks.current} ${name}`)
    return paint('secondary', `${marks.pending} ${name}`)
  }).slice(0, columns >= 48 ? phases.length : 3).join(gap)
}

/**
 * Only the current phase.
 *
 * @param {Progress} progress
 * @param {Theme} theme
 */
export function layoutText ({ text }, theme) {
  const line = truncateText(theme.line(text), theme.columns - 2, theme.marks.ellipsis)
  return line === '' ? [] : [theme.paint('secondary', `  ${line}`)]
}

/** @type {Part} */
const contractLines = ({ checks, failed }, theme) => {
  if (checks === null) return []
  const { marks, paint } = theme
  const count = `contract  ${checks.done} of ${checks.total}`
  const summary = failed.length === 0 ? count : `${count}  ${paint('fail', `${failed.length} failed`)}`
  const fit = (/** @type {string} */ text, /** @type {number} */ width) => truncateText(text, width, marks.ellipsis)
  return [summary, ...failed.slice(-shownFailures).flatMap((check) => {
    const lines = [`${paint('fail', marks.fail)} ${fit(theme.line(check.name), theme.columns - 2)}`]
    const message = theme.line(check.message)
    if (message !== '') lines.push(`  ${paint('secondary', fit(message, theme.columns - 2))}`)
    return lines
  })]
}

/** @type {Part} */
const gateLines = ({ gates }, theme) => {
  const { marks, paint } = theme
  const longestName = Math.max(8, theme.columns - 38)
  const rows = gates.map((gate) => [
    // An unsettled gate isn't bad news: it gets the mark for running.
    { text: gate.verdict === 'inconclusive' ? marks.current : marks[gate.verdict] },
    { text: truncateText(theme.line(gate.name), Math.min(24, longestName), marks.ellipsis) },
    { text: formatRatio(gate, marks) },
    { text: formatInterval(gate, marks) },
    { text: formatTarget(gate, marks) }
  ])
  const widths = columnWidths(rows)
  const used = widths.reduce((sum, width) => sum + width + 2, -1)
  const room = Math.min(longestScale, theme.columns - used - 2)

  return gates.flatMap((gate, at) => {
    const [mark, name, ratio, interval, target] = rows[at].map((cell) => cell.text)
    const style = styleOf(gate.verdict)
    if (gate.verdict === 'dropped') return [paint('secondary', `${mark} ${name}  dropped on this machine`)]
    const line = [
      `${paint(style, mark)} ${padText(name, widths[1])}`,
      paint('strong', padText(ratio, widths[2], 'right')),
      padText(interval, widths[3], 'right'),
      padText(target, widths[4])
    ].join('  ')
    const scale = scaleOf(gate, room >= shortestScale ? room : Math.min(longestScale, theme.columns - 2), theme)
    if (scale === null) return [line.trimEnd()]
    return room >= shortestScale ? [`${line}  ${scale.painted}`] : [line.trimEnd(), `  ${scale.painted}`]
  })
}
