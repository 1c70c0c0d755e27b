import { gunzipSync } from 'node:zlib'
import jwt from 'jsonwebtoken'
import { answered, idOf, lookAtLog } from '../shared/log-file.js'
import { bearing, claimsOf, readStamp, sign, tokenOf } from './shop.js'

/**
 * @import { Answer } from '../../runner/contract/index.js'
 * @import { Operation, Random, Step } from '../../runner/lesson/index.js'
 * @import { Upstream } from '../../runner/session/index.js'
 * @import { Review, Shop } from './shop.js'
 *
 * @typedef {{ method?: string, path: string, headers?: Record<string, string>, json?: unknown, body?: string }} Request
 * @typedef {{ upstream: Upstream | null }} Surroundings
 * @typedef {(step: Step) => Answer} AnswerOf
 */

/** @type {WeakMap<Shop, number[]>} */
const favourites = new WeakMap()

/** Mostly one of those with the most reviews, so that much happens to few. @param {Random} random @param {Shop} data */
function pickFilm (random, data) {
  const counts = new Map()
  if (!favourites.has(data)) for (const { film } of data.reviews) counts.set(film, (counts.get(film) ?? 0) + 1)
  const known = favourites.get(data) ?? [...counts].sort(([, a], [, b]) => b - a).slice(0, 4).map(([film]) => film)
  favourites.set(data, known)
  return random.int(1, 3) > 1 ? random.pick(known) : random.pick(data.films).id
}

/** Mostly one of few, who then write about the same films. @param {Random} random @param {Shop} data */
export function pickUser (random, { users }) {
  return random.pick(random.int(1, 3) > 1 ? users.slice(0, 3) : users)
}

/** @param {Random} random */
export function makeReview (random) {
  const text = random.pick([random.word(8), `${random.word(5)} “¿qué?” 東京 🎬 "\\" <b>\n`, random.word(9).repeat(20)])
  return { stars: random.int(1, 5), text: `${text} ${random.word(6)}` }
}

/** What a visitor types. @param {Random} random @param {Shop} data */
export function makeText (random, data) {
  const { Title, Actors } = random.pick(data.films)
  const word = random.pick(`${Title} ${Actors}`.split(/\s+/))
  const from = random.int(0, 5)
  const part = word.slice(0, random.int(2, 4))
  const text = random.pick([Title, Actors.slice(from, from + 6), part, part, word, random.word(2), random.word(5)])
  // In which case a sigma is at the end of a word depends on how one looks at it.
  return /[σςΣ]/.test(text) ? text : random.pick([text, text, text.toUpperCase(), text.toLowerCase()])
}

/** @param {Random} random @param {string} text @param {string | number} [limit] */
export function searchPath (random, text, limit) {
  const encoded = random.pick([encodeURIComponent(text), encodeURIComponent(text).replaceAll('%20', '+')])
  const query = random.shuffle([`text=${encoded}`, ...(limit === undefined ? [] : [`limit=${limit}`])])
  return `/search?${query.join('&')}`
}

/**
 * Makes a token that is none of ours, however much it looks like it.
 *
 * @param {Random} random
 * @param {Shop} data
 * @returns {(token: string) => string} from a real one
 */
export function forger (random, data) {
  const user = random.pick(data.users)
  // Good for longer than a real one: else its claims might be those of the same user in the same second.
  const foreign = sign(user, random.word(40), { expiresIn: '2h' })
  const [, claims, signature] = foreign.split('.')
  const unlike = random.word(6)
  return random.pick([
    () => '',
    () => foreign,
    () => jwt.sign({ name: user.name }, '', { algorithm: 'none' }),
    () => sign(user, data.secret, { expiresIn: -5 }),
    (token) => token.split('.').with(2, signature).join('.'),
    (token) => token.split('.').with(2, '').join('.'),
    (token) => token.split('.').with(1, claims).join('.'),
    (token) => `${token.slice(0, -6)}${unlike}`
  ])
}

/**
 * With an id of its own, or told apart by its path.
 *
 * @template {Request} T
 * @param {Random} random
 * @param {T} request
 * @returns {T}
 */
function named (random, request) {
  const word = random.word(12)
  const [id, name] = [random.pick([word, word, `${word}"\\",`]), random.pick(['X-Request-Id', 'x-request-id'])]
  if (random.int(1, 6) > 1) return { ...request, headers: { ...request.headers, [name]: id } }
  return { ...request, path: `${request.path}${request.path.includes('?') ? '&' : '?'}visit=${word}` }
}

