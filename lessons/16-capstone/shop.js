import { createHash } from 'node:crypto'
import jwt from 'jsonwebtoken'
import { makeMovies } from '../shared/movies.js'
import { makeUsers } from '../shared/users.js'

/**
 * The shop's data, its tokens, and the two services behind it.
 *
 * @import { Random, UpstreamOf } from '../../runner/lesson/index.js'
 * @import { Movie } from '../shared/movies.js'
 *
 * @typedef {{ id: number, film: number, user: string, stars: number, text: string }} Review
 *
 * @typedef {object} Shop
 * @property {Movie[]} films
 * @property {{ email: string, password: string, id: string, name: string }[]} users
 * @property {{ email: string, password: string }} damaged a user whose stored hash is wrong in its last half byte
 * @property {Review[]} reviews
 * @property {string} secret with which tokens are signed
 * @property {string} salt without it nobody can foretell a price
 * @property {number} hashMs
 * @property {number} connections
 */

export const reviewsShown = 10
const reviewCount = 3000
const people = 600
const delayMs = 4
/** A price holds the number of the call that it was given to: price = number × this + a check on it. */
const base = 10_000

/** @param {Random} random @param {{ connections: number, speed: number }} options speed: of a core, 1 or less */
export async function makeShop (random, { connections, speed }) {
  const films = makeMovies(random)
  const { users, passwords, hashMs } = await makeUsers(random, { count: 13, speed })
  const damaged = users[users.length - 1]
  // Tells a comparison of all 512 bytes from one of the first few, which also need not be hashed.
  damaged.hash = damaged.hash.slice(0, -1) + (damaged.hash.endsWith('0') ? '1' : '0')
  const secret = random.word(40)
  const names = Array.from({ length: people }, () => `${random.word(5)} ${random.word(7)}`)
  const reviews = Array.from({ length: reviewCount }, (_, index) => ({
    id: index + 1,
    film: random.pick(films).id,
    user: random.pick(names),
    stars: random.int(1, 5),
    text: `${random.word(6)} ${random.word(9)}`
  }))
  return {
    files: {
      'films.json': JSON.stringify(films),
      'users.json': JSON.stringify({ users, secret }),
      'reviews.json': JSON.stringify(reviews),
      'settings.json': JSON.stringify({
        limit: 20,
        reviews: reviewsShown,
        currency: 'EUR',
        languages: ['en', 'de', 'fr']
      })
    },
    data: {
      films,
      users: users
        .slice(0, -1)
        .map(({ email, id, firstName, lastName }) => ({
          email,
          password: passwords[email],
          id,
          name: `${firstName} ${lastName}`
        })),
      damaged: { email: damaged.email, password: passwords[damaged.email] },
      reviews,
      secret,
      salt: random.word(20),
      hashMs,
      connections
    }
  }
}

/** @param {Shop['users'][0]} user @param {string} secret @param {object} [options] */
export function sign (user, secret, options = {}) {
  return jwt.sign({ name: user.name }, secret, { subject: user.id, expiresIn: '1h', ...options })
}

/** Whoever has logged in keeps the token. @type {WeakMap<Shop['users'][0], string>} */
const tokens = new WeakMap()

/** @param {Shop['users'][0]} user @param {Shop} data */
export function tokenOf (user, { secret }) {
  if (!tokens.has(user)) tokens.set(user, sign(user, secret))
  return tokens.get(user) ?? ''
}

/** @param {string} token @returns {Record<string, string>} */
export function bearing (token) {
  return token === '' ? {} : { authorization: `Bearer ${token}` }
}

/** @param {string} token @param {Shop} data */
export function claimsOf (token, { secret }) {
  const { sub, name, exp = 0, iat = 0 } = /** @type {any} */ (jwt.verify(token, secret, { algorithms: ['HS256'] }))
  return { sub, name, seconds: exp - iat }
}

/** @type {UpstreamOf} */
export function answerCalls ({ data }) {
  const calls = { prices: 0, stock: 0 }
  return ({ method, path }) => {
    const [, service, film] = /^\/(prices|stock)\/(\d+)$/.exec(path) ?? []
    if (method !== 'GET' || (service !== 'prices' && service !== 'stock')) {
      return { status: 404, json: { error: 'not_found' } }
    }
    const value = stamp(data.salt, service, Number(film), ++calls[service])
    return { json: service === 'prices' ? { price: value } : { stock: value }, delayMs }
  }
}

/** @param {string} salt @param {string} service @param {number} film @param {number} call */
function stamp (salt, service, film, call) {
  return call * base + createHash('sha256').update(`${salt}/${service}/${film}/${call}`).digest().readUInt32LE(0) % base
}

/**
 * What is wrong with the price or the stock of a film, and the number of the call that it was given to.
 *
 * @param {Shop} shop
 * @param {{ service: 'prices' | 'stock', film: number, value: any, after: number }} given after: it has to come from a
 *   later call than this one
 * @returns {{ problem?: string, call: number }}
 */
export function readStamp ({ salt }, { service, film, value, after }) {
  const what = service === 'prices' ? 'price' : 'stock'
  const call = Number.isInteger(value) ? Math.floor(value / base) : 0
  if (call < 1 || value !== stamp(salt, service, film, call)) {
    return { call: 0, problem: `the ${what} is ${JSON.stringify(value)}, which the upstream never said of this film.` }
  }
  if (call <= after) return { call, problem: `the ${what} is an old one: the upstream was not asked for this request.` }
  return { call }
}

/** What a search has to find. @param {Shop} shop @param {string} text @param {number} limit */
export function found ({ films }, text, limit) {
  const wanted = text.toLowerCase()
  return films
    .filter(({ Title, Actors }) => Title.toLowerCase().includes(wanted) || Actors.toLowerCase().includes(wanted))
    .slice(0, limit)
    .map(({ id, Title, Year }) => ({ id, Title, Year }))
}

/** @param {Shop} shop @param {number} film */
export function genresOf ({ films }, film) {
  return films[film - 1].Genre.split(', ')
}
