import { isDeepStrictEqual } from 'node:util'

/**
 * The outcome of a step: an answer, what was seen, none and why, or nothing where there was nothing to ask.
 * @import { Answer } from './client.js'
 * @import { Operation } from './operation.js'
 *
 * @typedef {{ answer: Answer } | { seen: unknown, says: string } | { failure: string, isLate?: boolean } | null}
 *   Outcome
 *
 * @typedef {{ what: string, expected: string, got: string }} Difference what: `the status`
 */

/**
 * How an answer differs from the slow server's in what it means: other frameworks order headers and close connections
 * in their own way. Pure.
 *
 * @param {Operation} operation
 * @param {any} data
 * @param {Outcome} expected
 * @param {Outcome} got
 * @returns {Difference | null}
 */
export function difference (operation, data, expected, got) {
  if (expected === null || got === null) return null
  if ('failure' in expected) return null
  if ('failure' in got) {
    const wanted = 'seen' in expected ? brief(show(expected.seen)) : `status ${expected.answer.status}`
    return { what: 'seen' in expected ? expected.says : 'the answer', expected: wanted, got: got.failure }
  }
  if ('seen' in expected) return 'seen' in got ? differentSight(expected, got) : null
  if ('seen' in got) return null
  const [baseline, yours] = [expected.answer, got.answer]
  if (operation.loose && baseline.status >= 400) {
    const isSameClass = Math.floor(baseline.status / 100) === Math.floor(yours.status / 100)
    return isSameClass ? null : unequal('the status', baseline, yours)
  }
  if (baseline.status !== yours.status) return unequal('the status', baseline, yours)
  return differentHeader(operation, baseline, yours) ?? differentBody(operation, data, baseline, yours)
}

/** @param {{ seen: unknown, says: string }} baseline @param {{ seen: unknown }} yours @returns {Difference | null} */
function differentSight ({ seen: wanted, says }, { seen }) {
  if (isDeepStrictEqual(wanted, seen)) return null
  const { place, expected, got } = firstDifference(wanted, seen)
  return { what: place === '' ? says : `${says}, at ${place}`, expected, got }
}

/** @param {string} what @param {Answer} baseline @param {Answer} yours @returns {Difference} */
function unequal (what, baseline, yours) {
  const [expected, got] = [baseline, yours].map(({ status, text }) => `${status} ${brief(text)}`.trim())
  return { what, expected, got }
}

/**
 * The meaning of headers: a media type in any case, lists in any order.
 *
 * @type {Record<string, (value: string | undefined, answer: Answer) => unknown>}
 */
const readings = {
  'content-type': mediaType,
  allow: (value) => value?.toUpperCase().split(/\s*,\s*/).sort(),
  location: (value) => value === undefined ? undefined : new URL(value, 'http://127.0.0.1').pathname,
  'content-encoding': (value) => value?.toLowerCase() ?? 'identity',
  // The client has compared it with the body.
  'content-length': (value) => value !== undefined,
  'set-cookie': (_, answer) => answer.cookies.map(({ name, attributes }) => {
    const { expires, ...rest } = attributes
    return { name, expires: expires !== undefined, ...rest }
  }).sort((a, b) => a.name < b.name ? -1 : 1)
}

/** Headers that say nothing of an answer without a body: a 304 may leave it out (RFC 9110, 15.4.5). */
const ofBody = ['content-type', 'content-encoding']

const always = ['content-type', 'allow', 'location', 'content-encoding', 'set-cookie']

/** @param {string | undefined} value */
function asItIs (value) {
  return value
}

/** @param {Operation} operation @param {Answer} baseline @param {Answer} yours @returns {Difference | null} */
function differentHeader ({ headers = [], tagged = false }, baseline, yours) {
  // An operation that reads a header in its own way replaces our reading.
  const usual = always.filter((name) => !headers.some((header) => typeof header !== 'string' && header.name === name))
  for (const header of new Set([...usual, ...headers])) {
    const { name, read = readings[name] ?? asItIs } = typeof header === 'string' ? { name: header } : header
    if (ofBody.includes(name) && baseline.body.length === 0) continue
    // A server that names more methods is right, too.
    if (name === 'allow' && baseline.headers.allow === undefined) continue
    if (isDeepStrictEqual(read(baseline.headers[name], baseline), read(yours.headers[name], yours))) continue
    const [expected, got] = [baseline, yours].map(({ headers }) => headers[name] ?? 'none')
    return { what: `the header ${name}`, expected, got }
  }
  return differentVary(baseline, yours) ?? differentCaching(baseline, yours) ??
    (tagged && baseline.status < 400 && baseline.headers.etag !== undefined && yours.headers.etag === undefined
      ? { what: 'the header etag', expected: 'a quoted ETag', got: 'none' }
      : null)
}

