import { isDeepStrictEqual } from 'node:util'
import { joinHeaders } from '../headers.js'
import { cookiesOf } from '../cookies.js'
import { shapeError } from './shape.js'

/** @import { Shape } from './shape.js' */

/** The server broke its contract. The message is for the learner. */
export class ContractError extends Error {}

/**
 * One complete answer, with assertions that can be chained. A failed assertion throws a ContractError that names the
 * request.
 */
export class Answer {
  #label

  /**
   * @param {{ label: string, status: number, rawHeaders: string[], body: Buffer, elapsedMs: number }} parts
   */
  constructor ({ label, status, rawHeaders, body, elapsedMs }) {
    this.#label = label
    this.status = status
    /** Names in lower case; repeated ones joined by `, `. */
    this.headers = joinHeaders(rawHeaders)
    this.cookies = cookiesOf(rawHeaders)
    this.body = body
    this.elapsedMs = elapsedMs
  }

  get text () {
    return this.body.toString()
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
   * @param {string} name
   * @param {{ httpOnly?: boolean, secure?: boolean, path?: string, sameSite?: string }} [flags]
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
