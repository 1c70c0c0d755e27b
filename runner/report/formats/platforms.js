import { cleanLine } from '../../shared/text.js'
import { casesOf, outputOf, titleOf } from './cases.js'

/**
 * @import { ResultRecord } from '../../judge/index.js'
 * @import { Case } from './cases.js'
 */

/**
 * JUnit XML, one suite per lesson. There's no official format; this follows junit-10.xsd of Jenkins
 * (https://github.com/jenkinsci/xunit-plugin) and https://github.com/testmoapp/junitxml. `error` is
 * the workshop's fault; an inconclusive check is `skipped`, the format's only status that is neither pass nor fail.
 *
 * @param {readonly ResultRecord[]} records
 * @returns {string} an XML document
 */
export function junitReport (records) {
  const suites = records.map((record) => ({ record, cases: casesOf(record) }))
  const all = suites.flatMap(({ cases }) => cases)
  const { skipped, ...counts } = countsOf(all)
  const ms = records.reduce((sum, { durationMs }) => sum + durationMs, 0)
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    element('testsuites', { name: 'Make It Fast', ...counts, time: seconds(ms) }, suites.map(suiteElement)),
    ''
  ].join('\n')
}

/** @param {{ record: ResultRecord, cases: Case[] }} suite */
function suiteElement ({ record, cases }) {
  const { lesson, machine, durationMs } = record
  const id = `${String(lesson.number).padStart(2, '0')}-${lesson.id}`
  const properties = {
    verdict: record.verdict,
    submission: record.submission,
    seed: record.seed,
    node: machine.node,
    cpu: machine.cpu,
    cores: machine.cores
  }
  const output = outputOf(record)
  return element('testsuite', {
    name: titleOf(record),
    ...countsOf(cases),
    time: seconds(durationMs),
    timestamp: record.startedAt
  }, [
    element('properties', {}, Object.entries(properties)
      .map(([name, value]) => element('property', { name, value: cleanLine(value) }))),
    ...cases.map((one) => element('testcase', { classname: `${id}.${one.kind}`, name: one.name }, outcomeOf(one))),
    ...output.length > 0 ? [element('system-out', {}, [escaped(output.join('\n'))])] : []
  ])
}

/** @param {Case} one */
function outcomeOf ({ outcome, lines, requests }) {
  const text = [...lines, ...requests].join('\n')
  if (outcome === 'pass') return text === '' ? [] : [element('system-out', {}, [escaped(text)])]
  const name = outcome === 'fail' ? 'failure' : outcome === 'error' ? 'error' : 'skipped'
  return [element(name, { message: lines[0] ?? '', ...name === 'skipped' ? {} : { type: outcome } }, [escaped(text)])]
}

/** @param {readonly Case[]} cases */
function countsOf (cases) {
  const count = (/** @type {Case['outcome'][]} */ ...outcomes) =>
    cases.filter(({ outcome }) => outcomes.includes(outcome)).length
  return {
    tests: cases.length,
    failures: count('fail'),
    errors: count('error'),
    skipped: count('inconclusive', 'skipped')
  }
}

/** @param {number} ms */
function seconds (ms) {
  return (ms / 1000).toFixed(3)
}

/**
 * @param {string} name
 * @param {Record<string, string | number>} attributes
 * @param {string[]} [content] elements, or one escaped text
 */
function element (name, attributes, content = []) {
  const head = [name, ...Object.entries(attributes).map(([key, value]) => `${key}="${escaped(String(value))}"`)]
  if (content.length === 0) return `<${head.join(' ')}/>`
  const inner = content[0].startsWith('<') ? `\n${content.join('\n')}\n` : content.join('')
  return `<${head.join(' ')}>${inner}</${name}>`
}

/** @type {Record<string, string>} */
const entities = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Drops characters that XML 1.0 can't represent, too. @param {string} text */
function escaped (text) {
  return text
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '')
    .replace(/[&<>"]/g, (character) => entities[character])
}

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
    .map((one) => gradescopeTestOf(one, record, records.length > 1 ? `${titleOf(record)}: ` : '')))
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
function gradescopeTestOf ({ kind, name, outcome, lines, requests }, record, prefix) {
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
