import { plural } from '../shared/format.js'
import { answersAreRight } from '../judge/index.js'
import { layoutGates, layoutRounds } from './gates-and-rounds.js'
import { formatDuration, formatNumber } from './numbers.js'
import { resultSections } from './result-sections.js'
import { apart, section, titleOf } from './section.js'
import { hanging, padText, styleOf, textWidth, truncateText, wrapFacts, wrapText } from './theme.js'

/**
 * @import { ResultRecord, WaterfallResult } from '../judge/index.js'
 * @import { Item, ResultSection } from './result-sections.js'
 * @import { Theme } from './theme.js'
 */

const longestMessage = 8
const longestOutput = 20
const widestTable = 120
const longestLine = 100

/**
 * The end of a check: one result record as lines of text.
 *
 * @param {ResultRecord} record
 * @param {Theme} theme
 * @returns {string[]} no line is longer than the theme's columns, except for words of commands, which are to be copied
 */
export function layoutResult (record, theme) {
  return [...layoutVerdict(record, theme), '', ...layoutEvidence(record, theme)]
}

/** The part that's known as soon as the verdict is settled. @param {ResultRecord} record @param {Theme} theme */
export function layoutVerdict (record, theme) {
  return apart([
    verdictLines(record, theme),
    section('Contract', (inner) => sectionLines(resultSections(record).contract, inner), theme),
    layoutGates(record.gates, { ...theme, columns: Math.min(widestTable, theme.columns) })
  ])
}

/** All the rest. @param {ResultRecord} record @param {Theme} theme */
export function layoutEvidence (record, theme) {
  const { warnings, look, reach, load, mechanism, machine, end } = resultSections(record)
  const part = (/** @type {string} */ label, /** @type {ResultSection} */ described) =>
    section(label, (inner) => sectionLines(described, inner), theme)
  const warned = part('Warnings', warnings)
  // They often name the cause of a failure.
  const isPass = record.verdict === 'pass'
  return apart([
    isPass ? [] : warned,
    part('Look at', look),
    part('Reach', reach),
    section('Rounds', (inner) => layoutRounds(record.rounds, inner, { figures: false }), theme),
    part('Load', load),
    part('Mechanism', mechanism),
    section('Waterfall', (inner) => layoutWaterfall(record.waterfall, inner), theme),
    part('Machine', machine),
    isPass ? warned : [],
    ...record.output.map((output) => outputLines(output, theme)),
    section('Next', ({ columns, line, paint }) => line(record.next) === ''
      ? []
      : wrapText(line(record.next), columns).map((part) => paint('strong', part)), theme),
    sectionLines({ facts: [formatDuration(record.durationMs, theme.marks.none), ...end.facts] }, theme)
  ])
}

/** @param {ResultRecord} record @param {Theme} theme */
function verdictLines (record, theme) {
  const isAsked = record.reason === answersAreRight
  const said = isAsked ? 'right' : record.comparison?.says ?? record.verdict
  const word = `${theme.marks[isAsked ? 'pass' : record.verdict]} ${said.toUpperCase()}`
  const title = wrapText(`${word}  ${theme.line(titleOf(record.lesson, theme.marks.dot))}`, theme.columns)
  const style = styleOf(isAsked ? 'pass' : record.verdict)
  title[0] = theme.paint([style, 'strong'], word) + title[0].slice(word.length)
  const reason = theme.line(record.reason)
  return [...title, ...reason === '' ? [] : wrapText(reason, Math.min(longestLine, theme.columns))]
}

/** @param {ResultSection} section @param {Theme} theme @returns {string[]} */
function sectionLines ({ items = [], pairs = [], facts = [] }, theme) {
  return [
    ...items.flatMap((item) => itemLines(item, theme)),
    ...pairs.filter(([, text]) => text !== '').flatMap(([name, text]) =>
      hanging(`  ${theme.paint('secondary', name.padEnd(10))}`, theme.line(text), theme, 12)),
    ...wrapFacts(facts, theme).map((line) => theme.paint('secondary', line))
  ]
}

