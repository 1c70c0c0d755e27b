import { createHash } from 'node:crypto'
import jwt from 'jsonwebtoken'
import { makeAccounts } from '../shared/logins.js'
import { makeMovies } from '../shared/movies.js'

/**
 * The shop's data, its tokens, and the two services behind it.
 *
 * @import { DataGiven, UpstreamOf } from '../../runner/lesson/index.js'
 * @import { User } from '../shared/logins.js'
 */

export const connections = 8
/** Of a film, in its list. */
export const reviewsShown = 10
const settings = { limit: 20, reviews: reviewsShown, currency: 'EUR', languages: ['en', 'de', 'fr'] }
const reviewCount = 3000
const people = 600
// Fixed, so that login.json can be sent by hand; its password is as unknown as the others.
const fixedEmail = 'someone@shop.example'
const delayMs = 4
/** A price holds the number of the call that it was given to: price = number × this + a check on it. */
const base = 10_000

/** @param {DataGiven} given */
export async function makeShop ({ random, speed }) {
  const films = makeMovies(random)
  const { stored, accounts } = await makeAccounts(random, { count: 12, speed, first: { email: fixedEmail } })
  const names = Array.from({ length: people }, () => `${random.word(5)} ${random.word(7)}`)
  const users = accounts.users.map(nameOf)
  const favourites = random.shuffle(films).slice(0, 4)
  const reviews = Array.from({ length: reviewCount }, (_, index) => ({
    id: index + 1,
    // Of these there are more than a list shows.
    film: random.pick(index % 50 === 0 ? favourites : films).id,
    user: random.pick(index % 5 === 0 ? users : names),
    stars: random.int(1, 5),
    text: `${random.word(6)} ${random.word(9)}`
  }))
  const [secret, salt] = [random.word(40), random.word(20)]
  return { films, favourites, reviews, stored, ...accounts, secret, salt, connections }
}

/** @param {Awaited<ReturnType<typeof makeShop>>} shop @returns {Record<string, string>} */
export function filesOf ({ films, reviews, stored: users, secret }) {
  return {
    'films.json': JSON.stringify(films),
    'users.json': JSON.stringify({ users, secret }),
    'reviews.json': JSON.stringify(reviews),
    'settings.json': JSON.stringify(settings)
  }
}

/** @param {User} user */
export function nameOf ({ firstName, lastName }) {
  return `${firstName} ${lastName}`
}

/** @param {User} user @param {string} secret @param {object} [options] */
export function sign (user, secret, options = {}) {
  return jwt.sign({ name: nameOf(user) }, secret, { subject: user.id, expiresIn: '1h', ...options })
}

/** A user who has logged in keeps the token. @type {WeakMap<User, string>} */
const tokens = new WeakMap()

/** @param {User} user @param {{ secret: string }} shop */
export function tokenOf (user, { secret }) {
  const token = tokens.get(user) ?? sign(user, secret)
  tokens.set(user, token)
  return token
}

/** @param {string} token @returns {Record<string, string>} */
export function bearing (token) {
  return token === '' ? {} : { authorization: `Bearer ${token}` }
}

/** @param {string} token @param {{ secret: string }} shop */
export function claimsOf (token, { secret }) {
  const { sub, name, exp = 0, iat = 0 } = /** @type {any} */ (jwt.verify(token, secret, { algorithms: ['HS256'] }))
  return { sub, name, seconds: exp - iat }
}

/** @type {UpstreamOf} */
export function answerCalls ({ data: { salt } }) {
  const calls = { prices: 0, stock: 0 }
  return ({ method, path }) => {
    const [, service, film] = /^\/(prices|stock)\/(\d+)$/.exec(path) ?? []
    if (method !== 'GET' || (service !== 'prices' && service !== 'stock')) {
      return { status: 404, json: { error: 'not_found' } }
    }
    const value = stamp(salt, service, film, ++calls[service])
    return { json: service === 'prices' ? { price: value } : { stock: value }, delayMs }
  }
}

/** @param {string} salt @param {string} service @param {number | string} film @param {number} call */
function stamp (salt, service, film, call) {
  return call * base + createHash('sha256').update(`${salt}/${service}/${film}/${call}`).digest().readUInt32LE(0) % base
}

/** The numbers of the calls that price and stock were given to. @param {{ price?: any, stock?: any }} page */
export function callsOf ({ price, stock }) {
  return { prices: Math.floor(price / base), stock: Math.floor(stock / base) }
}

/**
 * What is wrong with the price or the stock on a page.
 *
 * @param {{ salt: string }} shop
 * @param {number} film
 * @param {{ price?: any, stock?: any }} page
 * @param {{ prices: number, stock: number }} [after] they have to come from later calls than these
 */
export function offerProblem ({ salt }, film, page, after = { prices: 0, stock: 0 }) {
  const calls = callsOf(page)
  for (const [service, value] of /** @type {const} */ ([['prices', page.price], ['stock', page.stock]])) {
    const shown = `${service} of film ${film}: ${JSON.stringify(value)}`
    if (value !== stamp(salt, service, film, calls[service])) return `${shown}, which the upstream never said.`
    if (calls[service] <= after[service]) return `${shown} is an old one: the upstream wasn’t called for this request.`
  }
}
