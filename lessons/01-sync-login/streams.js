import { countHash, haste, newHashCount } from '../shared/hashing.js'
import { accessCookieProblem, bodyProblem, refreshCookieProblem, tokenProblem } from './answers.js'

/**
 * @import { Cookie, Item, LoadAnswer, Random, Stream } from '../../runner/lesson/index.js'
 * @import { HashCount } from '../shared/hashing.js'
 * @import { User } from './answers.js'
 *
 * @typedef {object} Model
 * @property {Set<string>} seen every xsrfToken and refresh token that this server gave out
 * @property {{ user: User, token: string }[]} redeemable refresh tokens that were not used yet
 * @property {HashCount} hashes of the logins of known users
 */

// A mix, not a draw for each request: slices hold few answers and should hold the same share of cheap ones.
const requestMix = [...Array(17).fill('right'), 'wrong', 'unknown', 'redeem']
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
    wrong: () => wrongLogin(random, data),
    unknown: () => refusal({ email: `${random.word(9)}@${random.word(6)}.example`, password: random.word(12) }),
    redeem: () => redeem(random, data, model)
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
  let now = 0
  return {
    ...post({ email: user.email, password: user.password }),
    answered: ({ status, receivedAt }) => {
      now = Date.now()
      if (status === 200) countHash(model.hashes, data, receivedAt)
    },
    check: (answer) => {
      if (answer.status !== 200) return `a right password should be answered with 200, got ${answer.status}`
      const { access_token: access, refresh_token: refresh } = cookiesByName(answer)
      const body = answer.json()
      return bodyProblem(body, data.config) ??
        accessCookieProblem(access) ??
        refreshCookieProblem(refresh) ??
        tokenProblem(access.value, { user, config: data.config, xsrfToken: body.xsrfToken, now }) ??
        haste(answer.elapsedMs, data.hashMs) ??
        model.hashes.tooMany ??
        remember(model, user, body.xsrfToken, refresh.value)
    }
  }
}

/** @param {Random} random @param {any} data */
function wrongLogin (random, data) {
  const user = random.pick(data.users)
  const password = random.pick([sameLength(user.password, random), random.word(12)])
  const { email, password: ofDamaged } = data.damaged
  return random.next() < 0.5
    ? refusal({ email: user.email, password }, data.hashMs)
    : refusal({ email, password: ofDamaged }, data.hashMs)
}

/**
 * @param {{ email: string, password: string }} credentials
 * @param {number} [hashMs] of a known user, whose refusal takes a hash
 * @returns {Item}
 */
function refusal (credentials, hashMs = 0) {
  return {
    ...post(credentials),
    check: (answer) => {
      if (answer.status !== 401) return `wrong credentials should be answered with 401, got ${answer.status}`
      if (answer.json()?.error !== 'bad_credentials') {
        return `wrong credentials should be answered with the error bad_credentials, got ${answer.text().slice(0, 80)}`
      }
      if (answer.setCookie.some((cookie) => /^(access|refresh)_token=[^;]/.test(cookie))) {
        return 'a refused login was given a token'
      }
      return haste(answer.elapsedMs, hashMs)
    }
  }
}

/** @param {Random} random @param {any} data @param {Model} model @returns {Item} */
function redeem (random, data, model) {
  const [{ user, token }] = model.redeemable.splice(random.int(0, model.redeemable.length - 1), 1)
  let now = 0
  return {
    method: 'POST',
    path: '/token',
    headers: { cookie: `refresh_token=${token}` },
    answered: () => { now = Date.now() },
    check: (answer) => {
      if (answer.status !== 200) return `it should honour the refresh token of an earlier login, got ${answer.status}`
      const access = cookiesByName(answer).access_token
      return accessCookieProblem(access) ?? tokenProblem(access.value, { user, config: data.config, now })
    }
  }
}

/** @param {Model} model @param {User} user @param {string} xsrfToken @param {string} refreshToken */
function remember (model, user, xsrfToken, refreshToken) {
  if (model.seen.has(xsrfToken)) return 'an xsrfToken was given out twice'
  if (model.seen.has(refreshToken)) return 'a refresh token was given out twice'
  model.seen.add(xsrfToken).add(refreshToken)
  model.redeemable.push({ user, token: refreshToken })
  if (model.redeemable.length > rememberedTokens) model.redeemable.shift()
}

/** @param {LoadAnswer} answer @returns {Record<string, Cookie>} */
function cookiesByName (answer) {
  return Object.fromEntries(answer.cookies().map((cookie) => [cookie.name, cookie]))
}

/** @param {string} password @param {Random} random */
export function sameLength (password, random) {
  const at = random.int(0, password.length - 3)
  const other = password[at] === 'x' ? 'y' : 'x'
  return password.slice(0, at) + other + password.slice(at + 1)
}

/** @param {unknown} json */
function post (json) {
  return { method: 'POST', path: '/login', json }
}
