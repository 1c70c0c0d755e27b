import assert from 'node:assert/strict'
import fs from 'node:fs'
import test from 'node:test'
import { Ajv } from 'ajv'
import { keepKnown, problemOf, recordSchema } from '../../runner/judge/record-schema.js'
import { createRandom } from '../../runner/shared/random.js'
import { samples } from '../report/records.js'
import { seed } from '../shard.js'

const text = fs.readFileSync(new URL('../../runner/judge/result.schema.json', import.meta.url), 'utf8')
const validate = new Ajv().compile(JSON.parse(text.replaceAll('"additionalProperties": false,', '')))
const strange = [null, true, -1, 0.5, 1e9, '', 'pass', '2026-01-31', [], [1], [1, 2], [1, 2, 3], {}, undefined]

test('records that were changed somewhere are refused exactly where Ajv refuses them', () => {
  const random = createRandom(`${seed}/schema`)
  const seen = { right: 0, wrong: 0 }
  for (let at = 0; at < 3000; at++) {
    const [, sample] = random.pick(samples)
    const record = JSON.parse(JSON.stringify(changed(sample(), random)) ?? 'null')
    const problem = problemOf(recordSchema, record)
    assert.equal(problem === null, validate(record), `${problem}: ${JSON.stringify(record)}`)
    seen[problem === null ? 'right' : 'wrong']++
  }
  assert.ok(seen.right > 50 && seen.wrong > 500, JSON.stringify(seen))
})

test('what is wrong is named by its place', () => {
  const [[, sample]] = samples
  const record = sample()
  for (const [problem, harm] of Object.entries({
    'version is not 1': { version: 2 },
    'seed is missing': { seed: undefined },
    'verdict is not one of pass, fail, inconclusive, error': { verdict: 'best' },
    'lesson.number is not of type integer': { lesson: { ...record.lesson, number: 0.5 } },
    'gates[1].ratio is less than 0': { gates: [record.gates[0], { ...record.gates[1], ratio: -1 }] },
    'gates[0].interval has fewer than 2 items': { gates: [{ ...record.gates[0], interval: [1] }] },
    'gates has more than 50 items': { gates: Array.from({ length: 51 }, () => record.gates[0]) }
  })) assert.equal(problemOf(recordSchema, { ...record, ...harm }), problem)
})

test('what a schema does not name is dropped at any depth, and what has no shape is left as it is', () => {
  const one = { type: 'object', required: ['a'], properties: { a: { type: 'integer' } } }
  const parts = { list: { type: 'array', items: one }, may: { anyOf: [one, { type: 'null' }] } }
  const schema = { ...one, properties: { ...one.properties, ...parts } }
  assert.deepEqual(keepKnown(schema, { a: ['x', 'y'], b: 1, list: [{ a: 1, b: 2 }], may: { a: 3, b: 4 } }),
    { a: 2, list: [{ a: 1 }], may: { a: 3 } })
  for (const value of [null, 7, 'x', [], { a: 1, may: null }]) assert.deepEqual(keepKnown(schema, value), value)
})

/**
 * Somewhere inside, something else.
 *
 * @param {any} value
 * @param {import('../../runner/shared/random.js').Random} random
 * @returns {any}
 */
function changed (value, random) {
  const keys = value !== null && typeof value === 'object' ? Object.keys(value) : []
  if (keys.length === 0 || random.next() < 0.1) return random.pick(strange)
  const key = random.pick(keys)
  return Object.assign(Array.isArray(value) ? [...value] : { ...value }, { [key]: changed(value[key], random) })
}
