import { isDeepStrictEqual } from 'node:util'
import { oddNumbers, sayingJson } from '../form/kinds.js'
import { drawnWith, valueOf } from '../form/requests.js'
import { countDrawn, jsonIn } from '../shared/answers.js'
import { countHash, haste } from '../shared/hashing.js'
import { anyUser, logIn } from '../shared/logins.js'
import { urlOf } from '../shared/urls.js'
import {
  filmLike, filmOf, forger, forgeries, found, makeReview, makeText, pickFilm, pickUser, reviewing, searchFor
} from './requests.js'
import { bearing, claimsOf, countGenres, nameOf, offerProblem, tokenOf } from './shop.js'

const waysToAccept = ['identity', 'gzip', 'gzip, deflate', 'deflate, gzip;q=0.9', 'gzip;q=1.0, *;q=0']
const keepsWhatItHas = 'keeps what it has when it refuses a review'
const twice = 'takes more than one review of a visitor'
const loggedIn = 'takes reviews only with a valid token'

/** A new review without its number, which is the server's own affair. @param {any} review @param {any} data */
function unnumbered ({ id, ...review }, { reviews }) {
  return Number.isInteger(id) && id > reviews.length ? review : { id, ...review }
}

/** @type {Record<string, import('../form/types.js').Route>} */
export const routes = {
  'GET /healthz': { rule: 'answers the health check', weight: 0.5, always: { status: 'ok' } },

  'GET /films': {
    rule: 'sends the whole catalogue, gzipped for clients that accept it',
    encodings: ['gzip'],
    draw: ({ random }) => ({ headers: { 'Accept-Encoding': random.pick(waysToAccept) } }),
    is: ({ films }) => films
  },

  'GET /films/:id': {
    rule: 'shows a film with its price and its stock',
    weight: 5,
    // A function, so that nothing else asks the services meanwhile.
    draw: ({ random, data, past, about }) => {
      const last = past('GET /films/:id').at(-1)
      const film = last && random.int(1, 5) > 2 && !about ? filmOf(last) : pickFilm(random, data)
      return drawnWith({ film }, () => film)
    },
    meaning: (answer, { data }) => {
      const { price, stock, ...film } = answer.json()
      if (answer.status !== 200) return film
      return { ...film, offer: offerProblem(data, film.id, { price, stock }) ?? 'its own' }
    },
    item: ({ random, data, model }) => {
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
    }
  },

  'GET /search?text=&limit=': {
    rule: 'searches for the text as it is, in any case, in the order of the catalogue',
    weight: 3,
    draw: ({ random, data }) => searchFor(random, makeText(random, data), random.pick([undefined, 1, 12, 20, 1000])),
    item: ({ random, data }) => {
      const [text, limit] = [makeText(random, data), random.pick([1, 5, 20])]
      return {
        path: `/search?${searchFor(random, text, limit)}`,
        key: `search ${limit} ${text}`,
        shows: () => found(data, text, limit)
      }
    },
    cases: {
      'finds as many films as the limit says, and 20 without one': {
        weight: 4,
        // Always the same letter, so that nothing but the limit is new. A few first, then perhaps more.
        draw: ({ random, data, past }) => {
          const few = random.int(1, 19)
          const isFirst = past('finds as many films as the limit says, and 20 without one').length === 0
          const limit = random.pick(isFirst ? [few] : [undefined, few, 20, random.int(21, 60)])
          return searchFor(random, 'aeio'[data.reviews[0].film % 4], limit)
        }
      },
      'searches for a text that is only like an earlier one': {
        rule: 'searches for the text as it is, in any case, in the order of the catalogue',
        weight: 2,
        least: 8,
        // First the plain one, then one that a careless key takes for the same.
        draw: ({ random, data, past }) => {
          const before = past('searches for a text that is only like an earlier one')
          const { Actors } = random.pick(data.films)
          const count = countDrawn(before)
          if (count % 2 === 0) return searchFor(random, random.pick(Actors.split(', ')), 15)
          const text = new URLSearchParams(urlOf(before[before.length - 1]).split('?')[1]).get('text') ?? ''
          const alike =
            [`${text} `, `${text}${'x'.repeat(64)}`, text.replace(' ', '  '), ` ${text}`, `${text}\t`, `${text}.`]
          return searchFor(random, alike[(count >> 1) % alike.length], 15)
        }
      },
      'takes the text of a search literally': ({ random }) => {
        const text = random.pick(['(', '.*', '[', '\\', '^', '$', '|', '+', 'a.', '[a-z]', '“', '%', '&', 'e?'])
        return searchFor(random, text, random.int(1, 20))
      },
      'finds nothing that begins in a title and ends among the actors': {
        weight: 1.5,
        draw: ({ random, data }) => {
          const { Title, Actors } = random.pick(data.films)
          const between = random.pick([' ', ' ', ' ', random.pick(['', '\n', ', ', '|', '\0'])])
          return searchFor(random, `${Title.slice(-4)}${between}${Actors.slice(0, 4)}`)
        }
      },
      'refuses a search without a text, or with a limit that isn’t a whole number from 1 on': {
        weight: 0.7,
        least: 5,
        odd: true,
        draw: ({ random }) => random.pick([
          { path: '/search' },
          'limit=3',
          searchFor(random, '', 5),
          ...[1, 2, 3].map(() => searchFor(random, random.pick(['a', 'the']), random.pick(oddNumbers(random))))
        ])
      }
    }
  },

  'GET /films/:id/reviews': {
    rule: 'shows the ten newest reviews of a film, the newest first',
    draw: ({ random, data, about }) => about ? filmOf(about) : pickFilm(random, data),
    meaning: (answer, { data }) => [answer.json()].flat().map((one) => unnumbered(one, data)),
    item: ({ random, data, model }) => {
      const { id } = random.pick(data.films)
      const answered = /** @type {any[]} */ (model.reviews.get(id))
      const least = answered.length
      return {
        path: `/films/${id}/reviews`,
        check: (answer) => {
          const list = /** @type {any[]} */ (answer.json())
          const shown = new Set(list.map(({ id }) => id))
          // What was answered before is there; what was on its way may be.
          const right = answered.filter(({ id }, at) => at < least || shown.has(id))
          const others = list.filter((one) => one.film === id && !model.ids.has(one.id) && one.id > data.reviews.length)
          const newest = [...right, ...others].sort((a, b) => b.id - a.id).slice(0, 10)
          return isDeepStrictEqual(list, newest) ? undefined : 'these are not the newest reviews of this film'
        }
      }
    }
  },

  'POST /films/:id/reviews': {
    rule: 'answers a new review with 201 and the review',
    effect: 'shows a review to the very next read, and counts it in the report',
    touches: ['GET /report', 'GET /films/:id/reviews', twice, 'GET /report', loggedIn],
    weight: 3,
    draw: ({ random, data, past }) => {
      const last = past('POST /films/:id/reviews').slice(-1).map(filmOf)
      let film
      // Which of two that are sent at once is the newer one is for chance to say.
      do film = pickFilm(random, data); while (last.includes(film))
      const token = tokenOf(pickUser(random, data), data)
      const review = makeReview(random)
      // Every third also says what isn't for its writer to say, and every third is long.
      const odd = [{ id: 1, film: 1, user: random.word(6) }, { text: random.word(9).repeat(400) }, {}]
      const json = { ...review, ...odd[countDrawn(past('POST /films/:id/reviews')) % 3] }
      const login = random.pick([undefined, ...past('POST /login')])
      return reviewing(film, json, (answerOf) => login ? String(answerOf(login).json().token) : token)
    },
    meaning: (answer, { data }) => unnumbered(answer.json(), data),
    item: ({ random, data, model }) => {
      const [{ id: film }, user, json] = [random.pick(data.films), pickUser(random, data), makeReview(random)]
      const review = { film, user: nameOf(user), ...json }
      countGenres(model.sent, data, review)
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
          countGenres(model.answered, data, review)
        },
        check: (answer) => {
          const { id, ...rest } = answer.json()
          if (!isNew) return `a new review needs its own id, got ${id}`
          return isDeepStrictEqual(rest, review) ? undefined : 'this is not the review that was sent'
        }
      }
    },
    cases: {
      [twice]: {
        effect: 'shows a review to the very next read, and counts it in the report',
        touches: ['GET /report'],
        weight: 0.01,
        // About the same film, or about another one of its genre, whose people the visitor then is among already.
        draw: ({ random, data, past, about }) => {
          if (about === undefined) return null
          const { film, tokenFrom } = valueOf(about.asked)
          const other = countDrawn(past(twice)) % 2 === 0 ? film : filmLike(random, data, film)
          return reviewing(other, makeReview(random), tokenFrom)
        }
      },
      [loggedIn]: {
        effect: keepsWhatItHas,
        touches: ['GET /films/:id/reviews'],
        least: forgeries,
        draw: ({ random, data, past, about = past('POST /films/:id/reviews').at(-1) }) => {
          if (about === undefined) return null
          // One way after the other, from a token that has just been good.
          const forge = forger(random, data, countDrawn(past(loggedIn)))
          const { tokenFrom } = valueOf(about.asked)
          return reviewing(pickFilm(random, data), makeReview(random), (answerOf) => forge(tokenFrom(answerOf)))
        },
        item: ({ random, data }) => ({
          path: `/films/${random.pick(data.films).id}/reviews`,
          headers: bearing(forger(random, data)(tokenOf(pickUser(random, data), data))),
          json: makeReview(random),
          status: 401
        })
      },
      'refuses a review without a text, or without one to five stars': {
        effect: keepsWhatItHas,
        touches: ['GET /films/:id/reviews'],
        weight: 0.7,
        draw: ({ random, data }) => {
          const token = tokenOf(pickUser(random, data), data)
          const { stars, text } = makeReview(random)
          const noStars = { stars: random.pick([0, 6, -1, 2.5, '3', null]), text }
          const json = random.pick([noStars, { text }, { stars }, { stars, text: random.pick([7, null]) }])
          return reviewing(pickFilm(random, data), json, () => token)
        }
      }
    }
  },

  'GET /report': {
    rule: 'counts reviews, people and stars of each genre',
    weight: 0.7,
    meaning: (answer) => answer.json().map((/** @type {any} */ { stars, ...row }) => ({
      ...row,
      // Of a multiple of eight reviews the mean can lie in the middle of two hundredths: either is right.
      stars: row.reviews % 8 === 0 && stars >= 1 && stars <= 5 ? 'a mean' : stars
    })).sort((/** @type {any} */ a, /** @type {any} */ b) => a.genre < b.genre ? -1 : 1),
    item: ({ model }) => {
      const least = new Map(model.answered)
      let most = least
      return {
        answered: () => { most = new Map(model.sent) },
        check: (answer) => {
          const rows = /** @type {any[]} */ (answer.json())
          const isTrue = rows.length === least.size && rows.every(({ genre, reviews, people, stars }) =>
            reviews >= least.get(genre) && reviews <= most.get(genre) && people > 0 && people <= reviews &&
            stars >= 1 && stars <= 5)
          return isTrue ? undefined : `the reviews of a genre are more or fewer than were sent: ${JSON.stringify(rows)}`
        }
      }
    }
  },

  'POST /login': {
    rule: 'gives a token for an hour in return for the right password',
    draw: ({ random, data }) => ({ ...logIn(anyUser(random, data)), headers: sayingJson(random) }),
    meaning: (answer, { data }) => {
      const { token, ...rest } = answer.json()
      return { ...rest, ...claimsOf(token, data) }
    },
    item: ({ random, data, model }) => {
      // Fewer than connections: where logins share a hash, these share many.
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
    },
    cases: {
      'refuses a body that isn’t JSON, or holds no login': {
        loose: true,
        weight: 0.5,
        draw: ({ random, data }) => {
          const { email, password } = random.pick(data.users)
          const headers = { 'content-type': 'application/json' }
          const cut = { headers, body: `{"email":"${email}","password":"${password}"` }
          return random.pick([cut, { json: random.pick([{ email }, { password }, {}]) }])
        }
      }
    }
  }
}
