import fs from 'node:fs'

/**
 * The schema of a record, and that of what is sent of it to a room, each without references.
 *
 * @import { Schema } from './schema.js'
 */

const file = new URL('result.schema.json', import.meta.url)
const { definitions: { sentRecord, ...definitions }, ...whole } = JSON.parse(fs.readFileSync(file, 'utf8'))

export const recordSchema = resolved(whole)
export const sentSchema = narrowed(recordSchema, sentRecord)

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
