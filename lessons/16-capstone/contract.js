import { setTimeout as sleep } from 'node:timers/promises'
import { hashesAtEveryLogin } from '../shared/hashing.js'
import { misplaced, takesMany } from '../form/kinds.js'
import { outlastsFailures } from '../shared/failures.js'
import { expectNoSecrets } from '../shared/log-file.js'
import { logIn } from '../shared/logins.js'
import { makeReview, pickUser } from './requests.js'
import { bearing, offerProblem, sign, tokenOf } from './shop.js'

/** @import { FormContract } from '../form/types.js' */

const visitors = 6
const [many, mostStars] = [200, 5]
/** What the report said of a genre before many reviews. @type {WeakMap<object, { reviews: number, stars: number }>} */
const rowsBefore = new WeakMap()
/** Of a token, in seconds: it begins with the second. */
const lifetime = 2

/** @type {FormContract} */
export const contract = {
  always: {
    [hashesAtEveryLogin.name]: hashesAtEveryLogin.run,
    'keeps secrets out of the log': (given) => {
      const { data, random } = given
      const [user, other] = random.shuffle(data.users)
      const [token, foreign, typed] = [tokenOf(user, data), sign(user, random.word(40)), random.word(12)]
      const path = `/films/${random.pick(data.films).id}`
      const review = { method: 'POST', path: `${path}/reviews`, json: { stars: 3, text: 'x' } }
      const type = { 'content-type': 'application/json' }
      // Even where the answer is a refusal or an error: then a log is most talkative.
      return expectNoSecrets(given, [
        logIn(user),
        logIn({ ...other, password: typed }),
        ...misplaced('password', typed, { email: other.email }).map((json) => ({ ...logIn(other), json })),
        { method: 'POST', path: '/login', body: `{"password":"${typed}"`, headers: type },
        { ...review, headers: bearing(token) },
        { ...review, headers: bearing(foreign) },
        { path, headers: bearing(token) },
        { path: `/${random.word(7)}`, headers: bearing(token) }
      ], ([login]) => ({
        'a token that was sent': token,
        'a token that was refused': foreign,
        'a token that was given': login.json().token,
        'a password': user.password,
        'a wrong password': typed
      }))
    }
  },
  apart: {
    'counts each of many reviews, sent at the same time': takesMany({
      count: many,
      draw: ({ data, random }) => ({
        method: 'POST',
        path: `/films/${data.favourites[0].id}/reviews`,
        json: { ...makeReview(random), stars: mostStars },
        headers: bearing(tokenOf(pickUser(random, data), data))
      }),
      makes: (answer) => ({ id: answer.expectStatus(201).json().id }),
      counted: async (server) => {
        const { get, fail, data } = server
        const [genre] = data.favourites[0].Genre.split(', ')
        const rows = (await get('/report')).expectStatus(200).json()
        const { reviews, stars } = rows.find((/** @type {any} */ one) => one.genre === genre)
        const before = rowsBefore.get(server)
        const mean = before && (before.reviews * before.stars + many * mostStars) / reviews
        // Both means are rounded.
        if (mean && !(Math.abs(stars - mean) <= 0.011)) {
          const wanted = mean.toFixed(2)
          fail(`GET /report: ${many} reviews of ${mostStars} stars later, ${genre} has ${stars}, not about ${wanted}`)
        }
        rowsBefore.set(server, { reviews, stars })
        return reviews
      }
    }),
    'refuses an expired token': async ({ another, data, random }) => {
      const { post } = await another()
      const headers = bearing(sign(random.pick(data.users), data.secret, { expiresIn: lifetime }))
      const path = `/films/${random.pick(data.films).id}/reviews`
      const review = () => post(path, { json: { stars: 3, text: 'x' }, headers })
      await review()
      await sleep(lifetime * 1000 + 20)
      ;(await review()).expectStatus(401)
    }
  },
  before: {
    'calls both services for every page, even for pages of one film at the same moment':
      async ({ get, data, random, upstream, fail }) => {
        const { id } = random.pick(data.films)
        // One before the others, whose offer might be kept for them, for as long as the services take.
        const first = (await get(`/films/${id}`)).expectStatus(200).json()
        await upstream.reset(['/prices', '/stock'].map((path) => ({ path, delayMs: 200 })))
        const pages = await Promise.all(Array.from({ length: visitors }, () => get(`/films/${id}`)))
        const offers = pages.map((page) => page.expectStatus(200).json())
        for (const [at, offer] of offers.entries()) {
          const isKnown = offers.slice(0, at).some(({ price, stock }) => price === offer.price || stock === offer.stock)
          const problem = offerProblem(data, id, offer, first) ??
            (isKnown ? 'two pages show the same price or the same stock.' : undefined)
          if (problem) fail(`GET /films/${id}, ${visitors} times at once: ${problem}`)
        }
        const calls = await upstream.count()
        if (calls !== 2 * visitors) {
          fail(`GET /films/${id}, ${visitors} times at once: expected ${2 * visitors} calls, got ${calls}`)
        }
      },
    'stays up when both services fail': async ({ get, data, random, upstream, fail }) => {
      const { id } = random.pick(data.films)
      await upstream.reset([{ path: '/prices', status: 500 }, { path: '/stock', status: 500, delayMs: 30 }])
      ;(await get(`/films/${id}`)).expectStatus(502)
      const calls = await upstream.count()
      if (calls > 2) fail(`GET /films/${id}, while both services fail: it called them ${calls} times, not once each`)
      await upstream.reset()
      await sleep(60)
      ;(await get(`/films/${id}`)).expectStatus(200)
    },
    'answers as before after many failures': outlastsFailures({
      // Both services.
      path: '/',
      draw: ({ data, random }) => ({ path: `/films/${random.pick(data.films).id}` }),
      expectFailure: (answer) => answer.expectStatus(502),
      expectPage: async ({ get, data, random, fail }) => {
        const { id } = random.pick(data.films)
        const problem = offerProblem(data, id, (await get(`/films/${id}`)).expectStatus(200).json())
        if (problem) fail(`GET /films/${id}: ${problem}`)
      }
    })
  }
}
