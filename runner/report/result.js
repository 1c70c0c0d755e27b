import { exactPercent, percent, plural } from '../format.js'
import { answersAreRight } from '../judge/index.js'
import { layoutGates, layoutReach } from './gates.js'
import { formatCount, formatDuration, formatNumber } from './numbers.js'
import { layoutRounds } from './running-check.js'
import { apart, section, titleOf } from './section.js'
import { layoutCommand, repeatCommand, serveCommand } from './shell-commands.js'
import { padText, styleOf, textWidth, truncateText, wrapParts, wrapText } from './theme.js'

/**
 * @import { ContractResult, ResultRecord, WaterfallResult } from '../judge/index.js'
 * @import { Theme } from './theme.js'
 */

/** The end of a check: one result record as lines of text. */

/**
 * @typedef {(record: ResultRecord, theme: Theme) => string[]} Part
 */

const longestMessage = 8
const longestOutput = 20
const widestTable = 120
const longestLine = 100
const busyGenerator = 0.8

/**
 * @param {ResultRecord} record
 * @param {Theme} theme
 * @returns {string[]} no line is longer than the theme's columns, except for words of commands, which are to be copied
 */
export function layoutResult (record, theme) {
  return [...layoutVerdict(record, theme), '', ...layoutEvidence(record, theme)]
}

/** What's known as soon as the verdict is settled. @param {ResultRecord} record @param {Theme} theme */
export function layoutVerdict (record, theme) {
  return apart([
    verdictLines(record, theme),
    section('Contract', (inner) => contractLines(record, inner), theme),
    layoutGates(record.gates, { ...theme, columns: Math.min(widestTable, theme.columns) })
  ])
}

/** All the rest. @param {ResultRecord} record @param {Theme} theme */
export function layoutEvidence (record, theme) {
  const part = (/** @type {string} */ label, /** @type {Part} */ lines) =>
    section(label, (inner) => lines(record, inner), theme)
  const warnings = part('Warnings', warningLines)
  // They often name the cause of a failure.
  const isPass = record.verdict === 'pass'
  return apart([
    isPass ? [] : warnings,
    part('Look', lookLines),
    part('Reach', ({ gates }, inner) => layoutReach(gates, inner)),
    part('Rounds', ({ rounds }, inner) => layoutRounds(rounds, inner, { figures: false })),
    part('Load', loadLines),
    part('Mechanism', mechanismLines),
    part('Waterfall', ({ waterfall }, inner) => layoutWaterfall(waterfall, inner)),
    part('Machine', machineLines),
    isPass ? warnings : [],
    ...record.output.map((output) => outputLines(output, theme)),
    part('Next', nextLines),
    lastLines(record, theme)
  ])
}

/** @type {Part} */
const verdictLines = (record, theme) => {
  const isAsked = record.reason === answersAreRight
  const said = isAsked ? 'right' : record.comparison?.says ?? record.verdict
  const word = `${theme.marks[isAsked ? 'pass' : record.verdict]} ${said.toUpperCase()}`
  const title = wrapText(`${word}  ${theme.line(titleOf(record.lesson, theme.marks.dot))}`, theme.columns)
  const style = styleOf(isAsked ? 'pass' : record.verdict)
  title[0] = theme.paint([style, 'strong'], word) + title[0].slice(word.length)
  const reason = theme.line(record.reason)
  return [...title, ...reason === '' ? [] : wrapText(reason, Math.min(longestLine, theme.columns))]
}

/** @type {Part} */
const contractLines = (record, theme) => {
  const { contract } = record
  if (contract.length === 0) return []
  const { marks, paint } = theme
  const failed = contract.filter((check) => check.status === 'fail')
  const passed = contract.length - failed.length
  const mark = failed.length === 0 ? 'pass' : 'fail'
  const isShown = failed.some(({ requests = [] }) => requests.length > 0)
  return [
    `${paint(mark, marks[mark])} ${passed} of ${contract.length} passed`,
    ...failed.flatMap((check) => failureLines(check, theme)),
    ...isShown && !record.comparison ? servingLines(record, theme) : []
  ]
}

/**
 * @param {ContractResult} check that failed
 * @param {Theme} theme
 */
function failureLines ({ name, when, message, requests = [], promised = '' }, theme) {
  const { marks, paint } = theme
  return [
    ...wrapText(`${theme.line(name)} (${when} the load)`, theme.columns - 2)
      .map((line, at) => (at === 0 ? `${paint('fail', marks.fail)} ` : '  ') + line),
    ...beginning(theme.lines(message).flatMap((line) => wrapText(line, theme.columns - 4)), theme)
      .map((line) => '    ' + line),
    ...promised === ''
      ? []
      : wrapText(`The lesson says: “${theme.line(promised)}”`, theme.columns - 4).map((line) => '    ' + line),
    ...requests.flatMap((request) => layoutCommand(request, { ...theme, columns: theme.columns - 6 }))
      .map((line) => '      ' + paint('strong', line))
  ]
}

