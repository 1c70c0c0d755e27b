import jwt from 'jsonwebtoken'
import { readToken } from '../shared/logins.js'

/**
 * What can be wrong with a response. Each function returns one short sentence, or undefined.
 *
 * @import { User } from '../shared/logins.js'
 * @import { Known } from './data.js'
 */

/**
 * @param {{ headers: Record<string, string>, body: any }} answer body: parsed
 * @param {User | undefined} user
 * @param {Known['config']} config
 */
export function loginProblem ({ headers, body }, user, config) {
  if (body?.expiresIn !== config.tokenTtlSeconds) {
    return `expiresIn should be ${config.tokenTtlSeconds} (seconds, from config.json), got ` +
      `${JSON.stringify(body?.expiresIn)}`
  }
  if (user === undefined) return `user.id isn’t the id of a user in users.json: ${JSON.stringify(body.user?.id)}`
  const expected = { id: user.id, firstName: user.firstName, lastName: user.lastName, avatar: `/avatar/${user.id}` }
  for (const [name, value] of Object.entries(expected)) {
    if (body.user?.[name] !== value) {
      return `user.${name} should be ${JSON.stringify(value)}, got ${JSON.stringify(body.user?.[name])}`
    }
  }
  const { problem } =
    readToken(body.token, config.secret, { subject: user.id, seconds: config.tokenTtlSeconds, headers })
  return problem && `the token ${problem}`
}

/** @param {string} token @returns {number} seconds since 1970 */
export function expiryOf (token) {
  return /** @type {any} */ (jwt.decode(token)).exp
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
  if (!body.equals(picture)) return 'the body differs from the file'
  if (!/^(W\/)?"[^"]*"$/.test(headers.etag ?? '')) return `expected a quoted ETag, got ${headers.etag ?? 'none'}`
}
