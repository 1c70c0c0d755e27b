import { cleanLine } from '../../clean.js'
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
