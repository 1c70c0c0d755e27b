import { createHash } from 'node:crypto'
import jwt from 'jsonwebtoken'
import { newHashCount } from '../shared/hashing.js'
import { makeAccounts } from '../shared/logins.js'
import { makeMovies } from '../shared/movies.js'

/**
 * The shop's data, its tokens, and the two services behind it.
 *
 * @import { DataGiven, UpstreamOf } from '../../runner/lesson/index.js'
 * @import { User } from '../shared/logins.js'
 *
 * @typedef {Awaited<ReturnType<typeof makeShop>>} Shop
 */

export const connections = 8
/** What each service says of a film. */
const fields = /** @type {const} */ ({ prices: 'price', stock: 'stock' })
/** A price holds the number of the call that it was given to: price = number × this + a check on it. */
const base = 10_000

/** @param {DataGiven} given */
export async function makeShop ({ random, speed }) {
  const films = makeMovies(random)
  // Fixed, so that login.json can be sent by hand; its password is as unknown as the others.
  const first = { email: 'someone@shop.example' }
  const { stored, accounts } = await makeAccounts(random, { count: 12, speed, first })
  const names = Array.from({ length: 600 }, () => `${random.word(5)} ${random.word(7)}`)
  const users = accounts.users.map(nameOf)
  const favourites = random.shuffle(films).slice(0, 4)
  const reviews = Array.from({ length: 3000 }, (_, index) => ({
    id: index + 1,
    // Of these there are more than a list shows.
    film: random.pick(index % 50 === 0 ? favourites : films).id,
    user: random.pick(index % 5 === 0 ? users : names),
    stars: random.int(1, 5),
    text: `${random.word(6)} ${random.word(9)}`
  }))
  const secret = random.word(40)
  return { films, favourites, reviews, stored, ...accounts, secret, salt: random.word(20), connections }
}

/** @param {Shop} shop @returns {Record<string, string>} */
export function filesOf ({ films, reviews, stored: users, secret }) {
  return {
    'films.json': JSON.stringify(films),
    'users.json': JSON.stringify({ users, secret }),
    'reviews.json': JSON.stringify(reviews),
    'settings.json': JSON.stringify({ limit: 20, reviews: 10, currency: 'EUR', languages: ['en', 'de', 'fr'] })
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
    const [, name, film] = /^GET \/(prices|stock)\/(\d+)$/.exec(`${method} ${path}`) ?? []
    if (name === undefined) return { status: 404, json: { error: 'not_found' } }
    const service = /** @type {keyof fields} */ (name)
    return { json: { [fields[service]]: stamp(salt, service, film, ++calls[service]) }, delayMs: 4 }
  }
}

/** @param {string} salt @param {string} service @param {number | string} film @param {number} call */
function stamp (salt, service, film, call) {
  return call * base + createHash('sha256').update(`${salt}/${service}/${film}/${call}`).digest().readUInt32LE(0) % base
}

/**
 * What is wrong with the price or the stock on a page.
 *
 * @param {{ salt: string }} shop @param {number} film @param {{ price?: any, stock?: any }} page
 * @param {{ price?: any, stock?: any }} [after] they have to come from later calls than these
 */
export function offerProblem ({ salt }, film, page, after = { price: 0, stock: 0 }) {
  for (const [service, field] of Object.entries(fields)) {
    const [call, before] = [page, after].map((offer) => Math.floor(offer[field] / base))
    const shown = `${service} of film ${film}: ${JSON.stringify(page[field])}`
    if (page[field] !== stamp(salt, service, film, call)) return `${shown}, which the upstream never said.`
    if (call <= before) return `${shown} is an old one: the upstream wasn’t called for this request.`
  }
}

/** What a server has answered and was sent. @param {Shop} data */
export function newModel (data) {
  const reviews = new Map(data.films.map(({ id }) => [id, /** @type {any[]} */ ([])]))
  const answered = new Map()
  for (const review of data.reviews) {
    reviews.get(review.film)?.push(review)
    countGenres(answered, data, review)
  }
  const sent = new Map(answered)
  return { shown: { price: 0, stock: 0 }, ids: new Set(), reviews, answered, sent, hashes: newHashCount() }
}

/** @param {Map<string, number>} counts reviews of each genre @param {Shop} data @param {{ film: number }} review */
export function countGenres (counts, { films }, { film }) {
  for (const genre of films[film - 1].Genre.split(', ')) counts.set(genre, (counts.get(genre) ?? 0) + 1)
}
