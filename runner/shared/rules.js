/**
 * What values must be, for what people and other programs write: lessons and files. Pure.
 *
 * A rule returns what a value must be; undefined where it is valid.
 * @typedef {(value: any) => string | undefined} Rule
 */

/** @type {Rule} */
export const line = (value) =>
  typeof value === 'string' && value.trim() !== '' && !value.includes('\n') ? undefined : 'a line of text'
/** @type {Rule} */
export const boolean = (value) => typeof value === 'boolean' ? undefined : 'true or false'
/** @type {Rule} */
export const callable = (value) => typeof value === 'function' ? undefined : 'a function'
/** @type {Rule} */
export const regExp = (value) => value instanceof RegExp ? undefined : 'a regular expression'
/** @type {Rule} */
export const object = (value) => isObject(value) ? undefined : 'an object'
/** @type {Rule} */
export const filledObject = (value) =>
  isObject(value) && Object.keys(value).length > 0 ? undefined : 'an object with at least one field'
/** @type {Rule} */
export const list = (value) => Array.isArray(value) ? undefined : 'a list'
/** @type {Rule} */
export const filledList = (value) =>
  Array.isArray(value) && value.length > 0 ? undefined : 'a list with at least one item'

/** @param {Rule} rule @returns {Rule} */
export const optional = (rule) => (value) => value === undefined ? undefined : rule(value)

/** @param {number} low @param {number} [high] @returns {Rule} */
export const whole = (low, high = Infinity) => (value) =>
  Number.isInteger(value) && value >= low && value <= high ? undefined : `a whole number ${range(low, high)}`

/** @param {number} low @param {number} [high] @returns {Rule} */
export const number = (low, high = Infinity) => (value) =>
  Number.isFinite(value) && value >= low && value <= high ? undefined : `a number ${range(low, high)}`

/** @param {number} low @returns {Rule} */
export const above = (low) => (value) => Number.isFinite(value) && value > low ? undefined : `a number above ${low}`

/** @param {string[]} names @param {string} what @returns {Rule} */
export const oneOf = (names, what) => (value) => names.includes(value)
  ? undefined
  : `${what} (${names.map(quote).join(', ')})`

/** @param {any} value @returns {value is Record<string, any>} */
export function isObject (value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** @param {any} value @returns {string} its JSON, cut to a line */
export function shortJson (value) {
  const text = JSON.stringify(value) ?? String(value)
  return text.length > 60 ? `${text.slice(0, 57)}…` : text
}

/**
 * The problems of an object, each as `field: must …`.
 *
 * @param {any} thing
 * @param {string} prefix the field that it is, empty for the whole
 * @param {Record<string, Rule>} rules by field; it may have no others
 */
export function problemsOfFields (thing, prefix, rules) {
  if (!isObject(thing)) return [`${prefix}: must be an object, got ${quote(thing)}`]
  const known = Object.keys(rules)
  /** @param {string} key */
  const fieldOf = (key) => prefix ? `${prefix}.${key}` : key
  return [
    ...known.flatMap((key) => {
      const must = rules[key](thing[key])
      return must ? `${fieldOf(key)}: must be ${must}, got ${quote(thing[key])}` : []
    }),
    ...Object.keys(thing).filter((key) => !known.includes(key)).map((key) => {
      const [near] = nearest(key, known, { limit: 1 })
      return `${fieldOf(key)}: there is no such field${near ? `, did you mean "${near}"?` : ''}`
    })
  ]
}

/**
 * The problems of each item of a list.
 *
 * @param {any[]} items
 * @param {string} field
 * @param {(item: any) => Record<string, Rule>} rulesOf
 */
export function problemsOfItems (items, field, rulesOf) {
  return items.flatMap((item, index) => problemsOfFields(item, `${field}[${index}]`, rulesOf(item)))
}

/** @param {any} value */
export function itemsOf (value) {
  return Array.isArray(value) ? value : []
}

/** @param {any} value */
export function quote (value) {
  if (value === undefined) return 'nothing'
  if (typeof value === 'string') return `"${value}"`
  return Array.isArray(value) ? 'a list' : typeof value === 'object' && value !== null ? 'an object' : String(value)
}

/** @param {number} low @param {number} high */
function range (low, high) {
  return high === Infinity ? `from ${low}` : `from ${low} to ${high}`
}

/**
 * The known names that may have been meant, nearest first: those that contain what was written, and those that
 * are a few slips of the keyboard away.
 *
 * @param {string} name what was written
 * @param {readonly string[]} known
 * @param {{ limit?: number }} [options] how many at most, default 3
 * @returns {string[]}
 */
export function nearest (name, known, { limit = 3 } = {}) {
  const asked = name.toLowerCase()
  return known
    .map((candidate) => ({ candidate, slips: slipsBetween(asked, candidate.toLowerCase()) }))
    .filter(({ slips }) => slips < Infinity)
    .sort((a, b) => a.slips - b.slips)
    .slice(0, limit)
    .map(({ candidate }) => candidate)
}

/** @param {string} asked @param {string} candidate */
function slipsBetween (asked, candidate) {
  if (asked.length >= 2 && candidate.includes(asked)) return 0.5
  const slips = distance(asked, candidate)
  // One letter in three may be wrong: more than that and everything resembles everything.
  const bearable = Math.max(1, Math.floor(Math.max(asked.length, candidate.length) / 3))
  return slips <= bearable ? slips : Infinity
}

/**
 * How many letters have to be added, dropped, replaced or swapped with their neighbour to turn one word into the other
 * (optimal string alignment distance, https://en.wikipedia.org/wiki/Damerau–Levenshtein_distance).
 *
 * @param {string} from
 * @param {string} to
 */
export function distance (from, to) {
  /** @type {number[][]} */
  const table = Array.from({ length: from.length + 1 }, (_, i) => [i])
  for (let j = 1; j <= to.length; j++) table[0][j] = j
  for (let i = 1; i <= from.length; i++) {
    for (let j = 1; j <= to.length; j++) {
      const replaced = table[i - 1][j - 1] + (from[i - 1] === to[j - 1] ? 0 : 1)
      table[i][j] = Math.min(table[i - 1][j] + 1, table[i][j - 1] + 1, replaced)
      const swapped = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1]
      if (swapped) table[i][j] = Math.min(table[i][j], table[i - 2][j - 2] + 1)
    }
  }
  return table[from.length][to.length]
}
