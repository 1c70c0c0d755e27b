import { isDeepStrictEqual } from 'node:util'
import { cookiesOf, decoders, joinHeaders, plainText } from '../shared/http-fields.js'
import { isObject, shortJson } from '../shared/rules.js'

/** What a server has answered, decoded and whole, and what a check says against it. */

/**
 * An answer as it is without compression. Pure.
 *
 * @param {{ rawHeaders: string[], body: Buffer }} answer
 * @returns {{ rawHeaders: string[], body: Buffer } | undefined} undefined: it is not compressed as it
 *   says, or is too long
 */
export function unzip ({ rawHeaders, body }) {
  const encoding = codingOf(rawHeaders)
  if (encoding === 'identity') return { rawHeaders, body }
  try {
    const plain = body.length === 0 ? body : decoders[encoding](body)
    return { rawHeaders: plainHeaders(rawHeaders, plain.length), body: plain }
  } catch {
    return undefined
  }
}

/** As it is on the wire. @param {string[]} rawHeaders @returns {string} in lower case */
export function codingOf (rawHeaders) {
  return joinHeaders(rawHeaders)['content-encoding']?.toLowerCase() ?? 'identity'
}

/** @param {string[]} rawHeaders names and values in turn @param {number} length of the body, for who had one */
function plainHeaders (rawHeaders, length) {
  const names = rawHeaders.map((_, at) => rawHeaders[at - at % 2].toLowerCase())
  return rawHeaders
    .map((text, at) => at % 2 === 1 && names[at] === 'content-length' ? String(length) : text)
    .filter((_, at) => names[at] !== 'content-encoding')
}

/** The server broke its contract. The message is for the learner. */
export class ContractError extends Error {}

/** It was too late, which says nothing as long as nobody knows why: it's settled by `settleLate`. */
export class LateError extends ContractError {}

/**
 * One complete answer, with assertions that can be chained. A failed assertion throws a ContractError that names the
 * request.
 */
export class Answer {
  #label

  /**
   * @param {{ label: string, status: number, rawHeaders: string[], body: Buffer, elapsedMs: number, coding?: string
   *   }} parts coding: of the content on the wire, which may have been decoded since
   */
  constructor ({ label, status, rawHeaders, body, elapsedMs, coding = codingOf(rawHeaders) }) {
    this.#label = label
    this.status = status
    /** Names in lower case; repeated ones joined by `, `. */
    this.headers = joinHeaders(rawHeaders)
    this.cookies = cookiesOf(rawHeaders)
    this.body = body
    this.elapsedMs = elapsedMs
    this.coding = coding
  }

  get text () {
    return plainText(this.body)
  }

  /** @param {string} message @returns {never} */
  fail (message) {
    throw new ContractError(`${this.#label}: ${message}`)
  }

  /** @param {number} status */
  expectStatus (status) {
    if (this.status !== status) this.fail(`expected status ${status}, got ${this.status}`)
    return this
  }

  /** @param {string} name @param {string | RegExp} [expected] without it the header has to be there */
  expectHeader (name, expected) {
    const value = this.headers[name.toLowerCase()]
    if (value === undefined) this.fail(`the header ${name} is missing`)
    if (typeof expected === 'string' && value !== expected) {
      this.fail(`expected ${name}: ${expected}, got ${brief(value)}`)
    }
    if (expected instanceof RegExp && !expected.test(value)) {
      this.fail(`the header ${name} is ${brief(value)}, which does not fit ${expected}`)
    }
    return this
  }

  /** @param {string} name */
  expectNoHeader (name) {
    if (this.headers[name.toLowerCase()] !== undefined) this.fail(`the header ${name} should not be there`)
    return this
  }

  /** @param {string} type without parameters, as `application/json` */
  expectType (type) {
    const got = (this.headers['content-type'] ?? '').split(';')[0].trim().toLowerCase()
    if (got !== type) this.fail(`expected Content-Type ${type}, got ${got || 'none'}`)
    return this
  }

  /** The parsed body. @returns {any} */
  json () {
    try {
      return JSON.parse(this.text)
    } catch {
      this.fail(`the body is not valid JSON: ${brief(this.text)}`)
    }
  }