/** @type {Part} */
const servingLines = (record, theme) => {
  const hasFaults = record.contract.some(({ requests = [] }) => requests.some((line) => line.includes(':FAULTS')))
  const faults = hasFaults
    ? ', and FAULTS with the port that makes its service fail (as the check did)'
    : ''
  const inner = { ...theme, columns: theme.columns - 6 }
  return [
    ...wrapText('To see it yourself, start each of the two, and replace PORT with the port it listens on' +
      `${faults}:`, theme.columns - 4).map((line) => '    ' + theme.paint('secondary', line)),
    ...[serveCommand(record, 'mine', theme), serveCommand(record, 'slow', theme)]
      .flatMap((command) => layoutCommand(command, inner))
      .map((line) => '      ' + line)
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

/** @type {Part} */
const lookLines = ({ gates, next }, theme) => {
  // The last line of the page says `next`: it needn't be here as well.
  return gates
    .filter((gate) => gate.verdict === 'fail' && theme.line(gate.look) !== '' && !next.startsWith(gate.look))
    .flatMap((gate) => wrapText(`${theme.line(gate.name)}: ${theme.line(gate.look)}`, theme.columns))
}

/** @type {Part} */
const loadLines = ({ load }, theme) => {
  const faults = [
    [load.errors, 'lost or cut off'],
    [load.non2xx, 'with an unexpected status'],
    [load.mismatches, 'with a wrong body or header']
  ].filter(([count]) => Number(count) > 0).map(([count, what]) => `${formatCount(Number(count))} ${what}`)
  const problems = [...new Set(load.problems.map((problem) => theme.line(problem)))]
  if (load.generatorBusy !== null && load.generatorBusy > busyGenerator) {
    problems.push(`The load generator itself was busy ${exactPercent(load.generatorBusy)} of the time, so it could ` +
      'hardly send more: your server may be even faster than these figures show.')
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

/** @type {Part} */
const mechanismLines = ({ mechanism }, theme) => {
  if (mechanism === null) return []
  const { marks, paint } = theme
  const verdict = mechanism.confirmed === null ? null : mechanism.confirmed ? 'pass' : 'fail'
  const [first, ...more] = wrapText(
    verdict === null ? theme.line(mechanism.note) : verdict === 'pass' ? 'confirmed' : 'not confirmed',
    theme.columns - 2
  )
  const line = (/** @type {string} */ label, /** @type {string} */ text) =>
    text === ''
      ? []
      : wrapText(theme.line(text), theme.columns - 12).map((part, at) =>
      `  ${paint('secondary', at === 0 ? label.padEnd(10) : ' '.repeat(10))}${part}`)
  return [
    `${paint(verdict ?? 'secondary', verdict === null ? marks.none : marks[verdict])} ${first}`.trimEnd(),
    ...more.map((part) => `  ${part}`),
    ...line('expected', mechanism.expected),
    ...line('seen', mechanism.seen),
    ...line(
      'also',
      mechanism.figures
        .filter(({ does }) => does === null)
        .map(({ text }) => theme.line(text))
        .join(` ${marks.dot} `)
    )
  ]
}

/** @type {Part} */
const warningLines = ({ warnings, machine }, theme) => {
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
    ...beginningOfOutput(lines, theme)
      .flatMap((line) => wrapIndented(line, theme.columns - 2))
      .map((line) => `${paint('secondary', marks.gutter)} ${line}`.trimEnd())
  ]
}

/**
 * Whole lines; the last one counts those left out here and before.
 *
 * @param {string[]} lines
 * @param {Theme} theme
 */
function beginningOfOutput (lines, { marks }) {
  if (lines.length <= longestOutput) return lines
  const shown = lines.slice(0, longestOutput - 1)
  const [, before] = /^\S+ (\d+) more lines$/.exec(lines[lines.length - 1]) ?? []
  const left = lines.length - shown.length + (before === undefined ? 0 : Number(before) - 1)
  return [...shown, `${marks.ellipsis} ${left} more lines`]
}

/**
 * Breaks a line between words, and keeps its indentation.
 *
 * @param {string} line
 * @param {number} width
 */
function wrapIndented (line, width) {
  const [indent] = /^ */.exec(line.slice(0, Math.floor(width / 2))) ?? ['']
  return wrapText(line.slice(indent.length), width - indent.length - 2)
    .map((part, at) => `${indent}${at === 0 ? '' : '  '}${part}`)
}

/** @type {Part} */
const machineLines = ({ machine }, theme) => {
  const { dot } = theme.marks
  const parts = [
    `Node ${theme.line(machine.node)}`,
    theme.line(machine.cpu),
    plural(machine.cores, 'core'),
    theme.line(machine.platform)
  ]
  const { work } = machine
  if (work < 1) parts.push(`work sized to ${percent(work)} for slower cores (@${work} in the seed)`)
  if (machine.steal !== null) parts.push(`${exactPercent(machine.steal)} of the CPU time stolen`)
  return wrapParts(parts.filter((part) => part !== ''), ` ${dot} `, theme.columns)
    .flatMap((line) => wrapText(line, theme.columns)).map((line) => theme.paint('secondary', line))
}

/** @type {Part} */
const nextLines = ({ next }, { line, columns, paint }) =>
  wrapText(line(next), columns).filter((text) => text !== '').map((text) => paint('strong', text))

/** @type {Part} */
const lastLines = (record, theme) => {
  const parts = [
    formatDuration(record.durationMs, theme.marks.none),
    `seed ${theme.line(record.seed)}`,
    ...record.comparison ? [] : [`repeat: ${repeatCommand(record, theme)}`]
  ]
  return wrapParts(parts.map((part) => part.trim()), ` ${theme.marks.dot} `, theme.columns)
    .flatMap((line) => wrapText(line, theme.columns))
    .map((line) => theme.paint('secondary', line))
}

/** The upstream calls of one request as bars on one scale, for both servers. */

const longestName = 18
const mostCalls = 12

/**
 * @param {WaterfallResult | null} waterfall
 * @param {Theme} theme
 * @returns {string[]}
 */
function layoutWaterfall (waterfall, theme) {
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
    const count = plural(calls.length, 'call') + took
    return [`${who}  ${paint('secondary', count)}`, ...bars, ...more]
  })
}
