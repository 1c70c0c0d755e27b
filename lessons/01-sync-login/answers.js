import jwt from 'jsonwebtoken'
import { readToken } from '../shared/logins.js'

/**
 * What can be wrong with an answer to a login. Each function returns one short sentence, or undefined.
 *
 * @import { Cookie } from '../../runner/lesson/index.js'
 * @import { Accounts, User } from '../shared/logins.js'
 *
 * @typedef {{ jwt: { secret: string, issuer: string, audience: string }, accessTokenTtlSeconds: number,
 *   refreshTokenTtlSeconds: number }} Config
 *
 * The parts of an answer that are checked, under load and otherwise.
 * @typedef {{ headers: Record<string, string>, body: any, cookies: Cookie[] }} Given body: parsed
 */

const minXsrfLength = 16
// 128 bytes in base64url; hex needs 256 characters.
const minRefreshLength = 171

/**
 * An answer to POST /login.
 *
 * @param {Given} given
 * @param {User | undefined} user
 * @param {Config} config
 */
export function loginProblem (given, user, config) {
  const { refreshTokenExpiresIn: got } = given.body ?? {}
  const expected = config.refreshTokenTtlSeconds
  return accessProblem(given, user, config) ??
    refreshProblem(given.cookies.find(({ name }) => name === 'refresh_token')) ??
    (got === expected
      ? undefined
      : `refreshTokenExpiresIn should be ${expected} (seconds, from config.json), got ${JSON.stringify(got)}`)
}

/**
 * What an answer to POST /token has, too.
 *
 * @param {Given} given
 * @param {User | undefined} user
 * @param {Config} config
 */
export function accessProblem ({ headers, body, cookies }, user, config) {
  if (typeof body !== 'object' || body === null) return `the body should be an object, got ${JSON.stringify(body)}`
  const { accessTokenExpiresIn: seconds, xsrfToken } = body
  if (seconds !== config.accessTokenTtlSeconds) {
    return `accessTokenExpiresIn should be ${config.accessTokenTtlSeconds} (seconds, from config.json), got ` +
      `${JSON.stringify(seconds)}`
  }
  if (typeof xsrfToken !== 'string' || xsrfToken.length < minXsrfLength) {
    return `xsrfToken should be a string of at least ${minXsrfLength} characters, got ${JSON.stringify(xsrfToken)}`
  }
  const cookie = cookies.find(({ name }) => name === 'access_token')
  return flagProblem('access_token', cookie) ??
    tokenProblem(cookie?.value ?? '', { user, config, xsrfToken, headers })
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
  const { value = '', attributes = {} } = cookie ?? {}
  const flags = flagProblem('refresh_token', cookie)
  if (flags !== undefined) return flags
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

/**
 * Whose access token is it, according to the token?
 *
 * @param {Cookie[]} cookies
 * @param {Accounts} accounts
 */
export function userIn (cookies, { users, older }) {
  const token = cookies.find(({ name }) => name === 'access_token')?.value ?? ''
  const id = jwt.decode(token)?.sub
  return [...users, ...older].find((user) => user.id === id)
}