  /** @param {unknown} expected compared by value, whatever the order of the keys */
  expectJson (expected) {
    const got = this.json()
    if (!isDeepStrictEqual(got, JSON.parse(JSON.stringify(expected)))) {
      this.fail(`expected ${brief(JSON.stringify(expected))}, got ${brief(JSON.stringify(got))}`)
    }
    return this
  }

  /**
   * @param {Shape} shape `{ id: 'number', tags: ['string'], token: /^ey/, year: (v) => v > 1900 }`
   * @param {{ extra?: boolean }} [options] extra: other keys are allowed too
   */
  expectShape (shape, options) {
    const wrong = shapeError(this.json(), shape, options)
    if (wrong) this.fail(wrong)
    return this
  }

  /** @param {string} name */
  cookie (name) {
    const cookie = this.cookies.find((candidate) => candidate.name === name)
    return cookie ?? this.fail(`the cookie ${name} is not set`)
  }

  /**
   * @param {string} name @param {{ httpOnly?: boolean, secure?: boolean, path?: string, sameSite?: string }} [flags]
   */
  expectCookie (name, flags = {}) {
    const cookie = this.cookie(name)
    for (const [flag, wanted] of Object.entries(flags)) {
      const got = cookie.attributes[flag.toLowerCase()]
      if (wanted === true && got === undefined) this.fail(`the cookie ${name} is not ${flag}`)
      if (typeof wanted === 'string' && got !== wanted) {
        this.fail(`the cookie ${name} should have ${flag}=${wanted}, got ${got ?? 'none'}`)
      }
    }
    return cookie
  }
}

/** @param {string} text */
function brief (text) {
  return text.length > 100 ? `${text.slice(0, 97)}…` : text
}

/**
 * The expected shape of a value: a type's name, a pattern, a test, a list of one shape, an object of shapes.
 *
 * @typedef {'string' | 'number' | 'boolean' | 'any' | RegExp | ((value: any) => boolean) | [any] | { [key: string]: any
 *   }} Shape
 */

/**
 * How a value misses a shape, as a sentence; undefined when it fits.
 *
 * @param {any} value
 * @param {Shape} shape
 * @param {{ extra?: boolean }} [options] extra: objects may have more keys
 * @param {string} [place] where in the body
 * @returns {string | undefined}
 */
export function shapeError (value, shape, options = {}, place = 'the body') {
  if (shape === 'any') return value === undefined ? `${place} is missing` : undefined
  if (typeof shape === 'string') {
    // eslint-disable-next-line valid-typeof
    return typeof value === shape ? undefined : `${place} should be a ${shape}, got ${shortJson(value)}`
  }
  if (shape instanceof RegExp) {
    return typeof value === 'string' && shape.test(value)
      ? undefined
      : `${place} should fit ${shape}, got ${shortJson(value)}`
  }
  if (typeof shape === 'function') {
    return shape(value) ? undefined : `${place} is not as it should be: ${shortJson(value)}`
  }
  if (Array.isArray(shape)) {
    if (!Array.isArray(value)) return `${place} should be a list, got ${shortJson(value)}`
    return firstShapeError(value.map((item, i) => () => shapeError(item, shape[0], options, `${place}[${i}]`)))
  }
  if (!isObject(value)) return `${place} should be an object, got ${shortJson(value)}`
  const missing = Object.keys(shape).find((key) => !Object.hasOwn(value, key))
  if (missing !== undefined) return `${place} has no ${missing}`
  const surplus = Object.keys(value).find((key) => !Object.hasOwn(shape, key))
  if (surplus !== undefined && !options.extra) return `${place} has ${surplus}, which should not be there`
  return firstShapeError(
    Object.keys(shape).map(
      (key) => () => shapeError(value[key], shape[key], options, place === 'the body' ? key : `${place}.${key}`)
    )
  )
}

/** @param {(() => string | undefined)[]} tests */
function firstShapeError (tests) {
  for (const test of tests) {
    const wrong = test()
    if (wrong) return wrong
  }
}
