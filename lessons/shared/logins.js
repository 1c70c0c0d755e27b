import jwt from 'jsonwebtoken'
import { damage, makeUsers } from './users.js'

/**
 * What the lessons have in common in which one logs in by e-mail and password.
 *
 * @import { Answer } from '../../runner/contract/index.js'
 * @import { Operation, Random } from '../../runner/lesson/index.js'
 * @import { StoredUser } from './users.js'
 *
 * @typedef {object} User
 * @property {string} id
 * @property {string} email
 * @property {string} firstName
 * @property {string} lastName
 * @property {string} password
 * @property {number} hashMs what the hash takes on this machine
 *
 * @typedef {object} Accounts
 * @property {User[]} users
 * @property {User[]} older whose hashes have fewer iterations, and so cost less
 * @property {User[]} damaged one half byte of the stored hash is wrong, so logging in with it fails
 * @property {number} hashMs of one of the users
 */

const olderCount = 5
/** Half bytes of a hash. */
const hashLength = 1024
/** Servers send the second; a busy one may send the one before. */
const clockSlackSeconds = 3
/** Of an answer that does not say when it was made, and was looked at later. */
const unknownSlackSeconds = 30
const patienceMs = 120e3
/** A token counts whole seconds: after this long, a new one has another expiry, ms. */
export const secondMs = 1050

/**
 * @param {Random} random
 * @param {{ count: number, speed: number, first?: Partial<StoredUser> & { email: string } }} options first: what is
 *   fixed of the first, so that a file next to the lesson can name it
 * @returns {Promise<{ stored: StoredUser[], accounts: Accounts }>} stored: all of them
 */
export async function makeAccounts (random, { count, speed, first }) {
  const { users: stored, passwords, hashMs } = await makeUsers(random, {
    count: count + 1 + olderCount,
    older: olderCount,
    speed
  })
  if (first) passwords[first.email] = passwords[stored[0].email]
  Object.assign(stored[0], first)
  const damaged = [stored.length - 1, stored.length - 2, count]
  // The last one tells a comparison of all bytes from one of the first few, which also need not be hashed.
  const places = [hashLength - 1, random.int(0, hashLength - 1), random.int(0, hashLength - 1)]
  damaged.forEach((index, i) => damage(stored[index], places[i]))
  const known = stored.map(({ id, email, firstName, lastName, iterations }) => ({
    id,
    email,
    firstName,
    lastName,
    password: passwords[email],
    hashMs: hashMs * iterations / stored[0].iterations
  }))
  return {
    stored,
    accounts: {
      users: known.slice(0, count),
      older: known.slice(count + 1, -2),
      damaged: damaged.map((index) => known[index]),
      hashMs
    }
  }
}

/** Mostly one whose hash costs little. @param {Random} random @param {Accounts} accounts @returns {User} */
export function anyUser (random, { users, older }) {
  return random.pick(random.next() < 0.9 ? older : users)
}

/** @param {{ email: unknown, password: unknown }} credentials */
export function logIn ({ email, password }) {
  return { method: 'POST', path: '/login', json: { email, password } }
}

/**
 * Credentials of no user.
 *
 * @param {Random} random
 * @param {Accounts} accounts
 * @param {{ email: string, password: string }} right the nearest that are right
 */
export function wrongCredentials (random, { users, older }, { email, password }) {
  const another = random.pick([...users, ...older].filter((user) => user.email !== email))
  return random.pick([
    { email, password: almost(password, random) },
    { email, password: almost(password, random) },
    { email, password: another.password },
    { email: random.pick([`${random.word(9)}@${random.word(6)}.example`, '__proto__', 'constructor']), password }
  ])
}

/** Another text, and as near as can be. @param {string} password @param {Random} random */
export function almost (password, random) {
  // By characters: half of a surrogate pair can't be sent.
  const letters = [...password]
  const at = random.int(0, letters.length - 1)
  const changed = letters.with(at, letters[at] === 'x' ? 'y' : 'x').join('')
  const shorter = letters.slice(0, -1).join('')
  return random.pick([changed, changed, shorter, `${password}x`, password.replace(/^./u, upperCase)])
}

/** @param {string} letter */
function upperCase (letter) {
  return letter.toUpperCase()
}

/** What refused logins get. @type {Record<string, Operation>} */
export const refusals = {
  wrong: {
    rule: 'answers 401 to a wrong password and to an unknown e-mail',
    weight: 3,
    meaning: errorIn,
    draw: ({ random, data, about, past }) => {
      const login = about ?? (random.next() < 0.5 ? past('login').at(-1) : undefined)
      const right = /** @type {any} */ (login?.asked)?.json ?? anyUser(random, data)
      const wrong = logIn(wrongCredentials(random, data, right))
      // What a client has from the last login doesn't log it in once more.
      return login === undefined ? wrong : (answerOf) => ({ ...wrong, headers: broughtBy(answerOf(login)) })
    }
  },
  damaged: {
    rule: 'compares the whole hash',
    meaning: errorIn,
    draw: ({ data, past }) => logIn(data.damaged[past('damaged').length % data.damaged.length])
  },
  incomplete: {
    rule: 'answers 400 to a parameter that’s missing, empty or not a text',
    meaning: errorIn,
    draw: ({ random, data }) => {
      const { email, password } = anyUser(random, data)
      const none = random.pick([undefined, '', null, 12345678, true, [password], { $ne: null }])
      return logIn(random.pick([{ email, password: none }, { email: none, password }]))
    }
  }
}

/** @param {Answer} answer to a login @returns {Record<string, string>} headers of who has had it */
function broughtBy (answer) {
  const { token } = answer.status === 200 ? answer.json() : {}
  return {
    cookie: answer.cookies.map(({ name, value }) => `${name}=${value}`).join('; '),
    ...token && { authorization: `Bearer ${token}` }
  }
}

/** The text names the error, and leaves the rest of the body open. @param {{ json: () => any }} answer */
function errorIn (answer) {
  return answer.json()?.error
}

/**
 * A user's token.
 *
 * @param {string} token
 * @param {string} secret
 * @param {{ seconds: number, headers: Record<string, string> } & jwt.VerifyOptions} expected seconds: that it should
 *   live; headers: of the answer that it came with
 * @returns {{ payload?: any, problem?: string }} problem: what is wrong with it
 */
export function readToken (token, secret, { seconds, headers, ...options }) {
  try {
    /** @type {any} */
    const payload = jwt.verify(token, secret, { algorithms: ['HS256'], ignoreExpiration: true, ...options })
    return { payload, problem: expiryProblem(payload.exp, seconds, headers) }
  } catch (error) {
    return { problem: `doesn’t verify as this user’s: ${error.message}` }
  }
}

/**
 * @param {unknown} exp of a token, seconds since 1970
 * @param {number} seconds that it should live
 * @param {Record<string, string>} headers of the answer that it came with
 * @returns {string | undefined} what is wrong
 */
function expiryProblem (exp, seconds, { date = '' }) {
  if (typeof exp !== 'number') return 'never expires: it has no exp'
  const now = Date.now()
  const said = Date.parse(date)
  const isSaid = Math.abs(said - now) < patienceMs
  const lifetime = exp - (isSaid ? said : now) / 1000
  if (Math.abs(lifetime - seconds) <= (isSaid ? clockSlackSeconds : unknownSlackSeconds)) return undefined
  return `expires ${Math.round(lifetime)} s after the answer was made, not ${seconds} s after it`
}
