import fs from 'node:fs/promises'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { usualCodings } from '../runner/contract/index.js'
import { WorkshopError } from '../runner/shared/errors.js'
import {
  above, boolean, callable, filledList, filledObject, isObject, itemsOf, number, oneOf, optional, problemsOfFields,
  problemsOfItems, quote, whole
} from '../runner/shared/rules.js'
import { shownPath } from '../runner/shared/text.js'
import { textOf } from './recordings.js'

/**
 * What a comparison sends. Plain data, all but a `before` that is a function.
 *
 * @import { Answer } from '../runner/contract/index.js'
 * @import { Random } from '../runner/shared/random.js'
 * @import { Rule } from '../runner/shared/rules.js'
 *
 * @typedef {object} LoadRequest
 * @property {string} [method] default GET
 * @property {string} path may have placeholders, as `/movies/{id}`: for inputs, and for values of earlier answers
 * @property {Record<string, string>} [headers] may have placeholders
 * @property {unknown} [body] a string is sent as it is, anything else as JSON; may have placeholders
 * @property {number} [weight] how often it is sent, compared with the others; default 1
 * @property {boolean} [safe] changes nothing on the server (RFC 9110, 9.2.1); default: by its method
 * @property {Record<string, string>} [keep] values of its answer for later requests: `{ "token": "body.token" }`
 *
 * @typedef {(string | number)[] | { from: number, to: number } | { weights: Record<string, number> }} Input what is
 *   drawn for a placeholder: one of a list, a whole number, or one of several by their weights
 *
 * @typedef {{ origin: string, send: (request: LoadRequest) => Promise<Answer> }} BeforeGiven
 *
 * @typedef {Record<string, string | number>} Kept values of earlier answers of one server, by name
 *
 * @typedef {object} Load
 * @property {LoadRequest[]} requests
 * @property {Record<string, Input>} [inputs]
 * @property {number} [connections] of a closed loop
 * @property {number} [rate] requests/s of an open loop
 * @property {LoadRequest[] | ((given: BeforeGiven) => Promise<Kept | void>)} [before] prepares each server that is
 *   started
 * @property {string[]} [ignore] what answers may differ in: names of keys and headers, places such as `items.ts`, or
 *   a path, whose bodies are not compared
 */

/** Methods that change nothing (RFC 9110, 9.2.1). */
const safeMethods = ['GET', 'HEAD', 'OPTIONS']

/** @param {LoadRequest} request */
export function isSafe ({ method = 'GET', safe = safeMethods.includes(method) }) {
  return safe
}

/** @param {Load} load whose answers depend on what was sent before, and so on how fast a server is */
export function changesData (load) {
  return !load.requests.every(isSafe)
}

/** @param {readonly string[]} paths @returns {Load} each as often as the others */
export function loadOfPaths (paths) {
  return { requests: paths.map((path) => ({ path })) }
}

/** Without an Accept-Encoding of its own, a request has that of most clients. @param {Load} load @returns {Load} */
export function withCodings ({ requests, ...load }) {
  const isSaid = (/** @type {LoadRequest} */ { headers = {} }) =>
    Object.keys(headers).some((name) => name.toLowerCase() === 'accept-encoding')
  const saying = (/** @type {LoadRequest} */ request) =>
    ({ ...request, headers: { 'accept-encoding': usualCodings, ...request.headers } })
  return { ...load, requests: requests.map((request) => isSaid(request) ? request : saying(request)) }
}

const placeholder = /\{([A-Za-z_]\w*)\}/g

/** Those of the path and the headers have to be filled; a body may mean its braces. @param {LoadRequest} request */
function placeholdersIn ({ path, headers = {} }) {
  return [path, ...Object.values(headers)].flatMap((text) => [...text.matchAll(placeholder)].map(([, name]) => name))
}

