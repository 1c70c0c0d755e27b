import { casesOf, outputOf, titleOf } from './cases.js'

/**
 * @import { ResultRecord } from '../../judge/index.js'
 * @import { Case } from './cases.js'
 */

/** Points for a passed lesson. */
const points = 100

/**
 * results.json of a Gradescope autograder (https://gradescope-autograders.readthedocs.io/en/latest/specs/). The points
 * are with the verdict: 100 for a pass, else 0. Its text says what else deserves credit. The format has no
 * third status: an inconclusive check is `failed`, gets no points, and says so first. Gates that weren't measured are
 * left out.
 *
 * @param {readonly ResultRecord[]} records with several, 100 points per lesson
 * @returns {string} JSON
 */
export function gradescopeReport (records) {
  const tests = records.flatMap((record) => casesOf(record)
    .filter(({ outcome }) => outcome !== 'skipped')
    .map((one) => testOf(one, record, records.length > 1 ? `${titleOf(record)}: ` : '')))
  return `${JSON.stringify({
    score: records.filter(({ verdict }) => verdict === 'pass').length * points,
    execution_time: records.reduce((sum, { durationMs }) => sum + durationMs, 0) / 1000,
    output: records.map((record) => `${titleOf(record)}: ${record.verdict}`).join('\n'),
    output_format: 'text',
    test_output_format: 'text',
    test_name_format: 'text',
    visibility: 'visible',
    tests
  }, null, 2)}\n`
}

/** @param {Case} one @param {ResultRecord} record @param {string} prefix */
function testOf ({ kind, name, outcome, lines, requests }, record, prefix) {
  const isPass = outcome === 'pass'
  const wrote = kind === 'verdict' && !isPass ? outputOf(record) : []
  const output = [...lines, ...requests, ...wrote.length > 0 ? ['', 'Output of yours:', ...wrote] : []].join('\n')
  return {
    name: `${prefix}${name}`,
    status: isPass ? 'passed' : 'failed',
    ...kind === 'verdict' ? { score: isPass ? points : 0, max_score: points } : {},
    ...output === '' ? {} : { output }
  }
}
