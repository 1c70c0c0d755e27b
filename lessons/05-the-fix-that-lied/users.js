/**
 * @import { Random } from '../../runner/lesson/index.js'
 *
 * @typedef {{ username: string, password: string }} Credentials
 */

// What has a meaning in a URL has to survive the way into the server.
const specials = ['é', 'ß', '東', '&', '=', '+', '%', ' ', '#', '?', '/']

/**
 * Somebody whom no server knows yet. Name and password may hold any character.
 *
 * @param {Random} random
 * @returns {Credentials}
 */
export function newcomer (random) {
  return { username: `${random.word(9)}${random.pick(specials)}${random.int(1, 9)}`, password: newPassword(random) }
}

/** @param {Random} random */
export function newPassword (random) {
  return `${random.word(6)}${random.pick(specials)}${random.word(6)}`
}

/** Differs in one character only. @param {string} password @param {Random} random */
export function almost (password, random) {
  const at = random.int(0, 5)
  return password.slice(0, at) + (password[at] === 'x' ? 'y' : 'x') + password.slice(at + 1)
}

/** @param {Credentials} user */
export function registration (user) {
  return `/newUser?${query(user)}`
}

/** @param {Credentials} user */
export function login (user) {
  return `/auth?${query(user)}`
}

/** @param {Credentials} user */
function query ({ username, password }) {
  return `username=${encodeURIComponent(username)}&password=${encodeURIComponent(password)}`
}
