import { inQuery, inherited, oddText } from '../form/kinds.js'
import { almost } from '../shared/logins.js'

/**
 * @import { Random } from '../../runner/lesson/index.js'
 *
 * @typedef {{ username: string, password: string }} Credentials
 */

/** Names that every plain object inherits, and names that a record may have. */
export const namesOfObjects = [...inherited, 'salt', 'hash', 'size']

/**
 * A user whom no server knows yet. Name and password may hold any character.
 *
 * @param {Random} random
 * @returns {Credentials}
 */
export function newcomer (random) {
  return { username: oddText(random), password: newPassword(random) }
}

/** @param {Random} random */
export function newPassword (random) {
  return `${oddText(random)}${random.word(random.pick([6, 6, 6, 200]))}`
}

/** A different name, as similar as possible. @param {string} username @param {Random} random */
export function nearName (username, random) {
  return random.pick([username.toUpperCase(), `${username} `, ` ${username}`, `${username}\t`, username.slice(0, -1)])
}

/**
 * Wrong credentials, as close to right ones as possible.
 *
 * @param {Random} random
 * @param {Credentials} right
 */
export function wrongCredentials (random, { username, password }) {
  const wrong = { username, password: almost(password, random) }
  return random.pick([wrong, wrong, newcomer(random), { username: nearName(username, random), password }])
}

/**
 * @param {'newUser' | 'auth'} route
 * @param {Credentials} user
 * @param {Random} [random] of the order, and of further parameters
 */
export function pathOf (route, { username, password }, random) {
  const written = (/** @type {string} */ text) => random ? inQuery(random, text) : encodeURIComponent(text)
  const parameters = [`username=${written(username)}`, `password=${written(password)}`]
  const others = random && random.next() < 0.2 ? ['lang=de'] : []
  return `/${route}?${(random?.shuffle([...parameters, ...others]) ?? parameters).join('&')}`
}
