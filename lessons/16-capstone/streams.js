import { gunzipSync } from 'node:zlib'
import { isDeepStrictEqual } from 'node:util'
import jwt from 'jsonwebtoken'
import { countHash, haste, newHashCount } from '../shared/hashing.js'
import { found, genresOf, readStamp, reviewsShown } from './shop.js'

/**
 * @import { Item, LoadAnswer, Random, Stream } from '../../runner/lesson/index.js'
 * @import { HashCount } from '../shared/hashing.js'
 * @import { Review, Shop } from './shop.js'
 *
 * @typedef {object} Model of one server's life
 * @property {{ prices: number, stock: number }} asked the latest call to each service that a page has shown
 * @property {Map<number, Review>} posted reviews that were answered, by id
 * @property {Map<number, number>} newest id of the newest answered review, by film
 * @property {Map<string, { answered: number, sent: number }>} genres reviews posted for films of a genre
 * @property {Map<string, { reviews: number, people: number }>} initial what the report says at first, by genre
 * @property {HashCount} hashes
 */

// The mix that the README publishes, for each 50 requests.
const requestMix = [
  ...Array(16).fill('film'), ...Array(14).fill('search'), ...Array(7).fill('films'), ...Array(6).fill('reviews'),
  ...Array(3).fill('review'), 'stranger', ...Array(2).fill('report'), 'login'
]

/** Ids of requests under load begin with this. */
export const loadTag = 'load'

/** @param {{ data: Shop }} given @returns {Model} */
export function makeModel ({ data }) {
  return {
    asked: { prices: 0, stock: 0 },
    posted: new Map(),
    newest: new Map(),
    genres: new Map(),
    initial: countGenres(data),
    hashes: newHashCount()
  }
}

/** @param {Shop} data */
function countGenres (data) {
  /** @type {Map<string, { reviews: number, names: Set<string> }>} */
  const genres = new Map(
    data.films.flatMap(({ id }) => genresOf(data, id)).map((genre) => [genre, { reviews: 0, names: new Set() }])
  )
  for (const { film, user } of data.reviews) {
    for (const genre of genresOf(data, film)) {
      const count = genres.get(genre)
      if (!count) continue
      count.reviews++
      count.names.add(user)
    }
  }
  return new Map([...genres].map(([genre, { reviews, names }]) => [genre, { reviews, people: names.size }]))
}

/** @type {Stream} */
export function visitors ({ random, data, model }) {
  const tag = `${loadTag}-${random.word(8)}`
  const tokens = data.users.map((/** @type {Shop['users'][0]} */ user) => ({
    user,
    token: sign(user, data.secret),
    stranger: sign(user, random.word(40))
  }))
  let sent = 0
  let answered = 0
  // The first request of a load is also the example that `serve` shows.
  let kinds = ['film']
  return () => {
    if (kinds.length === 0) kinds = random.shuffle(requestMix)
    const item = make(String(kinds.pop()), { random, data, model, tokens })
    const { answered: hear } = item
    return {
      ...item,
      // Whoever reads the log afterwards can see how many requests had been answered when this one was sent.
      headers: { 'x-request-id': `${tag}-${++sent}-after-${answered}`, ...item.headers },
      answered: (answer) => {
        answered++
        hear?.(answer)
      }
    }
  }
}

/** @type {Stream} */
export function health () {
  return () => ({
    path: '/healthz',
    key: 'healthz',
    check: (answer) =>
      statusProblem(answer, 200) ?? (answer.json().status === 'ok' ? undefined : 'expected {"status":"ok"}.')
  })
}

/**
 * @param {string} kind
 * @param {{ random: Random, data: Shop, model: Model, tokens: { user: Shop['users'][0], token: string, stranger: string
 *   }[] }} given
 * @returns {Item}
 */
function make (kind, { random, data, model, tokens }) {
  const film = random.pick(data.films)
  const { user, token, stranger } = random.pick(tokens)
  switch (kind) {
    case 'film': return filmPage(data, model, film)
    case 'search': return searchFor(data, random)
    case 'films': return catalogue(data)
    case 'reviews': return readReviews(data, model, film.id)
    case 'review': return writeReview(data, model, film.id, random, user.name, token)
    case 'stranger': return refusedReview(film.id, random, stranger)
    case 'report': return report(model)
    default: return logIn(data, model, user, random)
  }
}