/**
 * A request with its placeholders, such as {id}, filled. Pure.
 *
 * @param {LoadRequest} request
 * @param {Kept} values placeholders of none of them stay
 * @returns {{ method: string, path: string, headers: Record<string, string>, body: string | undefined }}
 */
export function fill ({ method = 'GET', path, headers = {}, body }, values) {
  const isText = typeof body === 'string'
  /** @type {string | undefined} */
  const text = isText ? fillText(body, values) : JSON.stringify(fillBody(body, values))
  const hasType = Object.keys(headers).some((name) => name.toLowerCase() === 'content-type')
  return {
    method,
    path: fillPath(path, values),
    headers: {
      ...text !== undefined && !hasType && { 'Content-Type': isText ? 'text/plain' : 'application/json' },
      ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, fillText(value, values)]))
    },
    body: text
  }
}

/** @param {string} text @param {Kept} values */
function fillText (text, values) {
  return text.replace(placeholder, (whole, name) => Object.hasOwn(values, name) ? String(values[name]) : whole)
}

/** One at the very beginning is a whole path, such as that of a Location. @param {string} path @param {Kept} values */
function fillPath (path, values) {
  return path.replace(placeholder, (whole, name, at) => {
    if (!Object.hasOwn(values, name)) return whole
    if (at > 0) return encodeURIComponent(values[name])
    const { pathname, search } = new URL(String(values[name]), 'http://127.0.0.1')
    return pathname + search
  })
}

/** A text that's one placeholder keeps the type of its value. @param {any} body @param {Kept} values @returns {any} */
function fillBody (body, values) {
  if (typeof body === 'string') {
    const name = /^\{([A-Za-z_]\w*)\}$/.exec(body)?.[1]
    return name !== undefined && Object.hasOwn(values, name) ? values[name] : fillText(body, values)
  }
  if (Array.isArray(body)) return body.map((item) => fillBody(item, values))
  if (typeof body !== 'object' || body === null) return body
  return Object.fromEntries(Object.entries(body).map(([key, value]) => [key, fillBody(value, values)]))
}

const methods = [...safeMethods, 'POST', 'PUT', 'PATCH', 'DELETE']
/** Set by what sends the request. */
const ownHeaders = ['host', 'connection', 'content-length', 'transfer-encoding']

/** What is wrong with a load, each problem as `field: must …`. Pure. @param {any} load @returns {string[]} */
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
const isPath = (value) => typeof value === 'string' && /^[/{][\x21-\x7e]*$/.test(value)
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
  path: isPath,
  headers: optional(headers),
  body: () => undefined,
  weight: optional(above(0)),
  safe: optional(boolean),
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

const modules = ['.js', '.mjs', '.cjs']

/**
 * A load file: JSON, or a JavaScript module whose default export is the load.
 *
 * @param {string} file
 * @returns {Promise<Load>}
 * @throws {WorkshopError} one sentence for each mistake
 */
export async function readLoadFile (file) {
  const load = await (modules.includes(path.extname(file)) ? readModule : readJson)(file)
  const problems = problemsOfLoad(load)
  if (problems.length === 0) return load
  throw new WorkshopError(problems.map((problem) => `${shownPath(file)}: ${problem}.`).join('\n'))
}

/** @param {string} file */
async function readJson (file) {
  const text = textOf(await fs.readFile(file).catch(refuse(file)))
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new WorkshopError(`${shownPath(file)} isn’t JSON (${error.message}): a load file is JSON, or a JavaScript ` +
      'module that ends in .js.')
  }
}

/** @param {string} file */
async function readModule (file) {
  await fs.access(file).catch(refuse(file))
  try {
    return (await import(pathToFileURL(path.resolve(file)).href)).default
  } catch (error) {
    const isOld = error instanceof SyntaxError && /\b(export|import)\b/.test(error.message)
    throw new WorkshopError(`${shownPath(file)} can’t be imported: ${error.message}.` +
      (isOld ? ' Give it a name that ends in .mjs, so that it’s read as a module.' : ''))
  }
}

