import { isUtf8 } from 'node:buffer'
import { Answer, curl, difference } from '../runner/contract/index.js'
import { plainBody } from '../runner/shared/http-fields.js'
import { WorkshopError } from '../runner/shared/errors.js'
import { percent } from '../runner/shared/format.js'
import { fill } from './load-file.js'
import { isPlainHeader, isSecret, isSecretBody, withoutSecrets } from './secrets.js'

/**
 * @import { Cookie } from '../runner/shared/http-fields.js'
 * @import { ConcreteRequest } from './load-file.js'
 *
 * @typedef {Pick<Answer, 'status' | 'headers' | 'body'> & { cookies: Cookie[] | (() => Cookie[]) }} AnyAnswer of the
 *   contract's client or of the load
 *
 * @typedef {NonNullable<ReturnType<typeof compareAnswers>>} AnswerDifference
 */

/**
 * How an answer differs from another in what it means: the status; headers that a client acts on (type, encoding,
 * Allow, Location, caching, the names and flags of cookies, whether there is an ETag); a JSON body by value, any other
 * as it is. Each server's own address means the same. Pure.
 *
 * @param {AnyAnswer} a
 * @param {AnyAnswer} b
 * @param {{ ignore?: readonly string[], asked?: string, origins?: readonly string[] }} [options] ignore: as in a load
 *   file; asked: the path that was requested; origins: of the two servers
 * @returns the first difference. place: `the body at items[3].price`, path: `items[3].price`, or the name of a header
 */
export function compareAnswers (a, b, { ignore = [], asked = '', origins = [] } = {}) {
  const isOpen = ignore.includes(asked.split('?')[0])
  const [expected, got] = [a, b].map((answer) => ({ answer: asAnswer(answer, ignore) }))
  const neutral = (/** @type {Answer} */ answer) => withoutAddress(origins[answer === expected.answer ? 0 : 1])
  const bodies = new Map([[expected.answer, a], [got.answer, b]])
  const meaning = (/** @type {Answer} */ answer) =>
    isOpen ? '' : meaningOf(bodies.get(answer) ?? answer, { ignore, neutral: neutral(answer) })
  const location = {
    name: 'location',
    read: (/** @type {string | undefined} */ value, /** @type {Answer} */ answer) =>
      value === undefined ? undefined : withoutHost(neutral(answer)(value))
  }
  const operation = { rule: '', draw: () => null, tagged: true, headers: [location], meaning }
  const found = difference(operation, {}, expected, got)
  if (found === null) return null
  const [, what, path] = /^the (status|header|body)(?: at)? ?(.*)$/.exec(found.what) ?? []
  const values = [found.expected, found.got]
  const isHidden = isSecret(path) || (what === 'header' && !isPlainHeader(path)) ||
    (what === 'body' && values.map(withoutSecrets).some(isSecretBody))
  const [before, after] = isHidden ? ['one value', 'another'] : values.map(withoutSecrets)
  return { place: found.what, what, path, before, after }
}

/** @param {string} url that may be relative */
function withoutHost (url) {
  if (!URL.canParse(url, 'http://127.0.0.1')) return url
  const { pathname, search, hash } = new URL(url, 'http://127.0.0.1')
  return pathname + search + hash
}

/** @param {string} [origin] of a server @returns {(text: string) => string} with its address made neutral */
function withoutAddress (origin) {
  const port = origin && new URL(origin).port
  if (!port) return (text) => text
  // After a host, also as a part of a query.
  const own = new RegExp(`(?<=[a-z\\d\\]])(:|%3A)${port}(?!\\d)`, 'gi')
  return (text) => text.includes(port) ? text.replace(own, '$1PORT') : text
}

/**
 * @param {AnyAnswer} answer
 * @param {readonly string[]} [ignore] names of headers that are left out
 * @returns {Answer}
 */
export function asAnswer (answer, ignore = []) {
  const { status, headers, body } = answer
  const left = Object.entries(headers).filter(([name]) => !ignore.some((one) => one.toLowerCase() === name))
  const read = new Answer({ label: '', status, rawHeaders: left.flat(), body, elapsedMs: 0 })
  // Joined, they can't be told apart.
  if ('set-cookie' in read.headers) {
    read.cookies = typeof answer.cookies === 'function' ? answer.cookies() : answer.cookies
  }
  return read
}

/**
 * @param {Pick<AnyAnswer, 'headers' | 'body'>} answer
 * @param {{ ignore: readonly string[], neutral: (text: string) => string }} how
 * @returns {unknown}
 */
