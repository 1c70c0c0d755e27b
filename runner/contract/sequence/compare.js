import { isDeepStrictEqual } from 'node:util'

/**
 * @import { Answer } from '../answer.js'
 * @import { Operation } from './operation.js'
 *
 * What came of a step: an answer, what was seen, none and why, or nothing where there was nothing to ask.
 * @typedef {{ answer: Answer } | { seen: unknown, says: string } | { failure: string } | null} Outcome
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
  const [slow, own] = [expected.answer, got.answer]
  if (operation.loose && slow.status >= 400) {
    return Math.floor(slow.status / 100) === Math.floor(own.status / 100) ? null : unequal('the status', slow, own)
  }
  if (slow.status !== own.status) return unequal('the status', slow, own)
  return differentHeader(operation, slow, own) ?? differentBody(operation, data, slow, own)
}

/** @param {{ seen: unknown, says: string }} slow @param {{ seen: unknown }} own @returns {Difference | null} */
function differentSight ({ seen: wanted, says }, { seen }) {
  if (isDeepStrictEqual(wanted, seen)) return null
  const { place, expected, got } = firstDifference(wanted, seen)
  return { what: place === '' ? says : `${says}, at ${place}`, expected, got }
}

/** @param {string} what @param {Answer} slow @param {Answer} own @returns {Difference} */
function unequal (what, slow, own) {
  return { what, expected: `${slow.status} ${brief(slow.text)}`.trim(), got: `${own.status} ${brief(own.text)}`.trim() }
}

/**
 * What headers mean: a media type in any case, lists in any order.
 *
 * @type {Record<string, (value: string | undefined, answer: Answer) => unknown>}
 */
const readings = {
  'content-type': mediaType,
  allow: (value) => value?.toUpperCase().split(/\s*,\s*/).sort(),
  location: (value) => value === undefined ? undefined : new URL(value, 'http://127.0.0.1').pathname,
  'content-encoding': (value) => value?.toLowerCase(),
  // The client has compared it with the body.
  'content-length': (value) => value !== undefined,
  'set-cookie': (_, answer) => answer.cookies.map(({ name, attributes }) => {
    const { expires, ...rest } = attributes
    return { name, expires: expires !== undefined, ...rest }
  }).sort((a, b) => a.name < b.name ? -1 : 1)
}

const always = ['content-type', 'allow', 'location', 'content-encoding', 'set-cookie']

/** @param {string | undefined} value */
function asItIs (value) {
  return value
}

/** @param {Operation} operation @param {Answer} slow @param {Answer} own @returns {Difference | null} */
function differentHeader ({ headers = [], tagged = false }, slow, own) {
  // Whoever reads a header in its own way takes the place of ours.
  const usual = always.filter((name) => !headers.some((header) => typeof header !== 'string' && header.name === name))
  for (const header of new Set([...usual, ...headers])) {
    const { name, read = readings[name] ?? asItIs } = typeof header === 'string' ? { name: header } : header
    // An answer without a body has no type to speak of.
    if (name === 'content-type' && slow.body.length === 0) continue
    // Whoever says more of what may be asked is right.
    if (name === 'allow' && slow.headers.allow === undefined) continue
    if (isDeepStrictEqual(read(slow.headers[name], slow), read(own.headers[name], own))) continue
    return { what: `the header ${name}`, expected: slow.headers[name] ?? 'none', got: own.headers[name] ?? 'none' }
  }
  return differentVary(slow, own) ?? differentCaching(slow, own) ??
    (tagged && slow.status < 400 && slow.headers.etag !== undefined && own.headers.etag === undefined
      ? { what: 'the header etag', expected: 'a quoted ETag', got: 'none' }
      : null)
}

/** Whoever names more loses hits of a cache, and is right. @param {Answer} slow @param {Answer} own */
function differentVary (slow, own) {
  const [wanted, named] = [slow, own].map(({ headers }) => (headers.vary ?? '').toLowerCase().split(/\s*,\s*/))
  return wanted.every((name) => name === '' || named.includes(name) || named.includes('*'))
    ? null
    : { what: 'the header vary', expected: slow.headers.vary, got: own.headers.vary ?? 'none' }
}

/** Where nothing is said of caching, a server must not allow it. @param {Answer} slow @param {Answer} own */
function differentCaching (slow, own) {
  const [wanted, said] = [slow, own].map(({ headers }) => {
    return (headers['cache-control'] ?? '').toLowerCase().split(/\s*,\s*/).filter((part) => part !== '').sort()
  })
  const isSame = wanted.length > 0
    ? isDeepStrictEqual(wanted, said)
    : !said.some((part) => part === 'immutable' || /^(s-)?max-?age=0*[1-9]/.test(part))
  if (isSame) return null
  const name = 'cache-control'
  return { what: `the header ${name}`, expected: slow.headers[name] ?? 'none', got: own.headers[name] ?? 'none' }
}

/**
 * @param {Operation} operation
 * @param {any} data
 * @param {Answer} slow
 * @param {Answer} own
 * @returns {Difference | null}
 */
function differentBody ({ meaning = meaningOf }, data, slow, own) {
  if (slow.body.equals(own.body)) return null
  const wanted = meaning(slow, { data })
  /** @type {unknown} */
  let seen
  try {
    seen = meaning(own, { data })
  } catch (error) {
    return { what: 'the body', expected: brief(slow.text), got: `${brief(own.text)} (${error.message})` }
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
export function firstDifference (wanted, seen, place = '') {
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