/** @param {Shop} data @param {Model} model @param {Shop['films'][0]} film @returns {Item} */
function filmPage (data, model, film) {
  const after = { ...model.asked }
  return {
    path: `/films/${film.id}`,
    answered: (answer) => {
      const { price, stock } = parsed(answer)
      model.asked.prices = Math.max(
        model.asked.prices,
        readStamp(data, { service: 'prices', film: film.id, value: price, after: 0 }).call
      )
      model.asked.stock = Math.max(
        model.asked.stock,
        readStamp(data, { service: 'stock', film: film.id, value: stock, after: 0 }).call
      )
    },
    check: (answer) => {
      const wrong = statusProblem(answer, 200)
      if (wrong) return wrong
      const { price, stock, ...rest } = answer.json()
      if (!isDeepStrictEqual(rest, film)) return `the film is not the one with the id ${film.id}.`
      if (answer.headers['cache-control'] !== 'no-store') return 'Cache-Control: no-store is missing.'
      return readStamp(data, { service: 'prices', film: film.id, value: price, after: after.prices }).problem ??
        readStamp(data, { service: 'stock', film: film.id, value: stock, after: after.stock }).problem
    }
  }
}

/** @param {Shop} data @param {Random} random @returns {Item} */
function searchFor (data, random) {
  const { Title, Actors } = random.pick(data.films)
  const words = `${Title} ${Actors}`.split(/\s+/)
  const word = random.pick(words)
  const text = random.pick([word.slice(0, random.int(2, 4)), word.toUpperCase(), random.word(2), random.word(5)])
  const limit = random.pick([1, 5, 20])
  return {
    path: `/search?text=${encodeURIComponent(text)}&limit=${limit}`,
    key: `search ${limit} ${text}`,
    check: (answer) =>
      statusProblem(answer, 200) ??
      (isDeepStrictEqual(answer.json(), found(data, text, limit))
        ? undefined
        : `not the first ${limit} films whose title or actors contain “${text}”.`)
  }
}

/** @param {Shop} data @returns {Item} */
function catalogue (data) {
  return {
    path: '/films',
    headers: { 'accept-encoding': 'gzip' },
    key: 'films',
    check: (answer) => statusProblem(answer, 200) ?? catalogueProblem(data, answer)
  }
}

/** @param {Shop} data @param {{ headers: Record<string, string>, body: Buffer }} answer */
export function catalogueProblem (data, { headers, body }) {
  if (headers['content-encoding'] !== 'gzip') return 'whoever accepts gzip should get it; Content-Encoding is missing.'
  if (!/\baccept-encoding\b/i.test(headers.vary ?? '')) return 'Vary: Accept-Encoding is missing.'
  return isDeepStrictEqual(JSON.parse(gunzipSync(body).toString()), data.films)
    ? undefined
    : 'the body is not the whole catalogue.'
}

/** @param {Shop} data @param {Model} model @param {number} film @returns {Item} */
function readReviews (data, model, film) {
  const newest = model.newest.get(film) ?? 0
  return {
    path: `/films/${film}/reviews`,
    check: (answer) => {
      const wrong = statusProblem(answer, 200)
      if (wrong) return wrong
      /** @type {Review[]} */
      const list = answer.json()
      if (
        list.length > reviewsShown ||
        list.some((review, at) => review.film !== film || (at > 0 && review.id >= list[at - 1].id))
      ) { return 'not this film’s reviews, the newest first.' }
      if (newest > 0 && !(list[0]?.id >= newest)) {
        return `review ${newest} is missing, which was answered before this request was sent.`
      }
      const known = list.map((review) => data.reviews[review.id - 1] ?? model.posted.get(review.id) ?? review)
      if (!isDeepStrictEqual(list, known)) return 'a review is not as it was written.'
      const old = data.reviews.filter((review) => review.film === film).length
      return list.length >= Math.min(reviewsShown, old)
        ? undefined
        : `expected at least ${Math.min(reviewsShown, old)} reviews, got ${list.length}.`
    }
  }
}

/**
 * @param {Shop} data
 * @param {Model} model
 * @param {number} film
 * @param {Random} random
 * @param {string} user
 * @param {string} token
 * @returns {Item}
 */