/** Of a request, also where it follows from an answer. @param {Step} step */
function pathOf ({ asked }) {
  return /** @type {any} */ (asked).path.split('?')[0]
}

/** @param {Random} random @param {string} path @param {(answerOf: AnswerOf) => string} tokenFrom */
function reviewing (random, path, tokenFrom) {
  const request = named(random, { method: 'POST', path, headers: {}, json: makeReview(random) })
  return Object.assign((/** @type {AnswerOf} */ answerOf) => {
    return { ...request, headers: { ...request.headers, ...bearing(tokenFrom(answerOf)) } }
  }, { path })
}

/** @param {Step} step a review that was sent @param {AnswerOf} answerOf */
function tokenIn ({ asked }, answerOf) {
  const { authorization = '' } = /** @type {any} */ (asked)(answerOf).headers
  return authorization.slice('Bearer '.length)
}

/** A new review without its number, which is the server's own affair. @param {Review} review @param {Shop} data */
function unnumbered ({ id, ...review }, { reviews }) {
  return Number.isInteger(id) && id > reviews.length ? review : { id, ...review }
}

/** @param {{ headers: Record<string, string>, body: Buffer }} answer of JSON, zipped or not */
export function contentOf ({ headers, body }) {
  return JSON.parse((headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body).toString())
}

/** @param {(name: string) => Step[]} past */
function isFailing (past) {
  return past('fault').length > past('recover').length
}

/** @param {Step[]} steps @param {AnswerOf} answerOf */
function pagesOf (steps, answerOf) {
  return answered(steps, answerOf).map(({ step, answer }) => {
    return { film: Number(pathOf(step).split('/')[2]), status: answer.status, ...answer.json() }
  })
}

/**
 * Are prices and stock of pages, in the order in which they were asked for, each made for its page?
 *
 * @param {{ film: number, status: number, price?: number, stock?: number }[]} pages
 * @param {Shop} data
 * @param {{ prices: number, stock: number }} [last] the latest calls before
 */
export function agesOf (pages, data, last = { prices: 0, stock: 0 }) {
  for (const { film, price, stock } of pages.filter(({ status }) => status === 200)) {
    const one = readStamp(data, { service: 'prices', film, value: price, after: last.prices })
    const other = readStamp(data, { service: 'stock', film, value: stock, after: last.stock })
    last = { prices: one.call, stock: other.call }
    const problem = one.problem ?? other.problem
    if (problem) return { problem: `of film ${film}: ${problem}`, last }
  }
  return { problem: undefined, last }
}

