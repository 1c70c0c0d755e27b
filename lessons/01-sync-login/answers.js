// @ts-ignore: jsonwebtoken ships no types
import jwt from 'jsonwebtoken'

/**
 * What can be wrong with an answer to a login. Each function returns one short sentence, or undefined.
 *
 * @import { Cookie } from '../../runner/lesson/index.js'
 *
 * @typedef {{ id: string, email: string, firstName: string, lastName: string, password: string }} User
 * @typedef {{ jwt: { secret: string, issuer: string, audience: string }, accessTokenTtlSeconds: number,
 *   refreshTokenTtlSeconds: number }} Config
 */

// Clocks are stepped now and then, and an answer is looked at later than it was made.
const clockSlackSeconds = 30
const minXsrfLength = 16
// 128 bytes in base64url; hex needs 256 characters.
const minRefreshLength = 171

/** @param {any} body parsed JSON @param {Config} config */
export function bodyProblem (body, config) {
  if (typeof body !== 'object' || body === null) return `the body should be an object, got ${JSON.stringify(body)}`
  for (const [name, seconds] of [
    ['accessTokenExpiresIn', config.accessTokenTtlSeconds],
    ['refreshTokenExpiresIn', config.refreshTokenTtlSeconds]
  ]) {
    if (body[name] !== seconds) {
      return `${name} should be ${seconds} (seconds, from config.json), got ${JSON.stringify(body[name])}`
    }
  }
  if (typeof body.xsrfToken !== 'string' || body.xsrfToken.length < minXsrfLength) {
    return `xsrfToken should be a text of at least ${minXsrfLength} characters, got ${JSON.stringify(body.xsrfToken)}`
  }
}

/**
 * @param {string} token the JWT of an access_token cookie
 * @param {{ user: User, config: Config, xsrfToken?: string, now?: number }} expected now: ms since 1970, when the
 *   answer came
 */
export function tokenProblem (token, { user, config, xsrfToken, now = Date.now() }) {
  const { secret, issuer, audience } = config.jwt
  let payload
  try {
    payload = jwt.verify(token, secret, {
      algorithms: ['HS256'],
      issuer,
      audience,
      subject: user.id,
      ignoreExpiration: true
    })
  } catch (error) {
    return `the access_token does not verify as this user's: ${error.message}`
  }
  if (typeof payload !== 'object' || payload === null) return 'the access_token carries no JSON object'
  if (typeof payload.exp !== 'number') return 'the access_token never expires: it has no exp'
  const lifetime = payload.exp - now / 1000
  if (Math.abs(lifetime - config.accessTokenTtlSeconds) > clockSlackSeconds) {
    return `the access_token expires in ${Math.round(lifetime)} s, while accessTokenExpiresIn says ` +
      `${config.accessTokenTtlSeconds} s`
  }
  for (const name of /** @type {const} */ (['firstName', 'lastName'])) {
    if (payload[name] !== user[name]) {
      return `the access_token's ${name} should be ${JSON.stringify(user[name])}, got ${JSON.stringify(payload[name])}`
    }
  }
  if (typeof payload.xsrfToken !== 'string') return 'the access_token carries no xsrfToken'
  if (xsrfToken !== undefined && payload.xsrfToken !== xsrfToken) {
    return 'the xsrfToken in the access_token is not the one in the body'
  }
}

/** @param {Cookie | undefined} access */
export function accessCookieProblem (access) {
  if (access === undefined) return 'no cookie access_token was set'
  return flagProblem(access)
}

/** @param {Cookie | undefined} refresh */
export function refreshCookieProblem (refresh) {
  if (refresh === undefined) return 'no cookie refresh_token was set'
  if (refresh.attributes.path !== '/token') {
    return `the cookie refresh_token should have the path /token, got ${refresh.attributes.path ?? 'none'}`
  }
  if (refresh.value.length < minRefreshLength) {
    return `the refresh_token is too short for 128 random bytes: ${refresh.value.length} characters`
  }
  return flagProblem(refresh)
}

/** @param {Cookie} cookie */
function flagProblem ({ name, attributes }) {
  if (!attributes.httponly) return `the cookie ${name} is not HttpOnly`
  if (!attributes.secure) return `the cookie ${name} is not Secure`
}
