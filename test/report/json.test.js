import test from 'node:test'
import assert from 'node:assert/strict'
import { isRecord } from '../../runner/judge/index.js'
import { jsonReport } from '../../runner/report/index.js'
import { assertValid, validate } from '../valid-record.js'
import { failed, hostile, inconclusive, passed, samples } from './records.js'

for (const [name, sample] of [...samples, /** @type {const} */ (['hostile', hostile])]) {
  test(`the JSON of a record (${name}) is valid and holds the whole record`, () => {
    const parsed = JSON.parse(jsonReport(sample()))
    assertValid(parsed)
    assert.deepEqual(parsed, JSON.parse(JSON.stringify(sample())))
  })
}

test('the JSON can be printed without harm', () => {
  assert.doesNotMatch(jsonReport(hostile()), /[^\P{C}\n]/u)
  assert.match(jsonReport(passed()), /^\{\n {2}"version": 1,\n[^]*\}\n$/)
})

/** @type {[string, (record: any) => void][]} */
const breaks = [
  ['of another version', (record) => { record.version = 2 }],
  ['with an unknown verdict', (record) => { record.verdict = 'perhaps' }],
  ['with an unknown field', (record) => { record.score = 100 }],
  ['with an unknown field in a gate', (record) => { record.gates[0].weight = 1 }],
  ['with an unknown field in its lesson', (record) => { record.lesson.file = 'x' }],
  ['with an interval of three numbers', (record) => { record.gates[0].interval = [1, 2, 3] }],
  ['with an interval of one number', (record) => { record.gates[0].interval = [1] }],
  ['with a confidence in percent', (record) => { record.gates[0].confidence = 99 }],
  ['with a gate of an unknown kind', (record) => { record.gates[0].kind = 'memory' }],
  ['with a target of text', (record) => { record.gates[0].target = '4' }],
  ['with a negative ratio', (record) => { record.gates[0].ratio = -1 }],
  ['with a check that says neither pass nor fail', (record) => { record.contract[0].status = 'ok' }],
  ['with a round number 0', (record) => { record.rounds[0].number = 0 }],
  ['with a round of no rate', (record) => { record.rounds[0].yours = null }],
  ['with half a request', (record) => { record.load.requests = 0.5 }],
  ['with a mechanism that is only a sentence', (record) => { record.mechanism = 'less work' }],
  ['with a start that is no time', (record) => { record.startedAt = 'yesterday' }],
  ['with a seed that is a number', (record) => { record.seed = 7 }],
  ...Object.keys(passed()).map((key) =>
    /** @type {[string, (record: any) => void]} */ ([`without ${key}`, (record) => { delete record[key] }]))
]

for (const [what, harm] of breaks) {
  test(`a record ${what} is not valid`, () => {
    const record = structuredClone(failed())
    harm(record)
    assert.equal(validate(record), false)
    // A newer workshop may have written more.
    assert.equal(isRecord(record), what.includes('unknown field'))
  })
}

test('an inconclusive gate may say how many seconds are missing, and a machine that it cannot tell', () => {
  const record = inconclusive()
  assert.equal(record.gates[0].moreSeconds, 31.4)
  assert.equal(record.mechanism?.confirmed, null)
  assert.ok(validate(record))
})

test('a record may say how latencies were distributed, and a gate’s state after each round', () => {
  const figures = { count: 500, p50: 1.2, p75: 1.5, p90: 2, p95: 2.5, p99: 8.1, p999: null, max: 9.7 }
  const record = passed()
  record.gates[0].course = [{ round: 1, ratio: 5, interval95: null }, { round: 2, ratio: 6, interval95: [4, 9] }]
  record.latencies = [{ load: 'movies', of: 'answers', baseline: figures, yours: figures }]
  assertValid(record)
  const latencies = [{ ...record.latencies[0], baseline: { ...figures, p50: -1 } }]
  assert.equal(validate({ ...record, latencies }), false)
})
