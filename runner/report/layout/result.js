/** The end of a check: one result record as lines of text. */
import { exactPercent, percent } from '../../format.js'
import { layoutGates } from './gates.js'
import { formatCount, formatDuration } from './numbers.js'
import { repeatCommand } from './repeat.js'
import { layoutRounds } from './rounds.js'
import { section } from './section.js'
import { breakText, wrapParts, wrapText } from './text.js'
import { styleOf } from './theme.js'
import { layoutWaterfall } from './waterfall.js'

/**
 * @import { ResultRecord } from '../../judge/index.js'
 * @import { Style, Theme } from './theme.js'
 */

const longestMessage = 8
const longestOutput = 20
const widestTable = 120
const longestLine = 100
const busyGenerator = 0.8

/**
 * @param {ResultRecord} record
 * @param {Theme} theme
 * @returns {string[]} no line is longer than the theme's columns
 */
export function layoutResult (record, theme) {
  const blocks = [
    verdictLines(record, theme),
    section('Contract', (inner) => contractLines(record, inner), theme),
    layoutGates(record.gates, { ...theme, columns: Math.min(widestTable, theme.columns) }),
    section('Look', (inner) => lookLines(record, inner), theme),
    section('Rounds', (inner) => layoutRounds(record.rounds, inner, { figures: false }), theme),
    section('Load', (inner) => loadLines(record, inner), theme),
    section('Mechanism', (inner) => mechanismLines(record, inner), theme),
    section('Waterfall', (inner) => layoutWaterfall(record.waterfall, inner), theme),
    section('Machine', (inner) => machineLines(record, inner), theme),
    section('Warnings', (inner) => warningLines(record, inner), theme),
    ...record.output.map((output) => outputLines(output, theme)),
    section('Next', (inner) => wrapText(inner.line(record.next), inner.columns).filter((line) => line !== '')
      .map((line) => inner.paint('strong', line)), theme),
    lastLines(record, theme)
  ]
  return blocks.filter((lines) => lines.length > 0).flatMap((lines, at) => at === 0 ? lines : ['', ...lines])
}

/**
 * @param {ResultRecord} record
 * @param {Theme} theme
 */
function verdictLines (record, theme) {
  const word = `${theme.marks[record.verdict]} ${record.verdict.toUpperCase()}`
  const lesson = `Lesson ${record.lesson.number} ${theme.marks.dot} ${theme.line(record.lesson.title)}`
  const title = wrapText(`${word}  ${lesson}`, theme.columns)
  const style = /** @type {Style[]} */ ([styleOf(record.verdict), 'strong'])
  title[0] = theme.paint(style, word) + title[0].slice(word.length)
  const reason = theme.line(record.reason)
  return [...title, ...reason === '' ? [] : wrapText(reason, Math.min(longestLine, theme.columns))]
}

/**
 * @param {ResultRecord} record
 * @param {Theme} theme
 */
function contractLines ({ contract }, theme) {
  if (contract.length === 0) return []
  const { marks, paint } = theme
  const failed = contract.filter((check) => check.status === 'fail')
  const passed = contract.length - failed.length
  const mark = failed.length === 0 ? 'pass' : 'fail'
  return [
    `${paint(mark, marks[mark])} ${passed} of ${contract.length} passed`,
    ...failed.flatMap((check) => [
      ...wrapText(`${theme.line(check.name)} (${check.when} the load)`, theme.columns - 2)
        .map((line, at) => (at === 0 ? `${paint('fail', marks.fail)} ` : '  ') + line),
      ...beginning(theme.lines(check.message).flatMap((line) => wrapText(line, theme.columns - 4)), theme)
        .map((line) => '    ' + line)
    ])
  ]
}

/**
 * @param {string[]} lines
 * @param {Theme} theme
 */
function beginning (lines, { marks }) {
  if (lines.length <= longestMessage) return lines
  return [...lines.slice(0, longestMessage), `${marks.ellipsis} ${lines.length - longestMessage} more lines`]
}

/**
 * @param {ResultRecord} record
 * @param {Theme} theme
 */
function lookLines ({ gates, next }, theme) {
  // The last line of the page says `next`: what stands there need not stand here as well.
  return gates
    .filter((gate) => gate.verdict === 'fail' && theme.line(gate.look) !== '' && gate.look !== next)
    .flatMap((gate) => wrapText(`${theme.line(gate.name)}: ${theme.line(gate.look)}`, theme.columns))
}

/**
 * @param {ResultRecord} record
 * @param {Theme} theme
 */
