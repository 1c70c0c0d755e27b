import {
  above, callable, filledList, filledObject, isObject, itemsOf, number, oneOf, optional, problemsOfFields,
  problemsOfItems, quote, whole
} from '../../rules.js'
import { placeholdersIn } from './fill.js'
import { safeMethods } from './load.js'

/**
 * @import { Rule } from '../../rules.js'
 * @import { Load, LoadRequest } from './load.js'
 */

const methods = [...safeMethods, 'POST', 'PUT', 'PATCH', 'DELETE']
/** Set by what sends the request. */
const ownHeaders = ['host', 'connection', 'content-length', 'transfer-encoding']

/**
 * What is wrong with a load, each problem as `field: must …`; empty for a valid one. Pure.
 *
 * @param {any} load
 * @returns {string[]}
 */
export function problemsOfLoad (load) {
  if (!isObject(load)) return ['must be an object with `requests`']
  const inputs = isObject(load.inputs) ? load.inputs : {}
  const problems = [
    ...problemsOfFields(load, '', {
      requests: filledList,
      inputs: optional(filledObject),
      connections: optional(whole(1, 1000)),
      rate: optional(number(1, 100_000)),
      before: optional(preparation),
      ignore: optional(strings)
    }),
    ...problemsOfItems(itemsOf(load.requests), 'requests', () => requestRules),
    ...problemsOfItems(itemsOf(load.before), 'before', () => requestRules),
    ...Object.entries(inputs).flatMap(([name, input]) => problemsOfInput(input, `inputs.${name}`))
  ]
  return problems.length > 0 ? problems : problemsOfPlaceholders(/** @type {any} */ (load))
}

/** @type {Rule} */
const strings = (value) => Array.isArray(value) && value.every((one) => typeof one === 'string' && one !== '')
  ? undefined
  : 'a list of names'

/** @type {Rule} */
const preparation = (value) => filledList(value) === undefined || callable(value) === undefined
  ? undefined
  : 'a list of requests, or in a module a function'

/** @type {Rule} */
const path = (value) => typeof value === 'string' && /^[/{][\x21-\x7e]*$/.test(value)
  ? undefined
  : 'a path that begins with a slash, encoded as encodeURIComponent does'

/** @type {Rule} */
const headers = (value) => {
  if (!isObject(value)) return 'an object of names and values'
  const own = Object.keys(value).find((name) => ownHeaders.includes(name.toLowerCase()))
  if (own) return `without ${own}, which is set for each request`
  const isRight = Object.entries(value).every(([name, text]) =>
    /^[\w!#$%&'*+.^`|~-]+$/.test(name) && typeof text === 'string' && /^[\x20-\x7e]*$/.test(text))
  return isRight ? undefined : 'an object of names and lines of plain ASCII'
}

/** @type {Rule} */
const keep = (value) => isObject(value) && Object.entries(value).every(([name, place]) => isName(name) &&
  /^(body|headers|cookies)\b/.test(String(place)))
  ? undefined
  : 'names with a place in the answer each: "body.token", "headers.location", "cookies.session"'

/** @type {Record<string, Rule>} */
const requestRules = {
  method: optional(oneOf(methods, 'a method')),
  path,
  headers: optional(headers),
  body: () => undefined,
  weight: optional(above(0)),
  safe: optional(oneOf(/** @type {any[]} */ ([true, false]), 'true or false')),
  keep: optional(keep)
}

/** @param {string} name */
function isName (name) {
  return /^[A-Za-z_]\w*$/.test(name)
}

/** @param {any} input @param {string} field @returns {string[]} */
function problemsOfInput (input, field) {
  const isValue = (/** @type {unknown} */ value) => typeof value === 'string' || Number.isFinite(value)
  if (!isName(field.slice('inputs.'.length))) return [`${field}: must have a name of letters, digits and _`]
  if (Array.isArray(input)) {
    return input.length > 0 && input.every(isValue) ? [] : [`${field}: must be a list of strings and numbers`]
  }
  if (isObject(input?.weights)) {
    const weights = Object.values(input.weights)
    const isRight = weights.length > 0 && weights.every((weight) => above(0)(weight) === undefined)
    return isRight ? [] : [`${field}.weights: must be values with a number above 0 each`]
  }
  if (isObject(input) && ('from' in input || 'to' in input)) {
    return problemsOfFields(input, field, { from: whole(-Infinity), to: whole(input.from ?? 0) })
  }
  return [`${field}: must be a list, { "from": 1, "to": 9 } or { "weights": { "a": 2, "b": 1 } }, got ${quote(input)}`]
}

/** Every placeholder of a path and of a header is filled with something. @param {Load} load @returns {string[]} */
function problemsOfPlaceholders ({ requests, inputs = {}, before }) {
  // What a function returns is known only when it has run.
  if (typeof before === 'function') return []
  const known = new Set(Object.keys(inputs))
  const problemsOfOne = (/** @type {LoadRequest} */ request, /** @type {string} */ field) => placeholdersIn(request)
    .filter((name) => !known.has(name))
    .map((name) => `${field}: has the placeholder {${name}}, which no input and no \`keep\` before it fills`)
  const ofBefore = (before ?? []).flatMap((request, i) => {
    const problems = problemsOfOne(request, `before[${i}]`)
    for (const name of Object.keys(request.keep ?? {})) known.add(name)
    return problems
  })
  const starts = requests.filter((request) => problemsOfOne(request, '').length === 0)
  for (const name of requests.flatMap((request) => Object.keys(request.keep ?? {}))) known.add(name)
  const problems = [...ofBefore, ...requests.flatMap((request, i) => problemsOfOne(request, `requests[${i}]`))]
  if (problems.length > 0 || starts.length > 0) return problems
  return ['requests: must have one without placeholders that only later answers fill, to begin with']
}
