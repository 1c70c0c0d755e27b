import { isDeepStrictEqual } from 'node:util'
import { countHash, haste, newHashCount } from '../shared/hashing.js'
import { newNumbers, numbered } from '../shared/log-file.js'
import { agesOf, contentOf, forger, makeReview, makeText, pickUser, searchPath } from './operations.js'
import { bearing, claimsOf, found, genresOf, reviewsShown, tokenOf } from './shop.js'

/**
 * @import { Item, LoadAnswer, Random, Stream } from '../../runner/lesson/index.js'
 * @import { HashCount } from '../shared/hashing.js'
 * @import { Numbers } from '../shared/log-file.js'
 * @import { Review, Shop } from './shop.js'
 *
 * @typedef {object} Model of one server's life
 * @property {{ prices: number, stock: number }} asked the latest call to each service that a page has shown
 * @property {Map<number, Review>} posted reviews that were answered, by id
 * @property {Map<number, number>} newest id of the newest answered review, by film
 * @property {Map<string, { initial: number, answered: number, sent: number }>} genres reviews of films of a genre
 * @property {HashCount} hashes
 * @property {Numbers} numbers
 *
 * @typedef {{ random: Random, data: Shop, model: Model }} Given
 */

/** @param {{ data: Shop }} given @returns {Model} */
export function makeModel ({ data }) {
  const genres = new Map(data.films.flatMap(({ id }) => genresOf(data, id))
    .map((genre) => [genre, { initial: 0, answered: 0, sent: 0 }]))
  for (const { film } of data.reviews) for (const genre of genresOf(data, film)) count(genres, genre, 'initial')
  const [hashes, numbers] = [newHashCount(), newNumbers()]
  return { asked: { prices: 0, stock: 0 }, posted: new Map(), newest: new Map(), genres, hashes, numbers }
}

/** @param {Model['genres']} genres @param {string} genre @param {'initial' | 'answered' | 'sent'} what */
function count (genres, genre, what) {
  const row = genres.get(genre)
  if (row) row[what]++
}

/** @type {Stream} */
export function visitors (given) {
  // The first request of a load is also the example that `serve` shows.
  let kinds = ['film']
  return () => {
    if (kinds.length === 0) kinds = given.random.shuffle(requestMix)
    return numbered(given.model.numbers, makers[String(kinds.pop())](given))
  }
}

/** Fewer people than connections: whoever shares a hash between their logins shares many. @type {Stream} */
export function logins ({ data, ...given }) {
  const few = { ...data, users: data.users.slice(0, 2) }
  return () => numbered(given.model.numbers, makers.login({ ...given, data: few }))
}

/** @type {Stream} */
export function health () {
  return () => ({
    path: '/healthz',
    key: 'healthz',
    check: (answer) => otherThan(answer, 200, { status: 'ok' })
  })
}

// The mix that the README publishes, for each 50 requests.
const requestMix = [
  ...Array(16).fill('film'), ...Array(14).fill('search'), ...Array(7).fill('films'), ...Array(6).fill('reviews'),
  ...Array(3).fill('review'), 'stranger', ...Array(2).fill('report'), 'login'
]

