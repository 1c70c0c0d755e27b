import { cleanLine, cleanLines } from '../../shared/text.js'
import { sayMeasured } from '../../judge/index.js'
import { serversOf } from '../gates-and-rounds.js'
import { formatNumber, sayMore } from '../numbers.js'
import { failedCheck } from '../result-sections.js'
import { titleOf as lessonTitle } from '../section.js'

/**
 * The test cases of a report for another system: every check, every gate, and the verdict itself. Pure.
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
export function titleOf ({ lesson }) {
  return cleanLine(lessonTitle(lesson))
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
