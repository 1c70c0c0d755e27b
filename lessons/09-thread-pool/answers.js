// @ts-ignore: jsonwebtoken ships no types
import jwt from 'jsonwebtoken'

/**
 * @import { Random } from '../../runner/lesson/index.js'
 * @import { Known, User } from './data.js'
 */

/**
 * What can be wrong with an answer. Each function returns one short sentence, or undefined.
 *
 */

// Clocks are stepped now and then, and an answer is looked at later than it was made.
const clockSlackSeconds = 30
export const quotedPattern = /^(W\/)?"[^"]*"$/

/**
 * @param {any} body parsed JSON of a login's answer
 * @param {{ user: User, config: Known['config'], now?: number }} expected now: ms since 1970, when the answer came
 */
export function loginProblem (body, { user, config, now = Date.now() }) {
  if (body?.expiresIn !== config.tokenTtlSeconds) {
    return `expiresIn should be ${config.tokenTtlSeconds} (seconds, from config.json), got ` +
      `${JSON.stringify(body?.expiresIn)}`
  }
  const expected = { id: user.id, firstName: user.firstName, lastName: user.lastName, avatar: `/avatar/${user.id}` }
  for (const [name, value] of Object.entries(expected)) {
    if (body.user?.[name] !== value) {
      return `user.${name} should be ${JSON.stringify(value)}, got ${JSON.stringify(body.user?.[name])}`
    }
  }
  return tokenProblem(body.token, { user, config, now })
}

/** @param {string} token @param {{ user: User, config: Known['config'], now: number }} expected */
function tokenProblem (token, { user, config, now }) {
  /** @type {any} */
  let payload
  try {
    payload = jwt.verify(token, config.secret, { algorithms: ['HS256'], subject: user.id, ignoreExpiration: true })
  } catch (error) {
    return `the token does not verify as this user's: ${error.message}`
  }
  const lifetime = payload?.exp - now / 1000
  if (!(Math.abs(lifetime - config.tokenTtlSeconds) <= clockSlackSeconds)) {
    return `the token should expire in ${config.tokenTtlSeconds} s, as expiresIn says, got ` +
      `${Number.isFinite(lifetime) ? `${Math.round(lifetime)} s` : 'no expiry'}`
  }
}

/**
 * @param {{ status: number, headers: Record<string, string>, body: Buffer }} answer
 * @param {Buffer} picture what the file holds
 */
export function avatarProblem ({ status, headers, body }, picture) {
  if (status !== 200) return `expected status 200, got ${status}`
  if (headers['content-type'] !== 'image/png') {
    return `expected Content-Type image/png, got ${headers['content-type'] ?? 'none'}`
  }
  if (headers['content-length'] !== String(picture.length)) {
    return `expected Content-Length ${picture.length}, got ${headers['content-length'] ?? 'none'}`
  }
  if (!body.equals(picture)) return 'the body is not what the file holds'
  if (!quotedPattern.test(headers.etag ?? '')) return `expected a quoted ETag, got ${headers.etag ?? 'none'}`
}

/** An ETag without the mark of a weak one (RFC 9110, 8.8.3.2). @param {string | undefined} etag */
export function opaque (etag) {
  return etag?.replace(/^W\//, '') ?? ''
}

/** Another password of the same length. @param {string} password @param {Random} random */
export function almost (password, random) {
  const at = random.int(0, password.length - 3)
  return password.slice(0, at) + (password[at] === 'x' ? 'y' : 'x') + password.slice(at + 1)
}
