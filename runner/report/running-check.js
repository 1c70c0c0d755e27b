import { afterEvent, noProgress } from './check-progress.js'
import { layoutRounds } from './gates-and-rounds.js'
import { createLiveRegion } from './live-region.js'
import { formatCount, formatInterval, formatNumber, formatRatio, formatTarget } from './numbers.js'
import { layoutEvidence, layoutResult, layoutVerdict } from './result.js'
import { apart, scaleOf, titleOf } from './section.js'
import { columnWidths } from './table.js'
import {
  capabilitiesOf, fits, padText, regionTheme, styleOf, textWidth, truncateText, wrapFacts, wrapText
} from './theme.js'

/**
 * @import { CheckProgress, PhaseEvent, ResultRecord, RoundEvent } from '../judge/index.js'
 * @import { Progress, Run } from './check-progress.js'
 * @import { Output, TextOptions, Theme } from './theme.js'
 */

/**
 * The report for people: a live picture while the check runs, the verdict and its evidence at the end.
 *
 * @param {TextOptions & { run?: Run, live?: boolean }} [options] run: lesson, folder and seed for the head of the live
 *   picture; live: redraw in place
 */
export function createTerminalReport ({ stream = process.stdout, run, live, ...look } = {}) {
  const theme = () => regionTheme(stream, look)
  const write = (/** @type {string[]} */ lines) => { stream.write(lines.map((line) => line + '\n').join('')) }
  const isLive = live ?? capabilitiesOf(stream).live
  const startedAt = performance.now()
  let progress = noProgress
  let isBegun = false
  let isTold = false
  const elapsedMs = () => performance.now() - startedAt
  const height = () => (stream.rows ?? Infinity) - 1
  const regionOf = (/** @type {() => string[]} */ lay) => isLive ? createLiveRegion({ stream, lay }) : null
  let region = regionOf(() => layoutLive(progress, run, elapsedMs(), theme(), height()))

  const writePlain = (/** @type {CheckProgress} */ event) => {
    const over = progress.phase === 'contract' && event.type !== 'check' ? layoutChecks(progress) : []
    const about = run ? [titleOf(run.lesson, theme().marks.dot), run.submission, `seed ${run.seed}`] : []
    const lines = [...isBegun ? [] : wrapFacts(about, theme()), ...over, ...layoutEvent(event, theme())]
    if (lines.length > 0) write(lines)
    isBegun = true
  }

  return {
    onProgress: (/** @type {CheckProgress} */ event) => {
      if (event.type === 'verdict') {
        region?.clear()
        write(['', ...layoutVerdict(event.record, theme()), ''])
        isTold = true
        // The rest of the run needs one line.
        region = regionOf(() => layoutText(progress, theme()))
        return
      }
      if (!isLive) writePlain(event)
      progress = afterEvent(progress, event)
      region?.changed()
    },
    /** Ends the live picture and writes the result. @param {ResultRecord} record */
    finish: (record) => {
      region?.clear()
      write(isTold ? [...layoutEvidence(record, theme()), ''] : ['', ...layoutResult(record, theme()), ''])
    },
    /** Ends the live picture without a result; does nothing if it has ended. */
    stop: () => region?.clear(),
    /** Ends it and leaves it where it is. @param {string} sentence is written below */
    interrupt: (sentence) => {
      region?.freeze()
      // The terminal has written ^C into the line.
      write([...stream.isTTY ? [''] : [], ...wrapText(sentence, theme().columns)])
    }
  }
}

/** @type {PhaseEvent['phase'][]} */
const phases = ['start', 'contract', 'warm-up', 'rounds', 'after']

const shortestScale = 10
const longestScale = 40
const shownFailures = 3

/**
 * A check that is still running, for a region that is redrawn in place.
 *
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

/** @param {Run | undefined} run @param {number} elapsedMs @param {Theme} theme */
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

/** @param {Progress} progress @param {Theme} theme */
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

/** Only the current phase. @param {Progress} progress @param {Theme} theme */
function layoutText ({ text }, theme) {
  const line = truncateText(theme.line(text), theme.columns - 2, theme.marks.ellipsis)
  return line === '' ? [] : [theme.paint('secondary', `  ${line}`)]
}

/** @param {Progress} progress @param {Theme} theme */
function contractLines ({ checks, failed }, theme) {
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

/** @param {Progress} progress @param {Theme} theme */
function gateLines ({ gates }, theme) {
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

/**
 * One short line for each event, for logs and terminals that can't be redrawn.
 *
 * @param {CheckProgress} event
 * @param {Theme} theme
 * @returns {string[]} empty for an event that deserves no line
 */
export function layoutEvent (event, theme) {
  if (event.type === 'round') return roundLines(event, theme)
  if (event.type !== 'phase') return []
  const detail = theme.line(event.text)
  return wrapText(detail === '' ? event.phase : `${event.phase}: ${detail}`, theme.columns)
}

/** How the contract went. Failures are shown once, with the result. @param {Progress} progress */
function layoutChecks ({ checks, failed }) {
  if (checks === null) return []
  return [`contract: ${checks.done} checked${failed.length === 0 ? '' : `, ${failed.length} failed`}`]
}

/** One line: without intervals, or cut, if the window is too narrow. @param {RoundEvent} event @param {Theme} theme */
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