/** @param {string} file */
function refuse (file) {
  return (/** @type {NodeJS.ErrnoException} */ error) => {
    throw new WorkshopError(error.code === 'ENOENT'
      ? `There is no load file ${shownPath(file)}: name one with --load, or give paths with --path.`
      : `The load file ${shownPath(file)} can’t be read (${error.code}).`)
  }
}

/**
 * The requests of a load, one after the other: the same for the same random numbers and the same values kept.
 *
 * @param {Pick<Load, 'requests' | 'inputs'>} load
 * @param {Random} random
 * @param {Kept} [kept] read at every draw: put values of answers into it
 */
export function drawRequests ({ requests, inputs = {} }, random, kept = {}) {
  const keptByLoad = requests.flatMap(({ keep = {} }) => Object.keys(keep))
  const drawers = Object.entries(inputs).map(([name, input]) => ({ name, draw: drawerOf(input) }))
  const choices = requests.map((request) => ({
    request,
    weight: request.weight ?? 1,
    later: placeholdersIn(request).filter((name) => !Object.hasOwn(inputs, name)),
    // One without placeholders is made once.
    ready: JSON.stringify([request.path, request.headers, request.body]).search(placeholder) < 0
      ? concrete(request, { drawn: {}, kept, keptByLoad })
      : null
  }))
  const drawAll = () => Object.fromEntries(drawers.map(({ name, draw }) => [name, draw(random)]))
  const make = (/** @type {typeof choices[0]} */ { request, ready }) =>
    ready ?? concrete(request, { drawn: drawAll(), kept, keptByLoad })
  const canBeSent = (/** @type {typeof choices[0]} */ { later }) => later.every((name) => Object.hasOwn(kept, name))
  const hasLater = choices.some(({ later }) => later.length > 0)
  let pick = pickerOf(choices, choices.map(({ weight }) => weight))
  let known = -1
  return {
    /** The next one by the weights, of those that can be sent by now. */
    next: () => {
      const count = hasLater ? Object.keys(kept).length : 0
      if (hasLater && count !== known) {
        known = count
        const open = choices.filter(canBeSent)
        pick = pickerOf(open, open.map(({ weight }) => weight))
      }
      return make(pick(random))
    },
    /** Null where a placeholder can't be filled yet. @param {number} index */
    nth: (index) => canBeSent(choices[index]) ? make(choices[index]) : null
  }
}

/**
 * A request that's ready to be sent. Its key is equal for equal ones, whatever `before` has kept for each server.
 *
 * @typedef {ReturnType<typeof concrete>} ConcreteRequest
 *
 * @param {LoadRequest} request what it's made of
 * @param {{ drawn: Kept, kept: Kept, keptByLoad: string[] }} values
 */
function concrete (request, { drawn, kept, keptByLoad }) {
  const ofLoad = Object.fromEntries(Object.entries(kept).filter(([name]) => keptByLoad.includes(name)))
  const key = JSON.stringify(fill(request, { ...drawn, ...ofLoad }))
  return { ...fill(request, { ...drawn, ...kept }), key, request, inputs: drawn }
}

/** @param {Input} input @returns {(random: Random) => string | number} */
function drawerOf (input) {
  if (Array.isArray(input)) return (random) => random.pick(input)
  if ('weights' in input) return pickerOf(Object.keys(input.weights), Object.values(input.weights))
  return (random) => random.int(input.from, input.to)
}

/** @template T @param {T[]} items @param {number[]} weights @returns {(random: Random) => T} */
function pickerOf (items, weights) {
  let sum = 0
  const ends = weights.map((weight) => (sum += weight))
  return (random) => {
    const at = random.next() * sum
    let [low, high] = [0, ends.length - 1]
    while (low < high) {
      const middle = (low + high) >> 1
      if (at < ends[middle]) high = middle
      else low = middle + 1
    }
    return items[low]
  }
}