/**
 * A server that names more headers loses hits of a cache, and is right.
 *
 * @param {Answer} baseline @param {Answer} yours
 */
function differentVary (baseline, yours) {
  const [wanted, named] = [baseline, yours].map(({ headers }) => (headers.vary ?? '').toLowerCase().split(/\s*,\s*/))
  return wanted.every((name) => name === '' || named.includes(name) || named.includes('*'))
    ? null
    : { what: 'the header vary', expected: baseline.headers.vary, got: yours.headers.vary ?? 'none' }
}

/** Where nothing is said of caching, a server must not allow it. @param {Answer} baseline @param {Answer} yours */
function differentCaching (baseline, yours) {
  const [wanted, said] = [baseline, yours].map(({ headers }) => {
    return (headers['cache-control'] ?? '').toLowerCase().split(/\s*,\s*/).filter((part) => part !== '').sort()
  })
  const isSame = wanted.length > 0
    ? isDeepStrictEqual(wanted, said)
    : !said.some((part) => part === 'immutable' || /^(s-)?max-?age=0*[1-9]/.test(part))
  if (isSame) return null
  const name = 'cache-control'
  return { what: `the header ${name}`, expected: baseline.headers[name] ?? 'none', got: yours.headers[name] ?? 'none' }
}

/**
 * @param {Operation} operation
 * @param {any} data
 * @param {Answer} baseline
 * @param {Answer} yours
 * @returns {Difference | null}
 */
function differentBody ({ meaning = meaningOf }, data, baseline, yours) {
  if (baseline.body.equals(yours.body)) return null
  const wanted = meaning(baseline, { data })
  /** @type {unknown} */
  let seen
  try {
    seen = meaning(yours, { data })
  } catch (error) {
    return { what: 'the body', expected: brief(baseline.text), got: `${brief(yours.text)} (${error.message})` }
  }
  if (isDeepStrictEqual(wanted, seen)) return null
  const { place, expected, got } = firstDifference(wanted, seen)
  return { what: place === '' ? 'the body' : `the body at ${place}`, expected, got }
}

/** @param {Answer} answer */
function meaningOf (answer) {
  return mediaType(answer.headers['content-type']) === 'application/json' ? answer.json() : answer.body
}

/**
 * Case and spaces of a media type do not matter, nor does the charset of JSON, which has only one.
 *
 * @param {string | undefined} value
 */
function mediaType (value) {
  return value?.toLowerCase().replaceAll(' ', '').replace(/^(application\/json);charset=utf-8$/, '$1')
}

/**
 * Where two values differ first.
 *
 * @param {unknown} wanted
 * @param {unknown} seen
 * @param {string} [place]
 * @returns {{ place: string, expected: string, got: string }}
 */
function firstDifference (wanted, seen, place = '') {
  if (isPlain(wanted) && isPlain(seen) && Array.isArray(wanted) === Array.isArray(seen)) {
    for (const key of new Set([...Object.keys(wanted), ...Object.keys(seen)])) {
      const [a, b] = [wanted[key], seen[key]]
      if (isDeepStrictEqual(a, b)) continue
      return firstDifference(a, b, Array.isArray(wanted) ? `${place}[${key}]` : place === '' ? key : `${place}.${key}`)
    }
  }
  if (typeof wanted === 'string' && typeof seen === 'string') {
    let at = 0
    while (at < wanted.length && wanted[at] === seen[at]) at++
    const from = Math.max(0, at - 20)
    return { place, expected: brief(show(wanted.slice(from))), got: brief(show(seen.slice(from))) }
  }
  return { place, expected: brief(show(wanted)), got: brief(show(seen)) }
}

/** @param {unknown} value @returns {value is Record<string, unknown>} */
function isPlain (value) {
  return typeof value === 'object' && value !== null && !Buffer.isBuffer(value)
}

/** @param {unknown} value */
function show (value) {
  if (value === undefined) return 'nothing'
  return Buffer.isBuffer(value) ? `${value.length} bytes, ${value.toString('hex', 0, 24)}…` : JSON.stringify(value)
}

/** @param {string} text */
export function brief (text) {
  return text.length > 120 ? `${text.slice(0, 117)}…` : text
}