function writeReview (data, model, film, random, user, token) {
  const review = { film, user, stars: random.int(1, 5), text: `${random.word(8)} ${random.word(4)}` }
  const genres = genresOf(data, film).map((genre) => {
    const count = model.genres.get(genre) ?? { answered: 0, sent: 0 }
    model.genres.set(genre, count)
    return count
  })
  genres.forEach((count) => { count.sent++ })
  let twice = false
  return {
    method: 'POST',
    path: `/films/${film}/reviews`,
    headers: { authorization: `Bearer ${token}` },
    json: { stars: review.stars, text: review.text },
    answered: (answer) => {
      const { id } = parsed(answer)
      if (answer.status !== 201 || !Number.isInteger(id)) return
      twice = model.posted.has(id)
      model.posted.set(id, { id, ...review })
      model.newest.set(film, Math.max(id, model.newest.get(film) ?? 0))
      genres.forEach((count) => { count.answered++ })
    },
    check: (answer) => {
      const wrong = statusProblem(answer, 201)
      if (wrong) return wrong
      const { id, ...rest } = answer.json()
      if (!Number.isInteger(id) || id <= data.reviews.length || twice) {
        return `a new review needs an id of its own, got ${id}.`
      }
      return isDeepStrictEqual(rest, review) ? undefined : 'the answer is not the review that was sent.'
    }
  }
}

/** @param {number} film @param {Random} random @param {string} token @returns {Item} */
function refusedReview (film, random, token) {
  return {
    method: 'POST',
    path: `/films/${film}/reviews`,
    headers: { authorization: `Bearer ${token}` },
    json: { stars: 1, text: random.word(8) },
    check: (answer) => statusProblem(answer, 401)
  }
}

/** @param {Model} model @returns {Item} */
function report (model) {
  const before = new Map([...model.genres].map(([genre, { answered }]) => [genre, answered]))
  /** @type {Map<string, number>} */
  let until = new Map()
  return {
    path: '/report',
    answered: () => { until = new Map([...model.genres].map(([genre, { sent }]) => [genre, sent])) },
    check: (answer) => {
      const wrong = statusProblem(answer, 200)
      if (wrong) return wrong
      /** @type {{ genre: string, reviews: number, people: number, stars: number }[]} */
      const genres = answer.json()
      for (const { genre, reviews, people, stars } of genres) {
        const initial = model.initial.get(genre)?.reviews ?? 0
        const [low, high] = [initial + (before.get(genre) ?? 0), initial + (until.get(genre) ?? 0)]
        if (!(reviews >= low && reviews <= high)) return `${genre}: expected ${low} to ${high} reviews, got ${reviews}.`
        if (!(people >= (model.initial.get(genre)?.people ?? 0) && people <= reviews) || !(stars >= 0 && stars <= 5)) {
          return `${genre}: ${people} people and ${stars} stars cannot be.`
        }
      }
      return genres.length === model.initial.size
        ? undefined
        : `expected ${model.initial.size} genres, got ${genres.length}.`
    }
  }
}

/** @param {Shop} data @param {Model} model @param {Shop['users'][0]} user @param {Random} random @returns {Item} */
function logIn (data, model, user, random) {
  const right = random.int(1, 4) > 1
  return {
    method: 'POST',
    path: '/login',
    json: { email: user.email, password: right ? user.password : random.word(12) },
    answered: ({ receivedAt }) => countHash(model.hashes, data, receivedAt),
    check: (answer) => {
      const wrong =
        statusProblem(answer, right ? 200 : 401) ?? haste(answer.elapsedMs, data.hashMs) ?? model.hashes.tooMany
      if (wrong || !right) return wrong
      return tokenProblem(data, user, answer.json().token)
    }
  }
}

/** @param {Shop} data @param {Shop['users'][0]} user @param {any} token */
export function tokenProblem ({ secret }, user, token) {
  try {
    const { sub, name, exp = 0, iat = 0 } = /** @type {any} */ (jwt.verify(token, secret, { algorithms: ['HS256'] }))
    if (sub !== user.id || name !== user.name) return `the token is for ${name}.`
    return exp - iat === 3600 ? undefined : 'the token should hold for an hour.'
  } catch (error) {
    return `the token does not verify (${error.message}).`
  }
}

/** @param {Shop['users'][0]} user @param {string} secret @param {object} [options] */
export function sign (user, secret, options = {}) {
  return jwt.sign({ name: user.name }, secret, { subject: user.id, expiresIn: '1h', ...options })
}

/** @param {LoadAnswer} answer @param {number} status */
function statusProblem (answer, status) {
  if (answer.status !== status) return `expected status ${status}, got ${answer.status}.`
  return /^application\/json\b/i.test(answer.headers['content-type'] ?? '')
    ? undefined
    : `Content-Type is ${answer.headers['content-type'] ?? 'missing'}.`
}

/** @param {LoadAnswer} answer */
function parsed (answer) {
  try {
    return answer.json() ?? {}
  } catch {
    return {}
  }
}
