import fs from 'node:fs'
import { isObject } from '../shared/rules.js'
import { kindOf } from './gate-kinds.js'

/**
 * The schema of a record, and that of what is sent of it to a room, each without references.
 *
 * @import { GateResult, ResultRecord, SentRecord } from './record.js'
 */

const file = new URL('result.schema.json', import.meta.url)
const { definitions: { sentRecord: sentFields, ...definitions }, ...whole } = JSON.parse(fs.readFileSync(file, 'utf8'))

export const recordSchema = resolved(whole)
const sentSchema = narrowed(recordSchema, sentFields)

/** @param {any} value @returns {any} */
function resolved (value) {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(resolved)
  const { $ref, ...rest } = value
  const own = Object.fromEntries(Object.entries(rest).map(([key, one]) => [key, resolved(one)]))
  return $ref ? { ...resolved(definitions[$ref.replace('#/definitions/', '')]), ...own } : own
}

/** @param {Schema} schema @param {any} sent which of its fields are sent @returns {Schema} */
function narrowed (schema, sent) {
  if (sent === true) return schema
  if (sent.items) return { ...schema, items: narrowed(schema.items, sent.items) }
  if (!sent.properties) return sent
  const names = Object.keys(sent.properties)
  return {
    ...schema,
    required: schema.required.filter((/** @type {string} */ name) => names.includes(name)),
    properties: Object.fromEntries(names.map((name) =>
      [name, narrowed(schema.properties[name], sent.properties[name])]))
  }
}

/**
 * As much of JSON Schema as the schema of a record needs: the validator that Ajv generates from it has 130 kB. Fields
 * that a schema does not name are passed over, since a newer workshop may have written them. Pure.
 *
 * @typedef {Record<string, any>} Schema
 */

/**
 * Faults of a value, by keyword; the type comes first, so that the others may rely on it.
 *
 * @type {Record<string, (value: any, rule: any) => string | false>}
 */
const problems = {
  type: (value, types) => ![types].flat().some((type) => isOf(value, type)) &&
    `is not of type ${[types].flat().join(' or ')}`,
  const: (value, only) => value !== only && `is not ${only}`,
  enum: (value, all) => !all.includes(value) && `is not one of ${all.join(', ')}`,
  minimum: (value, least) => value !== null && value < least && `is less than ${least}`,
  exclusiveMinimum: (value, bound) => value <= bound && `is not greater than ${bound}`,
  maximum: (value, most) => value !== null && value > most && `is greater than ${most}`,
  maxLength: (value, most) => value.length > most && `is longer than ${most} characters`,
  pattern: (value, pattern) => !new RegExp(pattern, 'u').test(value) && 'is not in the expected form',
  minItems: (value, least) => value.length < least && `has fewer than ${least} items`,
  maxItems: (value, most) => value.length > most && `has more than ${most} items`
}

/**
 * @param {Schema} schema
 * @param {any} value
 * @param {string} [name] what to call it
 * @returns {string | null} the first thing that is wrong, as `gates[0].name is missing`; null: nothing
 */
export function problemOf (schema, value, name = 'it') {
  if (schema.anyOf) {
    const found = schema.anyOf.map((/** @type {Schema} */ one) => problemOf(one, value, name))
    return found.includes(null) ? null : found[0]
  }
  for (const [keyword, problem] of Object.entries(problems)) {
    const text = keyword in schema && problem(value, schema[keyword])
    if (text) return `${name} ${text}`
  }
  for (const [field, part, one] of partsOf(schema, value)) {
    const called = schema.items ? `${name}[${field}]` : name === 'it' ? field : `${name}.${field}`
    const isMissing = one === undefined
    if (isMissing && schema.required.includes(field)) return `${called} is missing`
    const found = isMissing ? null : problemOf(part, one, called)
    if (found !== null) return found
  }
  return null
}

