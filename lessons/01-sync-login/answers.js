import jwt from 'jsonwebtoken'
import { readToken } from '../shared/logins.js'

/**
 * What can be wrong with an answer to a login. Each function returns one short sentence, or undefined.
 *
 * @import { Answer } from '../../runner/contract/index.js'
 * @import { Cookie, LoadAnswer } from '../../runner/lesson/index.js'
 * @import { Accounts, User } from '../shared/logins.js'
 *
 * @typedef {{ jwt: { secret: string, issuer: string, audience: string }, accessTokenTtlSeconds: number,
 *   refreshTokenTtlSeconds: number }} Config
 */

const minXsrfLength = 16
// 128 bytes in base64url; hex needs 256 characters.
const minRefreshLength = 171

/**
 * An answer to POST /login.
 *
 * @param {Answer | LoadAnswer} answer
 * @param {User | undefined} user
 * @param {Config} config
 */
export function loginProblem (answer, user, config) {
  return accessProblem(answer, user, config) ??
    refreshProblem(cookieIn(answer, 'refresh_token')) ??
    secondsProblem('refreshTokenExpiresIn', answer.json().refreshTokenExpiresIn, config.refreshTokenTtlSeconds)
}

/**
 * What an answer to POST /token has, too.
 *
 * @param {Answer | LoadAnswer} answer
 * @param {User | undefined} user
 * @param {Config} config
 */
export function accessProblem (answer, user, config) {
  const body = answer.json()
  if (typeof body !== 'object' || body === null) return `the body should be an object, got ${JSON.stringify(body)}`
  const { accessTokenExpiresIn: seconds, xsrfToken } = body
  const wrong = secondsProblem('accessTokenExpiresIn', seconds, config.accessTokenTtlSeconds)
  if (wrong !== undefined) return wrong
  if (typeof xsrfToken !== 'string' || xsrfToken.length < minXsrfLength) {
    return `xsrfToken should be a string of at least ${minXsrfLength} characters, got ${JSON.stringify(xsrfToken)}`
  }
  const cookie = cookieIn(answer, 'access_token')
  return flagProblem('access_token', cookie) ??
    tokenProblem(cookie?.value ?? '', { user, config, xsrfToken, headers: answer.headers })
}

/** @param {string} name @param {unknown} seconds @param {number} expected */
function secondsProblem (name, seconds, expected) {
  if (seconds === expected) return undefined
  return `${name} should be ${expected} (seconds, from config.json), got ${JSON.stringify(seconds)}`
}

/**
 * @param {string} token
 * @param {{ user: User | undefined, config: Config, xsrfToken: string, headers: Record<string, string> }} expected
 */
function tokenProblem (token, { user, config, xsrfToken, headers }) {
  const { secret, issuer, audience } = config.jwt
  const expected = { issuer, audience, subject: user?.id, seconds: config.accessTokenTtlSeconds, headers }
  const { payload, problem } = readToken(token, secret, expected)
  if (problem !== undefined) return `the access_token ${problem}`
  if (user === undefined) return `the subject of the access_token isn’t a user in users.json: ${payload.sub}`
  for (const [name, value] of Object.entries({ firstName: user.firstName, lastName: user.lastName, xsrfToken })) {
    if (payload[name] === value) continue
    return `the access_token's ${name} should be ${JSON.stringify(value)}, got ${JSON.stringify(payload[name])}`
  }
}

/** @param {Cookie | undefined} cookie */
function refreshProblem (cookie) {
  const flags = flagProblem('refresh_token', cookie)
  if (flags !== undefined) return flags
  const { value = '', attributes = {} } = cookie ?? {}
  if (attributes.path !== '/token') {
    return `the cookie refresh_token should have the path /token, got ${attributes.path ?? 'none'}`
  }
  if (value.length >= minRefreshLength) return undefined
  return `the refresh_token is too short for 128 random bytes: ${value.length} characters`
}

/** @param {string} name @param {Cookie | undefined} cookie */
function flagProblem (name, cookie) {
  if (cookie === undefined) return `no cookie ${name} was set`
  if (!cookie.attributes.httponly) return `the cookie ${name} isn’t HttpOnly`
  if (!cookie.attributes.secure) return `the cookie ${name} isn’t Secure`
}

/** @param {Answer | LoadAnswer} answer @param {string} name */
function cookieIn (answer, name) {
  const cookies = typeof answer.cookies === 'function' ? answer.cookies() : answer.cookies
  return cookies.find((cookie) => cookie.name === name)
}

/** Whose access token is it, according to the token? @param {Answer} answer @param {Accounts} accounts */
export function userIn (answer, { users, older }) {
  const id = jwt.decode(cookieIn(answer, 'access_token')?.value ?? '')?.sub
  return [...users, ...older].find((user) => user.id === id)
}
