import assert from 'node:assert/strict'
import fs from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import test from 'node:test'
import { Ajv } from 'ajv'
import { lessonsRoot } from '../../runner/lesson/index.js'
import { readMarkdown } from './markdown.js'

/**
 * The workflows of docs/grading.md and docs/automation.md, against what GitHub knows of the fields that they use:
 * nothing mistyped, nothing missing.
 */

/** eslint brings it along. @type {{ load: (text: string) => any }} */
const yaml = createRequire(createRequire(import.meta.url).resolve('@eslint/eslintrc'))('js-yaml')

/** @param {Record<string, object>} required @param {Record<string, object>} [optional] */
const object = (required, optional = {}) => ({
  type: 'object',
  properties: { ...required, ...optional },
  required: Object.keys(required),
  additionalProperties: false
})
const [text, count] = [{ type: 'string', minLength: 1 }, { type: 'integer', minimum: 1 }]
const list = (/** @type {object} */ items) => ({ type: 'array', items, minItems: 1 })
const step = object({}, {
  uses: text,
  run: text,
  if: text,
  with: { type: 'object', additionalProperties: { type: ['string', 'number', 'boolean'] } },
  'working-directory': text
})
const schema = object({
  name: text,
  on: { anyOf: [text, list(text), { type: 'object' }] },
  permissions: { type: 'object', additionalProperties: { enum: ['read', 'none'] } },
  jobs: {
    type: 'object',
    additionalProperties: object({
      'runs-on': { anyOf: [text, list(text)] },
      'timeout-minutes': count,
      steps: list({ ...step, oneOf: [{ required: ['uses'] }, { required: ['run'] }] })
    })
  }
})

const workflows = ['grading.md', 'automation.md'].flatMap((name) =>
  readMarkdown(fs.readFileSync(path.join(lessonsRoot(), 'docs', name), 'utf8')).code
    .flatMap(({ language, text }) => language === 'yaml' ? [yaml.load(text)] : []))

test('every workflow has only fields that there are', () => {
  assert.equal(workflows.length, 3)
  for (const workflow of workflows) {
    const ajv = new Ajv({ allErrors: true, allowUnionTypes: true, strictRequired: false })
    assert.ok(ajv.validate(schema, workflow), `${workflow.name}: ${ajv.errorsText()}`)
  }
})
