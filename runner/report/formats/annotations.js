import { casesOf, titleOf } from './cases.js'

/**
 * @import { ResultRecord } from '../../judge/index.js'
 *
 * @typedef {object} Graded
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
 * @param {readonly Graded[]} graded
 * @returns {string} one command a line
 */
export function githubAnnotations (graded) {
  const verdicts = graded.map((one) => {
    const { record } = one
    const lines = casesOf(record).at(-1)?.lines ?? []
    const { verdict, comparison } = record
    return command(levels[verdict], one, `${titleOf(record)}: ${comparison?.says ?? verdict}`, lines)
  })
  const failures = graded.flatMap((one) => casesOf(one.record)
    .filter(({ kind, outcome }) => kind !== 'verdict' && outcome === 'fail')
    .map(({ name, lines, requests }) =>
      command('error', one, `${shortTitleOf(one.record)}: ${name}`, [...lines, ...requests])))
  return [...verdicts, ...failures].map((line) => `${line}\n`).join('')
}

/** @param {ResultRecord} record */
function shortTitleOf ({ comparison, lesson }) {
  return comparison ? 'Comparison' : `Lesson ${lesson.number}`
}

/**
 * @param {'notice' | 'warning' | 'error'} level
 * @param {Graded} graded
 * @param {string} title
 * @param {string[]} lines
 */
function command (level, { record, file }, title, lines) {
  const properties = { ...file === null ? {} : { file, line: String(lineOf(record, file)) }, title }
  const list = Object.entries(properties).map(([name, value]) => `${name}=${property(value)}`).join(',')
  return `::${level} ${list}::${data(lines.join('\n'))}`
}

/**
 * The first line named by the submission's own output or by the place to look at.
 *
 * @param {ResultRecord} record
 * @param {string} file
 */
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