/** @type {Record<string, Operation>} */
export const operations = {
  healthz: { rule: 'says that it is well', weight: 0.5, draw: ({ random }) => named(random, { path: '/healthz' }) },
  films: {
    rule: 'sends the whole catalogue, gzipped to those who accept it',
    draw: ({ random }) => {
      const accepted = random.pick(['identity', 'gzip', 'gzip, deflate', 'deflate, gzip;q=0.9', 'gzip;q=1.0, *;q=0'])
      return named(random, { path: '/films', headers: { 'Accept-Encoding': accepted } })
    },
    meaning: contentOf
  },
  page: {
    rule: 'shows a film with its price and its stock',
    weight: 5,
    // A function, so that nobody else asks the services meanwhile.
    draw: ({ random, data, past, about }) => {
      const [last] = past('page').slice(-1).map(pathOf)
      const path = last && random.int(1, 5) > 2 && !about ? last : `/films/${pickFilm(random, data)}`
      const request = named(random, { path })
      return Object.assign(() => request, { path })
    },
    meaning: (answer, { data }) => {
      const { price, stock, ...film } = answer.json()
      if (answer.status !== 200) return film
      return { ...film, ...agesOf([{ film: film.id, status: 200, price, stock }], data), last: 'its own' }
    }
  },
  nothing: {
    rule: 'answers 404 elsewhere, and for a film that does not exist',
    weight: 1.5,
    draw: ({ random }) => {
      const film = random.pick(['0', '9999', '-1', random.word(5), 'constructor', '__proto__'])
      return named(random, { path: random.pick([`/films/${film}`, `/films/${film}/reviews`, `/${random.word(6)}`]) })
    }
  },
  search: {
    rule: 'searches for the text as it is, in any case, in the order of the catalogue',
    weight: 3,
    draw: ({ random, data }) => {
      const limit = random.pick([undefined, 1, 2, 20, 1000])
      return named(random, { path: searchPath(random, makeText(random, data), limit) })
    }
  },
  limits: {
    rule: 'finds as many films as the limit says, and 20 without one',
    weight: 4,
    // Always the same letter, so that nothing but the limit is new. A few first, then perhaps more.
    draw: ({ random, data, past }) => {
      const few = random.int(1, 12)
      const limit = random.pick(past('limits').length > 0 ? [undefined, few, 20, random.int(21, 60)] : [few])
      return named(random, { path: searchPath(random, 'aeio'[data.reviews[0].film % 4], limit) })
    }
  },
  literal: {
    rule: 'takes the text of a search literally',
    draw: ({ random }) => {
      const text = random.pick(['(', '.*', '[', '\\', '^', '$', '|', '+', 'a.', '[a-z]', '“', '%', '&', 'e?'])
      return named(random, { path: searchPath(random, text, random.int(1, 20)) })
    }
  },
  apart: {
    rule: 'finds nothing that begins in a title and ends among the actors',
    weight: 1.5,
    draw: ({ random, data }) => {
      const { Title, Actors } = random.pick(data.films)
      const between = random.pick([' ', ' ', ' ', random.pick(['', '\n', ', ', '|', '\0'])])
      return named(random, { path: searchPath(random, `${Title.slice(-4)}${between}${Actors.slice(0, 4)}`) })
    }
  },
  unclear: {
    rule: 'refuses a search without a text, or with a limit that is no whole number from 1 on',
    weight: 0.7,
    draw: ({ random }) => {
      const path = searchPath(random, random.word(2), random.pick([0, -1, 1.5, 'x']))
      return named(random, { path: random.pick(['/search', '/search?limit=3', searchPath(random, '', 5), path]) })
    }
  },
  reviews: {
    rule: 'shows the ten newest reviews of a film, the newest first',
    weight: 1,
    draw: ({ random, data, about }) => {
      return named(random, { path: about ? pathOf(about) : `/films/${pickFilm(random, data)}/reviews` })
    },
    meaning: (answer, { data }) => [answer.json()].flat().map((/** @type {Review} */ one) => unnumbered(one, data))
  },
  report: {
    rule: 'counts reviews, people and stars of each genre',
    weight: 0.7,
    draw: ({ random }) => named(random, { path: '/report' }),
    meaning: (answer) => answer.json().map((/** @type {any} */ { stars, ...row }) => ({
      ...row,
      // Of a multiple of eight reviews the mean can lie in the middle of two hundredths: either is right.
      stars: row.reviews % 8 === 0 && stars >= 1 && stars <= 5 ? 'a mean' : stars
    })).sort((/** @type {any} */ a, /** @type {any} */ b) => a.genre < b.genre ? -1 : 1)
  },
  login: {
    rule: 'gives whoever knows the password a token for an hour',
    draw: ({ random, data }) => {
      const { email, password } = random.pick(data.users)
      return named(random, { method: 'POST', path: '/login', json: { email, password } })
    },
    meaning: (answer, { data }) => {
      const { token, ...rest } = answer.json()
      return { ...rest, ...claimsOf(token, data) }
    }
  },
  wrongLogin: {
    rule: 'lets in nobody who does not know the password',
    weight: 1.5,
    draw: ({ random, data }) => {
      const [{ email, password }, other] = random.shuffle(data.users)
      const json = random.pick([
        { email, password: other.password },
        { email, password: random.pick(['', `${password} `, password.toUpperCase(), password.slice(0, 8)]) },
        { email: `${random.word(7)}@nowhere.example`, password }
      ])
      return named(random, { method: 'POST', path: '/login', json })
    }
  },
  damaged: {
    rule: 'compares all bytes of a hash',
    weight: 0.3,
    // The right password of a user whose stored hash differs in its last half byte.
    draw: ({ random, data }) => named(random, { method: 'POST', path: '/login', json: data.damaged })
  },
  garbled: {
    rule: 'refuses a body that is not JSON, or holds no login',
    loose: true,
    weight: 0.5,
    draw: ({ random, data }) => {
      const { email, password } = random.pick(data.users)
      const headers = { 'content-type': 'application/json' }
      return named(random, random.pick([
        { method: 'POST', path: '/login', headers, body: `{"email":"${email}","password":"${password}"` },
        { method: 'POST', path: '/login', json: random.pick([{ email }, { password }, {}]) }
      ]))
    }
  },
  review: {
    rule: 'answers a new review with 201 and the review',
    effect: 'shows a review to the very next read, and counts it in the report',
    touches: ['report', 'reviews', 'secondReview', 'report', 'forgery'],
    weight: 3,
    draw: ({ random, data, past }) => {
      const last = past('review').slice(-1).map(pathOf)
      let path
      // Which of two that are sent at once is the newer one is for chance to say.
      do path = `/films/${pickFilm(random, data)}/reviews`; while (last.includes(path))
      const [token, login] = [tokenOf(pickUser(random, data), data), random.pick([undefined, ...past('login')])]
      return reviewing(random, path, (answerOf) => login ? answerOf(login).json().token : token)
    },
    meaning: (answer, { data }) => unnumbered(answer.json(), data)
  },
  secondReview: {
    rule: 'takes more than one review of a visitor',
    effect: 'shows a review to the very next read, and counts it in the report',
    touches: ['report'],
    weight: 0.01,
    draw: ({ random, about }) => about === undefined
      ? null
      : reviewing(random, pathOf(about), (answerOf) => tokenIn(about, answerOf)),
    meaning: (answer, { data }) => unnumbered(answer.json(), data)
  },
  forgery: {
    rule: 'takes reviews of people who are logged in only',
    effect: 'keeps what it has when it refuses a review',
    touches: ['reviews'],
    draw: ({ random, data, about }) => {
      const [forge, token] = [forger(random, data), tokenOf(pickUser(random, data), data)]
      return reviewing(random, `/films/${pickFilm(random, data)}/reviews`, (answerOf) => {
        return forge(about ? tokenIn(about, answerOf) : token)
      })
    }
  },
  badReview: {
    rule: 'refuses a review without a text, or without one to five stars',
    weight: 0.7,
    effect: 'keeps what it has when it refuses a review',
    touches: ['reviews'],
    draw: ({ random, data }) => {
      const path = `/films/${pickFilm(random, data)}/reviews`
      const headers = bearing(tokenOf(pickUser(random, data), data))
      const { stars, text } = makeReview(random)
      const noStars = { stars: random.pick([0, 6, -1, 2.5, '3', null]), text }
      const json = random.pick([noStars, { text }, { stars }, { stars, text: random.pick([7, null]) }])
      return named(random, { method: 'POST', path, headers, json })
    }
  },
  fault: {
    rule: 'answers 502 with the name of the service that failed',
    effect: 'answers 502 with the name of the service that failed',
    touches: ['page', 'page', 'recover'],
    weight: 0.7,
    draw: ({ random, past }) => {
      const [service, fault] = [random.pick(['prices', 'stock']), random.pick([{ status: 500 }, { reset: true }])]
      const act = (/** @type {Surroundings} */ { upstream }) => upstream?.reset([{ path: `/${service}`, ...fault }])
      return isFailing(past) ? null : { act, says: `the service ${service} begins to fail: ${JSON.stringify(fault)}` }
    }
  },
  recover: {
    rule: 'asks a service again that had failed',
    effect: 'asks a service again that had failed',
    touches: ['page'],
    weight: 0.01,
    draw: ({ past }) => {
      const act = (/** @type {Surroundings} */ { upstream }) => upstream?.reset()
      return isFailing(past) ? { act, says: 'both services are well again' } : null
    }
  },
  calls: {
    rule: 'asks both services anew for every film page, once each, and about nothing else',
    weight: 2.5,
    draw: ({ data, past }) => (answerOf) => {
      const pages = pagesOf(past('page'), answerOf)
      // While one service fails, the other may be asked or not.
      const failed = pages.filter(({ status }) => status === 502).map(({ film }) => `/${film}`)
      const look = async (/** @type {Surroundings} */ { upstream }) => {
        const paths = (await upstream?.calls() ?? []).map(({ path }) => path)
        const calls = paths.filter((path) => !failed.some((end) => path.endsWith(end))).sort()
        return { calls, pages: agesOf(pages, data).problem ?? 'each with offers of its own' }
      }
      return pages.length === 0 ? null : { look, says: 'what the services were asked' }
    }
  },
  log: lookAtLog({
    rule: 'has one line of JSON in the log for every request, with what it was and what became of it',
    weight: 2.5,
    names: () => Object.keys(operations).filter((name) => !['log', 'calls', 'fault', 'recover'].includes(name)),
    keyOf: ({ request }) => idOf(request) ?? request.path,
    isOf: ({ id, url }, key) => id === key || url === key
  })
}