function meaningOf (answer, { ignore, neutral }) {
  const body = plainBody(answer)
  if (!isUtf8(body)) return body
  const text = neutral(body.toString())
  try {
    // Many servers send JSON without saying so.
    if (/^\s*[[{]/.test(text)) return prune(JSON.parse(text), ignore, '')
  } catch {}
  return text
}

/** @param {any} value @param {readonly string[]} ignore @param {string} path @returns {any} without what is ignored */
function prune (value, ignore, path) {
  if (ignore.length === 0 || typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item) => prune(item, ignore, path))
  return Object.fromEntries(Object.entries(value).flatMap(([key, item]) => {
    const place = path === '' ? key : `${path}.${key}`
    return ignore.includes(key) || ignore.includes(place) ? [] : [[key, prune(item, ignore, place)]]
  }))
}

const mostNamed = 3

/**
 * @param {string[]} names of the two servers
 * @param {ConcreteRequest} request
 * @param {AnswerDifference} difference
 * @returns requests: for a shell, one line for each server
 */
export function differs ([one, other], request, difference) {
  const { place, before, after } = difference
  return {
    message: `The answers to ${labelOf(request)} differ in ${place}: ${one} sends ${before}, ${other} sends ${after}.`,
    requests: [`# ${one}`, curlLine(request), `# ${other}`, curlLine(request)]
  }
}

/**
 * @param {string} name of the original
 * @param {ConcreteRequest} request
 * @param {AnswerDifference} difference between two answers of the same server
 * @param {string} [when] it answers differently
 */
export function varies (name, request, difference, when = 'each time') {
  const { place, what, path, before, after } = difference
  const key = path.split(/[.[\]]+/).filter((part) => !/^\d*$/.test(part)).pop()
  if (what === 'status' && after.startsWith('429')) {
    return new WorkshopError(`${name} soon answers ${labelOf(request)} with status 429: ${wayOut(429)}.`)
  }
  const asked = withoutSecrets(request.path.split('?')[0])
  const way = what === 'status' || (what === 'body' && key === undefined)
    ? `Leave that request out of the load${what === 'body' ? `, or its body with --ignore ${asked}` : ''}.`
    : `Leave it out with --ignore ${what === 'header' ? path : key}.`
  return new WorkshopError(`${name} itself answers ${labelOf(request)} differently ${when}: ${place} ` +
    `was ${before}, then ${after}. ${way}`)
}

/** @param {string} name @param {{ request: ConcreteRequest, status: number }} first of the requests, all refused */
export function onlyErrors (name, { request, status }) {
  return new WorkshopError(`${name} answers every request with an error, ${labelOf(request)} with status ${status}: ` +
    `${wayOut(status)}.`)
}

/** @param {number} status */
function wayOut (status) {
  return status === 429
    ? 'switch off the rate limit while you compare'
    : 'correct the load, or log in first with `before` in a load file'
}

/**
 * @param {{ request: ConcreteRequest, status: number }[]} sent each request of the load at least once
 * @returns {string} empty where nothing was refused
 */
export function someErrors (sent) {
  const routes = [...new Set(sent.map(({ request }) => request.request))].map((route) => {
    const statuses = sent.filter(({ request }) => request.request === route).map(({ status }) => status)
    const errors = statuses.filter((status) => status >= 400)
    const { method = 'GET', path, weight = 1 } = route
    const what = `${labelOf({ method, path })} with status ${errors[0]}`
    return { what, status: errors[0], weight, refused: weight * errors.length / statuses.length }
  })
  const all = routes.reduce((sum, { weight }) => sum + weight, 0)
  const refused = routes.filter((route) => route.refused > 0).sort((a, b) => b.refused - a.refused)
  if (refused.length === 0) return ''
  const named = refused.slice(0, mostNamed)
    .map((route) => `${route.what} (${percent(route.refused / all)} of all requests)`)
  const more = refused.length > mostNamed ? `, and ${refused.length - mostNamed} more` : ''
  return `Both servers answer some requests with an error: ${named.join(', ')}${more}. Unless that’s meant, ` +
    `${wayOut(refused[0].status)}.`
}

/** @param {string} name @param {{ request: ConcreteRequest, location: string }} first of all */
export function onlyLogins (name, { request, location }) {
  return new WorkshopError(`${name} sends every request to a login, ${labelOf(request)} to ` +
    `${withoutSecrets(location)}: log in first with \`before\` in a load file.`)
}

/** @param {{ method: string, path: string }} request */
export function labelOf ({ method, path: given }) {
  const path = withoutSecrets(given)
  return `${method} ${path.length > 60 ? `${path.slice(0, 57)}…` : path}`
}

/** Values of earlier answers, and secrets of the load file, aren't shown. @param {ConcreteRequest} request */
function curlLine ({ request, inputs }) {
  const { headers: { 'accept-encoding': codings, ...headers }, body = '', path, ...rest } = fill(request, inputs)
  const shown = Object.fromEntries(Object.entries(headers)
    .map(([name, value]) => [name, isPlainHeader(name) || value.includes('{') ? withoutSecrets(value) : '…']))
  const sent = isSecretBody(body) ? '…' : body || undefined
  return curl({ ...rest, path: withoutSecrets(path), headers: shown, body: sent, accepts: codings })
}