/** @param {Item} item @param {Theme} theme */
function itemLines ({ mark, text, more = [], commands = [] }, theme) {
  const { paint, marks, columns } = theme
  // Without a mark, what leads to commands belongs to the items above it.
  const isAside = mark === undefined && commands.length > 0
  const style = mark === 'none' ? 'secondary' : mark === 'pass' || mark === 'fail' ? mark : 'inconclusive'
  const head = mark === undefined
    ? wrapText(theme.line(text), columns - (isAside ? 4 : 0))
    : hanging(`${paint(style, marks[mark])} `, theme.line(text), theme, 2)
  return [
    ...isAside ? head.map((line) => `    ${paint('secondary', line)}`) : head.map((line) => line.trimEnd()),
    ...more.flatMap((one) => beginning(theme.lines(one).flatMap((line) => wrapText(line, columns - 4)), theme))
      .map((line) => `    ${line}`),
    ...commands.flatMap((command) => layoutCommand(command, { ...theme, columns: columns - 6 }))
      .map((line) => `      ${isAside ? line : paint('strong', line)}`)
  ]
}

/** @param {string[]} lines @param {Theme} theme */
function beginning (lines, { marks }) {
  if (lines.length <= longestMessage) return lines
  return [...lines.slice(0, longestMessage), `${marks.ellipsis} ${lines.length - longestMessage} more lines`]
}

/** @param {{ server: string, text: string }} output @param {Theme} theme */
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

/** Whole lines; the last one counts those left out here and before. @param {string[]} lines @param {Theme} theme */
function beginningOfOutput (lines, { marks }) {
  if (lines.length <= longestOutput) return lines
  const shown = lines.slice(0, longestOutput - 1)
  const [, before] = /^\S+ (\d+) more lines$/.exec(lines[lines.length - 1]) ?? []
  const left = lines.length - shown.length + (before === undefined ? 0 : Number(before) - 1)
  return [...shown, `${marks.ellipsis} ${left} more lines`]
}

/** Breaks a line between words, and keeps its indentation. @param {string} line @param {number} width */
function wrapIndented (line, width) {
  const [indent] = /^ */.exec(line.slice(0, Math.floor(width / 2))) ?? ['']
  return wrapText(line.slice(indent.length), width - indent.length - 2)
    .map((part, at) => `${indent}${at === 0 ? '' : '  '}${part}`)
}

const longestName = 18
const mostCalls = 12

/** Calls as bars on one scale, for both servers. @param {WaterfallResult | null} waterfall @param {Theme} theme */
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

const longestCommand = 1500

/**
 * A line for a shell, broken between words if it's too long, the way a shell wants it; words are never broken. One that
 * begins with # is a comment and does nothing.
 *
 * @param {string} command
 * @param {Theme} theme
 * @returns {string[]} a line is wider than the theme's columns only where one word is
 */
export function layoutCommand (command, { columns, lines: clean, marks }) {
  const text = truncateText(clean(command).join(' '), longestCommand, marks.ellipsis)
  if (text.startsWith('#')) return wrapText(text.slice(1).trim(), columns - 2).map((line) => `# ${line}`)
  const lines = ['']
  for (const word of wordsOf(text)) {
    const line = lines[lines.length - 1]
    const longer = line === '' ? word : `${line} ${word}`
    // Two columns are for the mark that continues a line.
    if (line === '' || textWidth(longer) <= columns - 2) lines[lines.length - 1] = longer
    else lines.push(`  ${word}`)
  }
  return lines.map((line, at) => at < lines.length - 1 ? `${line} \\` : line)
}

/** Split as a shell would, with options and their values together. @param {string} text */
function wordsOf (text) {
  /** @type {string[]} */
  const joined = []
  let isValue = false
  for (const word of text.match(/(?:'[^']*'|"[^"]*"|\\.|[^\s'"\\]|['"\\])+/g) ?? []) {
    if (isValue) joined.push(`${joined.pop()} ${word}`)
    else joined.push(word)
    isValue = !isValue && takesValue.test(word)
  }
  return joined
}

const takesValue = /^(-[HXd]|--seed|--server)$/
