const width = 120

/**
 * The typedefs of a record in JSDoc: one for the whole, one for each definition of its schema, one for what is sent.
 * Pure.
 *
 * @param {any} schema
 * @returns {string}
 */
export function typedefsOf (schema) {
  const { sentRecord, ...definitions } = schema.definitions
  const blocks = [
    typedefOf('ResultRecord', schema),
    ...Object.entries(definitions).map(([name, definition]) => typedefOf(typeName(name), definition)),
    [`@typedef {${pickText('ResultRecord', schema, sentRecord, definitions)}} SentRecord ${sentRecord.description}`]
  ]
  return `/**\n${blocks.map((lines) => lines.flatMap(wrapped).join('\n')).join('\n *\n')}\n */\n`
}

/** @param {string} name @param {any} definition @returns {string[]} */
function typedefOf (name, definition) {
  const { type, properties, required, description = '' } = definition
  if (type !== 'object') return [`@typedef {${typeText(definition)}} ${name} ${description}`]
  const fields = Object.entries(properties).map(([field, one]) =>
    `@property {${typeText(one)}} ${required.includes(field) ? field : `[${field}]`} ${one.description ?? ''}`)
  return [`@typedef {object} ${name} ${description}`, ...fields]
}

/** @param {any} schema @returns {string} */
function typeText (schema) {
  const { $ref, anyOf, enum: values = 'const' in schema ? [schema.const] : undefined, type, items } = schema
  if ($ref) return typeName(nameIn($ref))
  if (anyOf) return anyOf.map(typeText).join(' | ')
  if (values) return values.map((/** @type {unknown} */ value) => JSON.stringify(value).replace(/"/g, "'")).join(' | ')
  if (Array.isArray(items)) return `[${items.map(typeText).join(', ')}]`
  if (type === 'array') return `${typeText(items)}[]`
  if (type === 'object') {
    return `{ ${Object.entries(schema.properties).map(([name, one]) => `${name}: ${typeText(one)}`).join(', ')} }`
  }
  return [type].flat().map((one) => one === 'integer' ? 'number' : one).join(' | ')
}

/**
 * @param {string} type of the whole
 * @param {any} schema of the whole
 * @param {any} sent which of its fields are sent
 * @param {Record<string, any>} definitions
 * @returns {string} the type of what is sent of it
 */
function pickText (type, schema, sent, definitions) {
  const names = Object.keys(sent.properties)
  const whole = names.filter((name) => sent.properties[name] === true)
  const parts = names.filter((name) => !whole.includes(name)).map((name) => {
    const part = sent.properties[name]
    if (part.type) return `${name}: ${typeText(part)}`
    const { items, $ref = items?.$ref } = schema.properties[name]
    const inner = $ref ? typeName(nameIn($ref)) : `${type}['${name}']`
    const full = $ref ? definitions[nameIn($ref)] : schema.properties[name]
    return `${name}: ${pickText(inner, full, part.items ?? part, definitions)}${items ? '[]' : ''}`
  })
  const picked = `Pick<${type}, ${whole.map((name) => `'${name}'`).join(' | ')}>`
  return parts.length > 0 ? `${picked} & { ${parts.join(', ')} }` : picked
}

/** @param {string} ref */
function nameIn (ref) {
  return ref.replace('#/definitions/', '')
}

/** @param {string} name of a definition */
function typeName (name) {
  return name[0].toUpperCase() + name.slice(1)
}

/** @param {string} line @returns {string[]} never broken inside of quotation marks */
function wrapped (line) {
  const lines = [' *']
  for (const word of line.match(/(?:'[^']*'|\S)+/g) ?? []) {
    if (lines[lines.length - 1].length + 1 + word.length > width) lines.push(' *  ')
    lines[lines.length - 1] += ` ${word}`
  }
  return lines
}
