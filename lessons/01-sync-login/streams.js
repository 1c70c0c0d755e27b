import { availableParallelism } from 'node:os'
import { accessCookieProblem, bodyProblem, haste, parseSetCookie, refreshCookieProblem, tokenProblem } from './answers.js'

/**
 * @import { Item, Random, Stream } from '../../runner/lesson/index.js'
 * @import { User } from './answers.js'
 *
 * @typedef {object} Model
 * @property {Set<string>} seen every xsrfToken and refresh token that this server gave out
 * @property {{ user: User, token: string }[]} redeemable refresh tokens that were not used yet
 * @property {number[]} hashed when the last logins of known users were answered, ms
 * @property {string} [overCapacity] what is wrong when they were too many
 */

// A mix, not a draw for each request: slices hold few answers and should hold the same share of cheap ones.
const MIX = [...Array(17).fill('right'), 'wrong', 'unknown', 'redeem']
const REMEMBERED_TOKENS = 50
const CAPACITY_WINDOW = 32
// Hashes were measured at another moment, on a machine whose cores change their speed.
const CAPACITY_SLACK = 3

/** @returns {Model} */
export function newModel () {
  return { seen: new Set(), redeemable: [], hashed: [] }
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
    if (kinds.length === 0) kinds = random.shuffle(MIX)
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
      if (status === 200) countHash(model, data, receivedAt)
    },
    check: (answer) => {
      if (answer.status !== 200) return `a right password should be answered with 200, got ${answer.status}`
      const cookies = parseSetCookie(answer.setCookie)
      const { access_token: access, refresh_token: refresh } = cookies
      const body = answer.json()
      return bodyProblem(body, data.config) ??
        accessCookieProblem(access) ??
        refreshCookieProblem(refresh) ??
        tokenProblem(access.value, { user, config: data.config, xsrfToken: body.xsrfToken, now }) ??
        haste(answer.elapsedMs, data.hashMs) ??
        model.overCapacity ??
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
      if (answer.json()?.error !== 'bad_credentials') return `wrong credentials should be answered with the error bad_credentials, got ${answer.text().slice(0, 80)}`
      if (answer.setCookie.some((cookie) => /^(access|refresh)_token=[^;]/.test(cookie))) return 'a refused login was given a token'
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
      const access = parseSetCookie(answer.setCookie).access_token
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
  if (model.redeemable.length > REMEMBERED_TOKENS) model.redeemable.shift()
}

/**
 * Whoever keeps passwords and sleeps for a while instead of hashing answers more logins than the cores could hash.
 * As many answers as there are connections may come at once, and as many were begun before the window.
 *
 * @param {Model} model @param {any} data @param {number} receivedAt ms
 */
function countHash (model, { hashMs, connections }, receivedAt) {
  const window = CAPACITY_WINDOW + 2 * connections
  model.hashed.push(receivedAt)
  if (model.hashed.length > window) model.hashed.shift()
  if (model.hashed.length < window) return
  const spanMs = receivedAt - model.hashed[0]
  const leastMs = CAPACITY_WINDOW * hashMs / (Math.min(availableParallelism(), connections) * CAPACITY_SLACK)
  if (spanMs < leastMs) model.overCapacity = `${window} logins were answered in ${spanMs.toFixed(0)} ms, more than this machine can hash in that time: were these passwords hashed?`
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
