import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import test from 'node:test'
import { Ajv } from 'ajv'
import { gradescopeReport, junitReport } from '../../../runner/report/index.js'
import { broken, failed, hostile, inconclusive, passed, samples, stopped, tiered } from '../records.js'
import { nasty, oddTexts } from './texts.js'
import { readXml } from './xml.js'

/** @import { ResultRecord } from '../../../runner/judge/index.js' */

const ajv = new Ajv({ allErrors: true, strictTypes: false })
const formats = [
  { name: 'junit', report: junitReport, read: readXml },
  { name: 'gradescope', report: gradescopeReport, read: JSON.parse }
].map((format) => {
  const schema = readFileSync(new URL(`schemas/${format.name}.schema.json`, import.meta.url), 'utf8')
  return { ...format, validate: ajv.compile(JSON.parse(schema)) }
})
const all = samples.map(([, sample]) => sample())

for (const { name, report, read, validate } of formats) {
  /** @param {readonly ResultRecord[]} records */
  const readValid = (records) => {
    const text = report(records)
    const value = read(text)
    assert.ok(validate(value), `${JSON.stringify(validate.errors)}\n${text}`)
    assert.doesNotMatch(text, /(?!\n)[\p{Cc}\p{Cf}\p{Cs}]/u, 'no control character')
    return value
  }

  test(`${name}: a record of each verdict is valid, and so are several in one file`, () => {
    for (const one of all) readValid([one])
    readValid(all)
  })

  test(`${name}: hostile text is text`, () => {
    const given = JSON.stringify(readValid([hostile(nasty)]))
    assert.ok(given.includes('<testcase name=\\"mine\\"/>') && given.includes('::error file=a.js'), given)
  })

  test(`${name}: any text is text`, () => {
    for (const text of oddTexts) {
      const one = hostile(text)
      readValid([{ ...one, verdict: 'error' }, one, inconclusive()])
    }
  })

  test(`${name}: its schema refuses what the format does not know`, () => {
    const value = read(report([passed()]))
    value.attributes ? value.attributes.colour = 'red' : value.colour = 'red'
    assert.equal(validate(value), false)
  })
}

test('the reader of XML refuses what is not well-formed', () => {
  const head = '<?xml version="1.0" encoding="UTF-8"?>\n'
  assert.deepEqual(readXml(`${head}<a b="&lt;&#65;">x &amp; y<c/></a>`), {
    name: 'a', attributes: { b: '<A' }, children: [{ name: 'c', attributes: {}, children: [], text: '' }], text: 'x & y'
  })
  for (const wrong of [
    '<a>', '<a></b>', '<a/><a/>', '<a b="1" b="2"/>', '<a b=1/>', '<a b="<"/>', '<a>&</a>', '<a>&copy;</a>',
    '<a>]]></a>', '<a>\b</a>', '</a>', 'x<a/>'
  ]) {
    assert.throws(() => readXml(`${head}${wrong}`), Error, wrong)
  }
})

test('junit: what passed, failed, was skipped and was the workshop’s fault', () => {
  assert.ok(junitReport([passed()]).startsWith('<?xml version="1.0" encoding="UTF-8"?>\n'))
  assert.deepEqual(outcomes(passed()), { pass: 6 })
  assert.deepEqual(outcomes(failed()), { pass: 5, failure: 2, skipped: 1 })
  assert.deepEqual(outcomes(broken()), { pass: 1, failure: 2, skipped: 2 })
  assert.deepEqual(outcomes(inconclusive()), { pass: 4, skipped: 2 })
  assert.deepEqual(outcomes(stopped()), { error: 1 })
})

/** Of the cases, and as the suite counts them. @param {ResultRecord} record */
function outcomes (record) {
  const [suite] = readXml(junitReport([record])).children
  /** @type {Record<string, number>} */
  const counts = {}
  for (const { children } of suite.children.filter(({ name }) => name === 'testcase')) {
    const outcome = children.find(({ name }) => name !== 'system-out')?.name ?? 'pass'
    counts[outcome] = (counts[outcome] ?? 0) + 1
  }
  const { tests, failures, errors, skipped } = suite.attributes
  assert.deepEqual(
    { tests, failures, errors, skipped },
    {
      tests: String(Object.values(counts).reduce((sum, count) => sum + count, 0)),
      failures: String(counts.failure ?? 0),
      errors: String(counts.error ?? 0),
      skipped: String(counts.skipped ?? 0)
    }
  )
  return counts
}

test('gradescope: full points for a pass alone, and never for what is inconclusive', () => {
  for (const [verdict, sample] of samples) {
    const record = sample()
    const { score, tests } = JSON.parse(gradescopeReport([record]))
    const points = record.verdict === 'pass' ? 100 : 0
    assert.equal(score, points, verdict)
    const [scored, ...others] = tests.filter((/** @type {any} */ one) => one.max_score !== undefined)
    assert.deepEqual([scored.score, scored.max_score, others.length], [points, 100, 0])
  }
  assert.equal(JSON.parse(gradescopeReport(all)).score, 200)
  const [last] = JSON.parse(gradescopeReport([inconclusive()])).tests.slice(-1)
  assert.match(last.output, /^Inconclusive, which is neither a pass nor a fail\.\n/)
  assert.match(last.output, /3 of 3 checks passed, 1 of 2 gates reached\./)
})

test('gradescope: tiers are told in words', () => {
  const { tests } = JSON.parse(gradescopeReport([tiered()]))
  assert.match(tests.find((/** @type {any} */ one) => one.name === 'shop').output, /, which is silver; gold is at 8×\./)
})
