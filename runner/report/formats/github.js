import { formatDuration, gateColumns } from '../numbers.js'
import { tableMarkdown } from '../section.js'
import { createTheme } from '../theme.js'
import { casesOf, outputOf, plainTitleOf } from './cases.js'

/** @import { GateResult, ResultRecord } from '../../judge/index.js' */

const { marks, line: oneLine } = createTheme()
/** GitHub accepts 1 MiB per step, and drops a larger summary whole. */
const longest = 1_000_000

/**
 * A job summary in GitHub flavoured Markdown
 * (https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands#adding-a-job-summary,
 * https://github.github.com/gfm/).
 *
 * @param {readonly ResultRecord[]} records several: a table, then those that didn't pass
 * @returns {string} Markdown, at most 1 MB; ends with a newline
 */
export function githubSummary (records) {
  if (records.length === 1) return fitting([verdictPart(records[0]), evidencePart(records[0])])
  const rest = records.filter(({ verdict }) => verdict !== 'pass')
  return fitting([lessonTable(records), ...rest.map((record) => `${verdictPart(record)}\n${evidencePart(record)}`)])
}

/** @param {string[]} parts the first is always kept */
function fitting ([first, ...more]) {
  let text = first
  for (const part of more) {
    if (Buffer.byteLength(text) + Buffer.byteLength(part) > longest) {
      return `${text}\nThe rest is too long to be shown here.\n`
    }
    text += `\n${part}`
  }
  return text
}

/** @param {readonly ResultRecord[]} records */
function lessonTable (records) {
  const rows = records.map((record) => [
    markdown(plainTitleOf(record)),
    `${marks[record.verdict]} ${record.verdict}`,
    markdown(formatDuration(record.durationMs, marks.none))
  ])
  return `## Make It Fast\n\n${tableMarkdown(['lesson', 'verdict', 'time'], rows)}\n`
}

/** @param {ResultRecord} record */
function verdictPart (record) {
  const lines = casesOf(record).at(-1)?.lines ?? []
  const { verdict, comparison } = record
  return [
    `## ${marks[verdict]} ${(comparison?.says ?? verdict).toUpperCase()} · ${markdown(plainTitleOf(record))}\n`,
    ...lines.map((text) => `${markdown(text)}\n`)
  ].join('\n')
}

/** @param {ResultRecord} record */
function evidencePart (record) {
  const failed = casesOf(record).filter(({ kind, outcome }) => kind === 'contract' && outcome === 'fail')
  const output = outputOf(record)
  const { machine } = record
  return [
    ...failed.map(({ name, lines, requests }) =>
      `### ${marks.fail} ${markdown(name)}\n\n${literal([...lines, ...requests])}`),
    ...record.gates.length > 0 ? [gateTable(record.gates)] : [],
    ...output.length > 0 ? [`<details><summary>Output of yours</summary>\n\n${literal(output)}\n</details>\n`] : [],
    `${markdown(`Node ${machine.node}, ${machine.cpu}, ${machine.cores} cores, ${machine.platform}; ` +
      `seed ${record.seed}`)}\n`
  ].join('\n')
}

/** @param {readonly GateResult[]} gates */
function gateTable (gates) {
  const rows = gates.map((gate) => [
    gate.name,
    gate.unit,
    ...gateColumns.map(({ cell }) => cell(gate, marks)),
    `${marks[gate.verdict]} ${gate.answer ?? gate.verdict}`
  ].map(markdown))
  const [baseline, yours] = gates[0].servers ?? ['baseline', 'yours']
  const titles = gateColumns.map(({ title }) => title).toSpliced(0, 2, baseline, yours)
  return `${tableMarkdown(['gate', 'unit', ...titles, 'verdict'], rows)}\n`
}

/** Characters that can be Markdown or HTML: anywhere, in an address, and at the start of a paragraph. */
const meaning = /[#$&*<>@[\\\]_`|~]|:(?=\S)|\.(?=\p{L})|^[-+=]|(?<=^\d+)[.)](?=\s|$)/gu

/** A character reference is never Markdown; the word joiner keeps a name from being mentioned. @param {unknown} text */
function markdown (text) {
  return oneLine(text)
    .replace(meaning, (sign) => `&#${sign.charCodeAt(0)};`)
    .replaceAll('&#64;', '&#64;&#8288;')
}

/** @param {string[]} lines */
function literal (lines) {
  return `<pre>\n${lines.join('\n').replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')}\n</pre>\n`
}

/**
 * @typedef {object} GradedFile
 * @property {ResultRecord} record
 * @property {string | null} file what was graded, from the root of the repository, with slashes; null: not in it
 */

/** @type {Record<ResultRecord['verdict'], 'notice' | 'warning' | 'error'>} */
const levels = { pass: 'notice', inconclusive: 'warning', fail: 'error', error: 'error' }

/**
 * Workflow commands that turn verdicts and failures into annotations
 * (https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands). GitHub shows the first ten of
 * a level in a step: the verdicts come first.
 *
 * @param {readonly GradedFile[]} graded
 * @returns {string} one command a line
 */
export function githubAnnotations (graded) {
  const verdicts = graded.map((one) => {
    const { record } = one
    const lines = casesOf(record).at(-1)?.lines ?? []
    const { verdict, comparison } = record
    return command(levels[verdict], one, `${plainTitleOf(record)}: ${comparison?.says ?? verdict}`, lines)
  })
  const failures = graded.flatMap((one) => {
    const title = one.record.comparison ? 'Comparison' : `Lesson ${one.record.lesson.number}`
    return casesOf(one.record).filter(({ kind, outcome }) => kind !== 'verdict' && outcome === 'fail')
      .map(({ name, lines, requests }) => command('error', one, `${title}: ${name}`, [...lines, ...requests]))
  })
  return [...verdicts, ...failures].map((line) => `${line}\n`).join('')
}

/** @param {string} level @param {GradedFile} graded @param {string} title @param {string[]} lines */
function command (level, { record, file }, title, lines) {
  const properties = { ...file === null ? {} : { file, line: String(lineOf(record, file)) }, title }
  const list = Object.entries(properties).map(([name, value]) => `${name}=${property(value)}`).join(',')
  return `::${level} ${list}::${data(lines.join('\n'))}`
}

/** The first line that the output or the place to look at names. @param {ResultRecord} record @param {string} file */
function lineOf ({ output, next }, file) {
  const name = file.slice(file.lastIndexOf('/') + 1).replace(/[$()*+.?[\\\]^{|}]/g, '\\$&')
  const place = new RegExp(`(?:^|[\\s(/\\\\])${name}:([1-9]\\d{0,5})(?!\\d)`)
  const texts = [...output.filter(({ server }) => server !== 'baseline').map(({ text }) => text), next]
  return texts.map((text) => place.exec(text)?.[1]).find((line) => line !== undefined) ?? 1
}

/** @param {string} text */
function data (text) {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}

/** @param {string} text */
function property (text) {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
}
