import { isDeepStrictEqual } from 'node:util'
import { jsonIn } from '../shared/answers.js'
import { countHash, haste, newHashCount } from '../shared/hashing.js'
import { bearing, claimsOf, nameOf, offerProblem, tokenOf } from './shop.js'
import { makeReview, pickUser } from './requests.js'

/**
 * Visitors of the load whose answers depend on what others do.
 *
 * @import { User } from '../shared/logins.js'
 * @import { Route } from '../form/types.js'
 * @import { Shop } from './shop.js'
 */

/** What a server has answered and was sent. @param {Shop} data */
export function newModel (data) {
  const reviews = new Map(data.films.map(({ id }) => [id, /** @type {any[]} */ ([])]))
  const answered = new Map()
  for (const review of data.reviews) {
    reviews.get(review.film)?.push(review)
    count(answered, data, review)
  }
  const sent = new Map(answered)
  return { shown: { price: 0, stock: 0 }, ids: new Set(), reviews, answered, sent, hashes: newHashCount() }
}

/** @param {Map<string, number>} counts reviews of each genre @param {Shop} data @param {{ film: number }} review */
function count (counts, { films }, { film }) {
  for (const genre of films[film - 1].Genre.split(', ')) counts.set(genre, (counts.get(genre) ?? 0) + 1)
}

/** @type {Record<string, NonNullable<Route['item']>>} */
export const visits = {
  page: ({ random, data, model }) => {
    const { id } = random.pick(data.films)
    const after = model.shown
    return {
      path: `/films/${id}`,
      answered: (answer) => {
        const page = jsonIn(answer) ?? {}
        if (offerProblem(data, id, page) !== undefined) return
        const { price, stock } = model.shown
        model.shown = { price: Math.max(price, page.price), stock: Math.max(stock, page.stock) }
      },
      check: (answer) => {
        const { price, stock, ...film } = answer.json()
        if (answer.headers['cache-control'] !== 'no-store') return 'Cache-Control: no-store is missing'
        if (!isDeepStrictEqual(film, data.films[id - 1])) return `the film is not the one with the id ${id}`
        return offerProblem(data, id, { price, stock }, after)
      }
    }
  },
  reviews: ({ random, data, model }) => {
    const { id } = random.pick(data.films)
    /** @type {any[]} */
    const answered = model.reviews.get(id)
    const least = answered.length
    return {
      path: `/films/${id}/reviews`,
      check: (answer) => {
        /** @type {any[]} */
        const list = answer.json()
        const shown = new Set(list.map(({ id }) => id))
        // What was answered before is there; what was on its way may be.
        const right = answered.filter(({ id }, at) => at < least || shown.has(id))
        const unknown = list.filter((one) => one.film === id && !model.ids.has(one.id) && one.id > data.reviews.length)
        const newest = [...right, ...unknown].sort((a, b) => b.id - a.id).slice(0, 10)
        return isDeepStrictEqual(list, newest) ? undefined : 'these are not the newest reviews of this film'
      }
    }
  },
  review: ({ random, data, model }) => {
    const [{ id: film }, user, json] = [random.pick(data.films), pickUser(random, data), makeReview(random)]
    const review = { film, user: nameOf(user), ...json }
    count(model.sent, data, review)
    let isNew = false
    return {
      path: `/films/${film}/reviews`,
      headers: bearing(tokenOf(user, data)),
      json,
      answered: (answer) => {
        const { id } = jsonIn(answer) ?? {}
        isNew = Number.isInteger(id) && id > data.reviews.length && !model.ids.has(id)
        if (answer.status !== 201 || !isNew) return
        model.ids.add(id)
        model.reviews.get(film).push({ id, ...review })
        count(model.answered, data, review)
      },
      check: (answer) => {
        const { id, ...rest } = answer.json()
        if (!isNew) return `a new review needs its own id, got ${id}`
        return isDeepStrictEqual(rest, review) ? undefined : 'this is not the review that was sent'
      }
    }
  },
  report: ({ model }) => {
    const least = new Map(model.answered)
    let most = least
    return {
      answered: () => { most = new Map(model.sent) },
      check: (answer) => {
        /** @type {any[]} */
        const rows = answer.json()
        const isTrue = rows.length === least.size && rows.every(({ genre, reviews, people, stars }) =>
          reviews >= least.get(genre) && reviews <= most.get(genre) && people > 0 && people <= reviews &&
          stars >= 1 && stars <= 5)
        return isTrue ? undefined : `the reviews of a genre are more or fewer than were sent: ${JSON.stringify(rows)}`
      }
    }
  },
  login: ({ random, data, model }) => {
    /** Fewer than connections: where logins share a hash, these share many. @type {User} */
    const user = random.pick(data.users.slice(0, 2))
    const right = random.int(1, 4) > 1
    return {
      json: { email: user.email, password: right ? user.password : random.word(12) },
      status: right ? 200 : 401,
      answered: ({ receivedAt }) => countHash(model.hashes, data, receivedAt),
      check: (answer) => {
        const wrong = haste(answer.elapsedMs, data.hashMs) ?? model.hashes.tooMany
        if (wrong || !right) return wrong
        const claims = { sub: user.id, name: nameOf(user), seconds: 3600 }
        if (!isDeepStrictEqual(claimsOf(answer.json().token, data), claims)) return 'this is no token of theirs'
      }
    }
  }
}
