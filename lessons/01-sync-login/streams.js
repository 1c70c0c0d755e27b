import { countHash, haste, newHashCount } from '../shared/hashing.js'
import { logIn, wrongCredentials } from '../shared/logins.js'
import { accessProblem, loginProblem } from './answers.js'
import { redeem, refreshCookie } from './operations.js'

/**
 * @import { Item, LoadAnswer, Random, Stream } from '../../runner/lesson/index.js'
 * @import { HashCount } from '../shared/hashing.js'
 * @import { User } from '../shared/logins.js'
 *
 * @typedef {object} Model
 * @property {Set<string>} seen every xsrfToken and refresh token that this server gave out
 * @property {{ user: User, cookie: string }[]} redeemable refresh tokens that haven't been used yet
 * @property {HashCount} hashes of the logins of users
 */

// A mix, not a draw for each request: slices hold few answers and should hold the same share of cheap ones.
const requestMix = [...Array(16).fill('right'), 'older', 'wrong', 'damaged', 'redeem']
const rememberedTokens = 50

/** @returns {Model} */
export function newModel () {
  return { seen: new Set(), redeemable: [], hashes: newHashCount() }
}

/**
 * Logins, mostly with the right password, and now and then a refresh token of an earlier login.
 *
 * @type {Stream}
 */
export function logins ({ random, data, model }) {
  /** @type {string[]} */
  let kinds = []
  const login = {
    right: () => rightLogin(random.pick(data.users), data, model),
    older: () => rightLogin(random.pick(data.older), data, model),
    wrong: () => {
      const user = random.pick(data.users)
      const credentials = wrongCredentials(random, data, user)
      return refusal(credentials, credentials.email === user.email ? user.hashMs : 0)
    },
    damaged: () => {
      const user = random.pick(data.damaged)
      return refusal(user, user.hashMs)
    },
    redeem: () => renewal(random, data, model)
  }
  return () => {
    if (kinds.length === 0) kinds = random.shuffle(requestMix)
    const kind = /** @type {keyof typeof login} */ (kinds.pop())
    return kind === 'redeem' && model.redeemable.length === 0 ? login.right() : login[kind]()
  }
}

/** @type {Stream} */
export function healthz () {
  return () => ({
    path: '/healthz',
    key: 'healthz',
    check: (answer) => {
      if (answer.status !== 200) return `it should answer 200, got ${answer.status}`
      if (answer.json()?.status !== 'ok') return `it should answer {"status":"ok"}, got ${answer.text().slice(0, 80)}`
    }
  })
}

/** @param {User} user @param {any} data @param {Model} model @returns {Item} */
function rightLogin (user, data, model) {
  const costs = user.hashMs === data.hashMs
  return {
    ...logIn(user),
    answered: ({ status, receivedAt }) => {
      if (status === 200 && costs) countHash(model.hashes, data, receivedAt)
    },
    check: (answer) => {
      if (answer.status !== 200) return `a right password should be answered with 200, got ${answer.status}`
      return loginProblem(read(answer), user, data.config) ??
        haste(answer.elapsedMs, user.hashMs) ??
        model.hashes.tooMany ??
        remember(model, user, answer)
    }
  }
}

/**
 * @param {{ email: string, password: string }} credentials
 * @param {number} hashMs what the refusal costs
 * @returns {Item}
 */
function refusal (credentials, hashMs) {
  return {
    ...logIn(credentials),
    check: (answer) => {
      if (answer.status !== 401) return `wrong credentials should be answered with 401, got ${answer.status}`
      if (answer.json()?.error !== 'bad_credentials') {
        return `wrong credentials should be answered with the error bad_credentials, got ${answer.text().slice(0, 80)}`
      }
      if (answer.setCookie.some((cookie) => /^(access|refresh)_token=[^;]/.test(cookie))) {
        return 'a refused login got a token'
      }
      return haste(answer.elapsedMs, hashMs)
    }
  }
}

/** @param {Random} random @param {any} data @param {Model} model @returns {Item} */
function renewal (random, data, model) {
  const [{ user, cookie }] = model.redeemable.splice(random.int(0, model.redeemable.length - 1), 1)
  return {
    ...redeem(cookie),
    check: (answer) => {
      if (answer.status !== 200) return `it should honour the refresh token of an earlier login, got ${answer.status}`
      return accessProblem(read(answer), user, data.config)
    }
  }
}

/** @param {Model} model @param {User} user @param {LoadAnswer} answer */
function remember (model, user, answer) {
  const { xsrfToken } = answer.json()
  const cookie = refreshCookie(answer) ?? ''
  if (model.seen.has(xsrfToken)) return 'an xsrfToken was given out twice'
  if (model.seen.has(cookie)) return 'a refresh token was given out twice'
  model.seen.add(xsrfToken).add(cookie)
  model.redeemable.push({ user, cookie })
  if (model.redeemable.length > rememberedTokens) model.redeemable.shift()
}

/** @param {LoadAnswer} answer */
function read (answer) {
  return { headers: answer.headers, body: answer.json(), cookies: answer.cookies() }
}
