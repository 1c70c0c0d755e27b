import { casesOf, outputOf, titleOf } from './cases.js'

/**
 * @import { ResultRecord } from '../../judge/index.js'
 * @import { Case } from './cases.js'
 */

/** Characters of what the learner's server wrote. */
const longestOutput = 500
/** The format takes 65535 bytes. */
const longestMessage = 16_000

/**
 * results.json of an Exercism test runner, version 3
 * (https://exercism.org/docs/building/tooling/test-runners/interface). It knows one exercise: with several records the
 * workshop is the exercise and each lesson a task, by its number. `error` is what couldn't be settled; as the overall
 * status it says that nothing could be tried. Unmeasured gates are left out.
 *
 * @param {readonly ResultRecord[]} records
 * @returns {string} JSON
 */
export function exercismReport (records) {
  return `${JSON.stringify({ version: 3, ...resultOf(records) }, null, 2)}\n`
}

/** @param {readonly ResultRecord[]} records */
function resultOf (records) {
  if (!records.some(hasRun)) {
    return { status: 'error', message: limited(records.map(whyNot).join('\n\n'), longestMessage), tests: [] }
  }
  const tests = records.flatMap((record) => casesOf(record)
    .filter(({ outcome }) => outcome !== 'skipped')
    .map((one) => testOf(one, record, records.length > 1)))
  return { status: tests.every(({ status }) => status === 'pass') ? 'pass' : 'fail', message: null, tests }
}

/** @param {ResultRecord} record */
function hasRun (record) {
  return record.verdict !== 'error' &&
    casesOf(record).some(({ kind, outcome }) => kind !== 'verdict' && outcome !== 'skipped')
}

/** @param {ResultRecord} record */
function whyNot (record) {
  const verdict = casesOf(record).at(-1)
  return [`${titleOf(record)}: ${record.verdict}`, ...verdict?.lines ?? [], ...outputOf(record)].join('\n')
}

/** @param {Case} one @param {ResultRecord} record @param {boolean} isTask */
function testOf ({ kind, name, outcome, lines, requests }, record, isTask) {
  const status = outcome === 'pass' || outcome === 'fail' ? outcome : 'error'
  const output = kind === 'verdict' && status !== 'pass' ? limited(outputOf(record).join('\n'), longestOutput) : ''
  return {
    name: isTask ? `${titleOf(record)}: ${name}` : name,
    status,
    ...status === 'pass' ? {} : { message: limited(lines.join('\n'), longestMessage) },
    ...output === '' ? {} : { output },
    ...requests.length > 0 ? { test_code: requests.join('\n') } : {},
    ...isTask ? { task_id: record.lesson.number } : {}
  }
}

/**
 * Whole characters only, with the format's own note that it was cut.
 *
 * @param {string} text
 * @param {number} most
 */
function limited (text, most) {
  if (text.length <= most) return text
  const cut = `\nOutput was truncated. Please limit to ${most} chars`
  return text.slice(0, most - cut.length).replace(/[\ud800-\udbff]$/, '') + cut
}
