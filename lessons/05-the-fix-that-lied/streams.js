import { inMix } from '../shared/batches.js'
import { countHash, haste, newHashCount, refusedLogin, rightLogin } from '../shared/hashing.js'
import { newPassword, newcomer, pathOf, wrongCredentials } from './users.js'

/**
 * @import { Item, LoadAnswer, Random, Stream } from '../../runner/lesson/index.js'
 * @import { HashCount } from '../shared/hashing.js'
 * @import { Credentials } from './users.js'
 *
 * @typedef {object} Model
 * @property {Credentials[]} registered newcomers whose registration was answered with 200
 * @property {HashCount} hashes
 *
 * @typedef {object} Claim the outcome for a name that's requested once, or twice in quick succession
 * @property {string} username
 * @property {number} asked
 * @property {number} answered
 * @property {number} granted
 */

// Registrations are a third of the hashes: work that they skip shows in the cost of an answer.
const requestMix = [...Array(11).fill('right'), 'wrong', 'wrong', ...Array(5).fill('register'), 'rivals']
const rememberedUsers = 50

/** @returns {Model} */
export function newModel () {
  return { registered: [], hashes: newHashCount() }
}

/**
 * Logins, mostly with the right password, registrations, and now and then two who want the same new name.
 *
 * @type {Stream}
 */
export function visitors ({ random, data, model }) {
  const cost = { hashMs: data.hashMs, data, hashes: model.hashes }
  const login = (/** @type {string} */ path) => rightLogin({ path }, cost, (answer) => textProblem(answer, 'OK'))
  /** @type {Item | undefined} */
  let rival
  /** @type {Record<string, () => Item>} */
  const visit = {
    // `npm run serve` shows the first request of a load: one that works at once.
    first: () => login(pathOf('auth', data.users[0])),
    right: () => login(pathOf('auth', pickUser(random, data, model), random)),
    wrong: () => {
      const right = pickUser(random, data, model)
      const wrong = wrongCredentials(random, right)
      const [path, hashMs] = [pathOf('auth', wrong, random), wrong.username === right.username ? data.hashMs : 0]
      return refusedLogin({ path }, hashMs, (answer) => textProblem(answer, 'Unauthorized'))
    },
    register: () => register(newClaim(1, random), random, data, model),
    rivals: () => {
      const claim = newClaim(2, random)
      rival = register(claim, random, data, model)
      return register(claim, random, data, model)
    }
  }
  const next = inMix(random, requestMix, ['first'])
  return () => {
    const item = rival ?? visit[next()]()
    if (item === rival) rival = undefined
    return item
  }
}

/** @param {Random} random @param {any} data @param {Model} model @returns {Credentials} */
function pickUser (random, data, { registered }) {
  return registered.length > 0 && random.next() < 0.3 ? random.pick(registered) : random.pick(data.users)
}

/** @param {number} asked @param {Random} random @returns {Claim} */
function newClaim (asked, random) {
  return { username: newcomer(random).username, asked, answered: 0, granted: 0 }
}

/** @param {Claim} claim @param {Random} random @param {any} data @param {Model} model @returns {Item} */
function register (claim, random, data, { registered, hashes }) {
  const user = { username: claim.username, password: newPassword(random) }
  return {
    path: pathOf('newUser', user, random),
    answered: ({ status, receivedAt }) => {
      claim.answered++
      if (status !== 200) return
      claim.granted++
      countHash(hashes, data, receivedAt)
      if (claim.granted === 1) registered.push(user)
      if (registered.length > rememberedUsers) registered.shift()
    },
    check: (answer) => {
      if (answer.status !== 200 && answer.status !== 409) {
        return `a registration should be answered with 200 or 409, got ${answer.status}`
      }
      if (claim.granted > 1) return 'two registrations of one name were both answered with 200: who can log in now?'
      // The end of a slice can cut off the answer of the one who got the name.
      if (claim.answered === claim.asked && claim.granted === 0) {
        return claim.asked === 1
          ? 'a registration of a new name was answered with 409'
          : 'two clients requested a new name at the same time, and both were answered with 409'
      }
      return answer.status === 200
        ? (textProblem(answer, 'OK') ?? haste(answer.elapsedMs, data.hashMs))
        : textProblem(answer, 'Conflict')
    }
  }
}

/** @param {LoadAnswer} answer @param {string} expected */
function textProblem (answer, expected) {
  const text = answer.text()
  if (text !== expected) return `expected the text ${expected}, got ${text.slice(0, 60) || 'nothing'}`
}
