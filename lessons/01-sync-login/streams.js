import { inMix } from '../shared/batches.js'
import { loginsOf, newHashCount } from '../shared/hashing.js'
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
export function logins (given) {
  const { random, data, model } = given
  /** @type {Record<string, () => Item>} */
  const login = {
    ...loginsOf(
      given,
      (answer, user) => loginProblem(answer, user, data.config) ?? remember(model, user, answer),
      ({ setCookie }) => setCookie.some((cookie) => /^(access|refresh)_token=[^;]/.test(cookie))
        ? 'a refused login got a token'
        : undefined
    ),
    redeem: () => model.redeemable.length === 0 ? login.right() : renewal(random, data, model)
  }
  const next = inMix(random, requestMix)
  return () => login[next()]()
}

/** @param {Random} random @param {any} data @param {Model} model @returns {Item} */
function renewal (random, data, model) {
  const [{ user, cookie }] = model.redeemable.splice(random.int(0, model.redeemable.length - 1), 1)
  return {
    ...redeem(cookie),
    check: (answer) => {
      if (answer.status !== 200) return `it should honour the refresh token of an earlier login, got ${answer.status}`
      return accessProblem(answer, user, data.config)
    }
  }
}

/** @param {Model} model @param {User} user @param {LoadAnswer} answer */
function remember (model, user, answer) {
  const { xsrfToken } = answer.json()
  const cookie = refreshCookie(answer)
  if (model.seen.has(xsrfToken)) return 'an xsrfToken was given out twice'
  if (model.seen.has(cookie)) return 'a refresh token was given out twice'
  model.seen.add(xsrfToken).add(cookie)
  model.redeemable.push({ user, cookie })
  if (model.redeemable.length > rememberedTokens) model.redeemable.shift()
}