/**
 * The parts of a value that a schema names, and no more. Where it wants a number and finds a list, the list's length.
 *
 * @param {Schema} schema
 * @param {any} value of whatever shape
 * @returns {any}
 */
export function keepKnown (schema, value) {
  const one = schema.anyOf?.find((/** @type {Schema} */ option) => problemOf(option, value) === null) ?? schema
  if (one.type === 'integer' && Array.isArray(value)) return value.length
  if (!isOf(value, one.type)) return value
  const parts = partsOf(one, value).filter(([, , part]) => part !== undefined)
    .map(([field, part, inner]) => /** @type {const} */ ([field, keepKnown(part, inner)]))
  return one.items ? parts.map(([, part]) => part) : one.properties ? Object.fromEntries(parts) : value
}

/** @param {Schema} schema @param {any} value @returns {[field: string, schema: Schema, value: any][]} */
function partsOf ({ properties, items }, value) {
  if (items) return value.map((/** @type {any} */ item, /** @type {number} */ at) => [at, items[at] ?? items, item])
  return Object.entries(properties ?? {}).map(([field, part]) =>
    [field, part, Object.hasOwn(value, field) ? value[field] : undefined])
}

/** @param {any} value @param {string} type */
function isOf (value, type) {
  if (type === 'array') return Array.isArray(value)
  if (type === 'null') return value === null
  if (type === 'integer') return Number.isInteger(value)
  if (type === 'number') return Number.isFinite(value)
  if (type === 'object') return isObject(value)
  const actual = typeof value
  return actual === type
}

/**
 * The part of a record that leaves the learner's machine once they have joined a room. Pure.
 *
 * @param {ResultRecord | SentRecord} record
 * @returns {SentRecord} the same for a record that was sent before
 */
export function sentRecord (record) {
  return keepKnown(sentSchema, record)
}

/** @param {unknown} value @returns {string | null} why it is no record that was sent; null: it is one */
export function sentRecordProblem (value) {
  return problemOf(sentSchema, value)
}

/** @param {unknown} value @returns {value is ResultRecord} */
export function isRecord (value) {
  return problemOf(recordSchema, value) === null
}

/**
 * The gate that represents a whole check where there's room for one figure: the first that was measured. A gate
 * judged without the baseline, with a limit, has no ratio. Pure.
 *
 * @template {Pick<GateResult, 'ratio' | 'direction'>} T
 * @param {readonly T[]} gates
 * @returns {T | undefined}
 */
export function leadingGate (gates) {
  return gates.find((gate) => typeof gate?.ratio === 'number' && gate.direction !== 'at most')
}

/** @param {Pick<GateResult, 'tiers'>} [gate] @returns {string | null} the highest tier that was reached */
export function reachedTier (gate) {
  return gate?.tiers?.filter(({ verdict }) => verdict === 'pass').at(-1)?.name ?? null
}

/**
 * Why a check did not pass, in a few words that are the same for every learner with the same trouble. Pure.
 *
 * @param {SentRecord} record
 * @returns {{ reason: string | null, gate?: SentRecord['gates'][number] }} reason: null if it passed; gate: what the
 *   reason is about
 */
export function leadingReason ({ verdict, contract, gates, load }) {
  if (verdict === 'pass') return { reason: null }
  if (verdict === 'error') return { reason: 'the check could not be done' }
  const wrong = contract.find(({ status }) => status === 'fail')
  if (wrong) return { reason: `wrong answer: “${wrong.name}”` }
  if (load.problems > 0) return { reason: 'wrong answers under load' }
  const missed = gates.find((gate) => gate.verdict === 'fail')
  if (missed) return { reason: `${kindOf(missed.kind).missed}: ${missed.name}`, gate: missed }
  if (verdict === 'fail') return { reason: 'did not run to the end' }
  const open = gates.find((gate) => gate.verdict === 'inconclusive')
  return open ? { reason: `not certain: ${open.name}`, gate: open } : { reason: 'not measured' }
}