function loadLines ({ load }, theme) {
  const faults = [
    [load.errors, 'lost or cut off'],
    [load.non2xx, 'with another status than expected'],
    [load.mismatches, 'with a wrong body or header']
  ].filter(([count]) => Number(count) > 0).map(([count, what]) => `${formatCount(Number(count))} ${what}`)
  const problems = load.problems.map((problem) => theme.line(problem))
  if (load.generatorBusy !== null && load.generatorBusy > busyGenerator) {
    problems.push(`The load generator itself was busy ${exactPercent(load.generatorBusy)} of the time.`)
  }
  if (faults.length === 0 && problems.length === 0) return []
  const summary = `${formatCount(load.requests)} answers` + (faults.length === 0 ? '' : `: ${faults.join(', ')}`)
  return [...wrapText(summary, theme.columns), ...bullets(problems, theme)]
}

/**
 * @param {string[]} texts
 * @param {Theme} theme
 * @param {string} [mark] a sign of one column
 */
function bullets (texts, theme, mark = theme.marks.dot) {
  return texts.filter((text) => text !== '').flatMap((text) => wrapText(text, theme.columns - 2)
    .map((line, at) => (at === 0 ? `${theme.paint('inconclusive', mark)} ` : '  ') + line))
}

/**
 * @param {ResultRecord} record
 * @param {Theme} theme
 */
function mechanismLines ({ mechanism }, theme) {
  if (mechanism === null) return []
  const { marks, paint } = theme
  const verdict = mechanism.confirmed === null ? 'inconclusive' : mechanism.confirmed ? 'pass' : 'fail'
  const says = { pass: 'confirmed', fail: 'not confirmed', inconclusive: 'this machine cannot tell' }[verdict]
  const line = (/** @type {string} */ label, /** @type {string} */ text) =>
    text === ''
      ? []
      : wrapText(theme.line(text), theme.columns - 12).map((part, at) =>
      `  ${paint('secondary', at === 0 ? label.padEnd(10) : ' '.repeat(10))}${part}`)
  return [
    `${paint(verdict, marks[verdict])} ${says}`,
    ...line('expected', mechanism.expected),
    ...line('seen', mechanism.seen),
    ...line(
      'beside',
      mechanism.figures
        .filter(({ does }) => does === null)
        .map(({ text }) => theme.line(text))
        .join(` ${marks.dot} `)
    )
  ]
}

/**
 * @param {ResultRecord} record
 * @param {Theme} theme
 */
function warningLines ({ warnings, machine }, theme) {
  const texts = new Set([...warnings, ...machine.warnings].map((text) => theme.line(text)))
  return bullets([...texts], theme, theme.marks.warning)
}

/**
 * @param {{ server: string, text: string }} output
 * @param {Theme} theme
 */
function outputLines (output, theme) {
  const lines = theme.lines(output.text)
  if (lines.length === 0) return []
  const { marks, paint } = theme
  return [
    ...wrapText(`Output of ${theme.line(output.server)}`, theme.columns).map((line) => paint('secondary', line)),
    ...ending(lines.flatMap((line) => breakText(line, theme.columns - 2)), theme)
      .map((line) => `${paint('secondary', marks.gutter)} ${line}`.trimEnd())
  ]
}

/**
 * What a server wrote last tells most often why it ended.
 *
 * @param {string[]} lines
 * @param {Theme} theme
 */
function ending (lines, { marks }) {
  if (lines.length <= longestOutput) return lines
  return [`${marks.ellipsis} ${lines.length - longestOutput} lines before`, ...lines.slice(-longestOutput)]
}

/**
 * @param {ResultRecord} record
 * @param {Theme} theme
 */
function machineLines ({ machine }, theme) {
  const { dot } = theme.marks
  const parts = [
    `Node ${theme.line(machine.node)}`,
    theme.line(machine.cpu),
    `${machine.cores} ${machine.cores === 1 ? 'core' : 'cores'}`,
    theme.line(machine.platform)
  ]
  if (machine.work < 1) parts.push(`work sized to ${percent(machine.work)} for slower cores`)
  if (machine.steal !== null) parts.push(`${exactPercent(machine.steal)} of the CPU time stolen`)
  return wrapParts(parts.filter((part) => part !== ''), ` ${dot} `, theme.columns)
    .flatMap((line) => wrapText(line, theme.columns)).map((line) => theme.paint('secondary', line))
}

/**
 * @param {ResultRecord} record
 * @param {Theme} theme
 */
function lastLines (record, theme) {
  const parts = [
    formatDuration(record.durationMs, theme.marks.none),
    `seed ${theme.line(record.seed)}`,
    `repeat: ${repeatCommand(record, theme)}`
  ]
  return wrapParts(parts.map((part) => part.trim()), ` ${theme.marks.dot} `, theme.columns)
    .flatMap((line) => wrapText(line, theme.columns))
    .map((line) => theme.paint('secondary', line))
}