/** @type {Record<string, (given: Given) => Item>} */
const makers = {
  film: ({ random, data, model }) => {
    const film = random.pick(data.films)
    const after = { ...model.asked }
    const ages = (/** @type {LoadAnswer} */ answer, from = { prices: 0, stock: 0 }) => {
      return agesOf([{ film: film.id, status: 200, ...parsed(answer) }], data, from)
    }
    return {
      path: `/films/${film.id}`,
      answered: (answer) => {
        const { prices, stock } = ages(answer).last
        model.asked = { prices: Math.max(model.asked.prices, prices), stock: Math.max(model.asked.stock, stock) }
      },
      check: (answer) => {
        const { price, stock, ...rest } = parsed(answer)
        const wrong = statusProblem(answer, 200) ?? ages(answer, after).problem
        if (wrong) return wrong
        if (answer.headers['cache-control'] !== 'no-store') return 'Cache-Control: no-store is missing.'
        return isDeepStrictEqual(rest, film) ? undefined : `the film is not the one with the id ${film.id}.`
      }
    }
  },

  search: ({ random, data }) => {
    const [text, limit] = [makeText(random, data), random.pick([1, 5, 20])]
    return {
      path: searchPath(random, text, limit),
      key: `search ${limit} ${text}`,
      check: (answer) => statusProblem(answer, 200) ?? (otherThan(answer, 200, found(data, text, limit)) &&
        `not the first ${limit} films whose title or actors contain “${text}”.`)
    }
  },

  films: ({ data }) => ({
    path: '/films',
    headers: { 'accept-encoding': 'gzip' },
    key: 'films',
    check: (answer) => {
      const { 'content-encoding': encoding, vary = '' } = answer.headers
      if (encoding !== 'gzip') return 'whoever accepts gzip should get it; Content-Encoding is missing.'
      if (!/\baccept-encoding\b/i.test(vary)) return 'Vary: Accept-Encoding is missing.'
      const isWhole = isDeepStrictEqual(contentOf(answer), data.films)
      return statusProblem(answer, 200) ?? (isWhole ? undefined : 'the body is not the whole catalogue.')
    }
  }),

  reviews: ({ random, data, model }) => {
    const { id: film } = random.pick(data.films)
    const newest = model.newest.get(film) ?? 0
    return {
      path: `/films/${film}/reviews`,
      check: (answer) => {
        const wrong = statusProblem(answer, 200)
        if (wrong) return wrong
        /** @type {Review[]} */
        const list = answer.json()
        const isInOrder = list.every((review, at) => review.film === film && (at === 0 || review.id < list[at - 1].id))
        if (list.length > reviewsShown || !isInOrder) return 'not this film’s reviews, the newest first.'
        if (newest > 0 && !(list[0]?.id >= newest)) {
          return `review ${newest} is missing, which was answered before this request was sent.`
        }
        const known = list.map((review) => data.reviews[review.id - 1] ?? model.posted.get(review.id) ?? review)
        if (!isDeepStrictEqual(list, known)) return 'a review is not as it was written.'
        const least = Math.min(reviewsShown, data.reviews.filter((review) => review.film === film).length)
        return list.length >= least ? undefined : `expected at least ${least} reviews, got ${list.length}.`
      }
    }
  },

  review: ({ random, data, model }) => {
    const [{ id: film }, user] = [random.pick(data.films), pickUser(random, data)]
    const json = makeReview(random)
    const review = { film, user: user.name, ...json }
    const genres = genresOf(data, film)
    for (const genre of genres) count(model.genres, genre, 'sent')
    let twice = false
    return {
      method: 'POST',
      path: `/films/${film}/reviews`,
      headers: bearing(tokenOf(user, data)),
      json,
      answered: (answer) => {
        const { id } = parsed(answer)
        if (answer.status !== 201 || !Number.isInteger(id)) return
        twice = model.posted.has(id)
        model.posted.set(id, { id, ...review })
        model.newest.set(film, Math.max(id, model.newest.get(film) ?? 0))
        for (const genre of genres) count(model.genres, genre, 'answered')
      },
      check: (answer) => {
        const { id } = parsed(answer)
        const isNew = Number.isInteger(id) && id > data.reviews.length && !twice
        return otherThan(answer, 201, { id, ...review }) ??
          (isNew ? undefined : `a new review needs an id of its own, got ${id}.`)
      }
    }
  },

  stranger: ({ random, data }) => ({
    method: 'POST',
    path: `/films/${random.pick(data.films).id}/reviews`,
    headers: bearing(forger(random, data)(tokenOf(pickUser(random, data), data))),
    json: makeReview(random),
    check: (answer) => statusProblem(answer, 401)
  }),

  report: ({ model: { genres } }) => {
    const least = new Map([...genres].map(([genre, { initial, answered }]) => [genre, initial + answered]))
    /** @type {Map<string, number>} */
    let most = new Map()
    return {
      path: '/report',
      answered: () => { most = new Map([...genres].map(([genre, { initial, sent }]) => [genre, initial + sent])) },
      check: (answer) => {
        const wrong = statusProblem(answer, 200)
        if (wrong) return wrong
        /** @type {{ genre: string, reviews: number, people: number, stars: number }[]} */
        const rows = answer.json()
        for (const { genre, reviews, people, stars } of rows) {
          const [low = 0, high = 0] = [least.get(genre), most.get(genre)]
          const isTrue = reviews >= low && reviews <= high
          if (!isTrue) return `${genre}: expected ${low} to ${high} reviews, got ${reviews}.`
          if (!(people > 0 && people <= reviews && stars >= 1 && stars <= 5)) {
            return `${genre}: ${people} people and ${stars} stars cannot be.`
          }
        }
        return rows.length === genres.size ? undefined : `expected ${genres.size} genres, got ${rows.length}.`
      }
    }
  },

  login: ({ random, data, model }) => {
    const { id, name, email, password } = random.pick(data.users)
    const right = random.int(1, 4) > 1
    return {
      method: 'POST',
      path: '/login',
      json: { email, password: right ? password : random.word(12) },
      answered: ({ receivedAt }) => countHash(model.hashes, data, receivedAt),
      check: (answer) => {
        const wrong =
          statusProblem(answer, right ? 200 : 401) ?? haste(answer.elapsedMs, data.hashMs) ?? model.hashes.tooMany
        if (wrong || !right) return wrong
        return isDeepStrictEqual(claimsOf(answer.json().token, data), { sub: id, name, seconds: 3600 })
          ? undefined
          : `the token is not one of ${name} for an hour.`
      }
    }
  }
}

/** @param {LoadAnswer} answer @param {number} status @param {unknown} expected */
function otherThan (answer, status, expected) {
  return statusProblem(answer, status) ??
    (isDeepStrictEqual(answer.json(), expected) ? undefined : `expected ${JSON.stringify(expected)}, got another body.`)
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
