const width = 120

/**
 * JSON in which an object or a list that fits is on one line. Pure.
 *
 * @param {unknown} value
 * @param {string} [indent]
 * @param {number} [used] columns used before it on its line
 * @returns {string}
 */
export function printJson (value, indent = '', used = 0) {
  const flat = onOneLine(value)
  if (typeof value !== 'object' || value === null || used + flat.length < width) return flat
  const inner = `${indent}  `
  const items = Object.entries(value).map(([key, item]) => {
    const name = Array.isArray(value) ? '' : `"${key}": `
    return name + printJson(item, inner, inner.length + name.length)
  })
  const isList = Object.values(value).every((item) => item === true || typeof item === 'string')
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  const lines = isList ? filled(items, inner) : items.map((item) => inner + item).join(',\n')
  return `${open}\n${lines}\n${indent}${close}`
}

/** @param {unknown} value @returns {string} */
function onOneLine (value) {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(onOneLine).join(', ')}]`
  return `{ ${Object.entries(value).map(([key, item]) => `"${key}": ${onOneLine(item)}`).join(', ')} }`
}

/** @param {string[]} items @param {string} indent @returns {string} as many on a line as fit */
function filled (items, indent) {
  return items.reduce((text, item) => {
    const last = text.slice(text.lastIndexOf('\n') + 1)
    return `${text},${last.length + item.length + 3 < width ? ' ' : `\n${indent}`}${item}`
  }, '').replace(/^,\s*/, indent)
}
