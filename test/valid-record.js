import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { Ajv } from 'ajv'

const schema = new URL('../runner/judge/result.schema.json', import.meta.url)

/** What the record's schema says of a value. */
export const validate = new Ajv({ allErrors: true, strict: true }).compile(JSON.parse(readFileSync(schema, 'utf8')))

/** @param {unknown} record */
export function assertValid (record) {
  assert.ok(validate(record), JSON.stringify(validate.errors))
}
