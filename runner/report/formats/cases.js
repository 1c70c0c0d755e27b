import { cleanLine, cleanLines } from '../../shared/text.js'
import { sayMeasured } from '../../judge/index.js'
import { serversOf } from '../gates-and-rounds.js'
import { formatNumber, sayMore } from '../numbers.js'
import { failedCheck } from '../result-sections.js'
import { titleOf } from '../section.js'

/**
 * Reports for other systems: JUnit, Gradescope, CSV and JSON. Pure.
 *
 * The test cases of most of them: every check, every gate, and the verdict itself.
 *
 * @import { ContractResult, GateResult, ResultRecord } from '../../judge/index.js'
 *
 * @typedef {object} Case its texts are harmless: no control characters, no escape sequences
 * @property {'contract' | 'gate' | 'verdict'} kind
 * @property {string} name one line
 * @property {'pass' | 'fail' | 'inconclusive' | 'error' | 'skipped'} outcome skipped: dropped on this machine, or not
 *   measured
 * @property {string[]} lines what to say about it; empty for a check that passed
 * @property {string[]} requests shell commands that show a failed check
 */

/** Said wherever it could be taken for a grade. */
const neither = 'Inconclusive, which is neither a pass nor a fail.'

/** @param {ResultRecord} record @returns {Case[]} checks in their order, then gates, then the verdict */
export function casesOf (record) {
  return [...record.contract.map(checkCase), ...record.gates.map(gateCase), verdictCase(record)]
}

/** @param {ResultRecord} record @returns {string} one harmless line: `Lesson 3 · In-memory JSON` */
export function plainTitleOf ({ lesson }) {
  return cleanLine(titleOf(lesson))
}

/** @param {ResultRecord} record @returns {string[]} what the submission wrote, harmless */
export function outputOf ({ output }) {
  return output.filter(({ server }) => server !== 'baseline').flatMap(({ text }) => cleanLines(text))
}

/** @param {ContractResult} check @returns {Case} */
function checkCase (check) {
  const { text, more, commands } = failedCheck(check)
  const isPass = check.status === 'pass'
  return {
    kind: 'contract',
    name: cleanLine(text),
    outcome: check.status,
    lines: isPass ? [] : said(...more),
    requests: isPass ? [] : said(...commands)
  }
}

/** @param {GateResult} gate @returns {Case} */
function gateCase (gate) {
  const { verdict } = gate
  const isOpen = verdict === 'dropped' || verdict === 'not measured'
  return {
    kind: 'gate',
    name: cleanLine(gate.name),
    outcome: isOpen ? 'skipped' : verdict,
    lines: isOpen
      ? said(verdict === 'dropped' ? 'Dropped on this machine.' : 'Not measured.', gate.note)
      : said(
        verdict === 'inconclusive' ? neither : '',
        `${sayMeasured(gate)}.`,
        sayFigures(gate),
        gate.note,
        sayMore(gate),
        verdict === 'fail' ? gate.look : ''
      ),
    requests: []
  }
}

/** @param {GateResult} gate */
function sayFigures (gate) {
  const { baseline, yours, unit } = gate
  if (baseline === null || yours === null) return ''
  const [one, other] = serversOf(gate)
  return `${one} ${formatNumber(baseline, '–')}, ${other} ${formatNumber(yours, '–')} ${unit}`
}

/** @param {ResultRecord} record @returns {Case} */
function verdictCase (record) {
  const { verdict, reason, next } = record
  return {
    kind: 'verdict',
    name: 'verdict',
    outcome: verdict,
    lines: said(
      verdict === 'inconclusive' ? neither : '',
      reason,
      sayTally(record),
      next === '' ? '' : `Next: ${next}`
    ),
    requests: []
  }
}

/** @param {ResultRecord} record */
function sayTally ({ contract, gates }) {
  const judged = gates.filter(({ verdict }) => verdict !== 'dropped' && verdict !== 'not measured')
  const reached = judged.filter(({ verdict }) => verdict === 'pass')
  const passed = contract.filter(({ status }) => status === 'pass')
  const parts = [
    ...contract.length > 0 ? [`${passed.length} of ${contract.length} checks passed`] : [],
    ...judged.length > 0 ? [`${reached.length} of ${judged.length} gates reached`] : []
  ]
  return parts.length > 0 ? `${parts.join(', ')}.` : ''
}

/** @param {string[]} texts @returns {string[]} */
function said (...texts) {
  return texts.flatMap((text) => cleanLines(text))
}

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
    name: plainTitleOf(record),
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
    .map((one) => gradescopeTestOf(one, record, records.length > 1 ? `${plainTitleOf(record)}: ` : '')))
  return `${JSON.stringify({
    score: records.filter(({ verdict }) => verdict === 'pass').length * points,
    execution_time: records.reduce((sum, { durationMs }) => sum + durationMs, 0) / 1000,
    output: records.map((record) => `${plainTitleOf(record)}: ${record.verdict}`).join('\n'),
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

/** Without it, Excel doesn't read the file as UTF-8. */
const byteOrderMark = '\ufeff'

/** @param {readonly (readonly (string | number | null)[])[]} rows @returns {string} CSV (RFC 4180) */
export function csvText (rows) {
  return byteOrderMark + rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('')
}

/** A text that begins like a formula is quoted: a spreadsheet would run it. @param {string | number | null} value */
function cell (value) {
  if (value === null) return ''
  if (typeof value === 'number') return String(value)
  const line = cleanLine(value)
  const text = /^[=+\-@＝＋－＠]/.test(line) ? `'${line}` : line
  return /[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/**
 * One result record, or a list of them or of grades, as JSON. It may be printed to a terminal: control and
 * bidirectional characters are escaped, which changes nothing for a JSON parser.
 *
 * @param {object} records
 * @returns {string} pretty JSON with a newline at its end; each record is valid against result.schema.json
 */
export function jsonReport (records) {
  return `${JSON.stringify(records, null, 2).replace(/[\u007f-\u009f\p{Cf}\u2028\u2029]/gu, escapedCharacter)}\n`
}

/** @param {string} character of one or two code units */
function escapedCharacter (character) {
  return Array.from({ length: character.length }, (_, at) => {
    return `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`
  }).join('')
}
