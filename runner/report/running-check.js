import { plural } from '../format.js'
import { formatCount, formatInterval, formatNumber, formatRatio, formatTarget } from './numbers.js'
import { apart, scaleOf, sparkline, titleOf } from './section.js'
import { columnWidths } from './table.js'
import { fits, padText, styleOf, textWidth, truncateText, wrapParts, wrapText } from './theme.js'

/**
 * @import { CheckProgress, PhaseEvent, RoundEvent, RoundResult } from '../judge/index.js'
 * @import { Progress, Run } from './progress.js'
 * @import { Theme } from './theme.js'
 */

/** A check that is still running, as lines of text for a region that is redrawn in place. */

/**
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

/** The rounds of each load as two small curves on one scale. */

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
  const count = plural(rounds.length, 'round') +
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

/** A check that is still running, as one short line per event: for logs and terminals that can't be redrawn. */

/**
 * @param {Run} run
 * @param {Theme} theme
 * @returns {string[]}
 */
export function layoutRun ({ lesson, submission, seed }, theme) {
  const { dot } = theme.marks
  const parts = [
    theme.line(titleOf(lesson, dot)),
    theme.line(submission),
    `seed ${theme.line(seed)}`
  ]
  return wrapParts(parts, ` ${dot} `, theme.columns).flatMap((line) => wrapText(line, theme.columns))
}

/**
 * @param {CheckProgress} event
 * @param {Theme} theme
 * @returns {string[]} empty for an event that deserves no line
 */
export function layoutEvent (event, theme) {
  if (event.type === 'phase') return phaseLines(event, theme)
  if (event.type === 'round') return roundLines(event, theme)
  return []
}

/**
 * @param {PhaseEvent} event
 * @param {Theme} theme
 */
function phaseLines ({ phase, text }, theme) {
  const detail = theme.line(text)
  return wrapText(detail === '' ? phase : `${phase}: ${detail}`, theme.columns)
}

/**
 * How the contract went, once that's known. Failures are shown once, with the result.
 *
 * @param {Progress} progress
 * @returns {string[]}
 */
export function layoutChecks ({ checks, failed }) {
  if (checks === null) return []
  return [`contract: ${checks.done} checked${failed.length === 0 ? '' : `, ${failed.length} failed`}`]
}

/**
 * One line: without intervals, or cut, if the window is too narrow.
 *
 * @param {RoundEvent} event
 * @param {Theme} theme
 */
function roundLines ({ round, gates }, theme) {
  const { marks, paint, columns } = theme
  const figure = (/** @type {number} */ value) => formatNumber(value, marks.none)
  const [baseline, yours] = (round.servers ?? ['baseline', 'yours']).map((name) => theme.line(name))
  const start = `${theme.line(round.load)} ${round.number}: ${baseline} ${figure(round.baseline)}, ${yours} ` +
    `${figure(round.yours)} ${theme.line(round.unit ?? 'requests/s')}`
  if (round.disturbed !== null) {
    const line = `${start} ${marks.dot} disturbed: ${theme.line(round.disturbed)}`
    return [paint('inconclusive', fits(textWidth(line), theme) ? line : truncateText(line, columns, marks.ellipsis))]
  }
  const measured = gates.filter((gate) => gate.ratio !== null)
  const ratios = measured.map((gate) => `${theme.line(gate.name)} ${formatRatio(gate, marks)}`)
  const intervals = measured.map((gate, at) =>
    gate.interval95 === null ? ratios[at] : `${ratios[at]} (${formatInterval(gate, marks)})`)
  const lines = [intervals, ratios].map((parts) =>
    [start, parts.join(', ')].filter((part) => part !== '').join(` ${marks.dot} `)
  )
  return [lines.find((line) => fits(textWidth(line), theme)) ?? truncateText(lines[1], columns, marks.ellipsis)]
}
