import jwt from 'jsonwebtoken'
import { inQuery, oddHeader } from '../form/kinds.js'
import { bearing, nameOf, sign } from './shop.js'

/**
 * What visitors ask and send.
 *
 * @import { Answer } from '../../runner/contract/index.js'
 * @import { Random, Step } from '../../runner/lesson/index.js'
 *
 * @typedef {(step: Step) => Answer} AnswerOf
 */

export const waysToAccept = ['identity', 'gzip', 'gzip, deflate', 'deflate, gzip;q=0.9', 'gzip;q=1.0, *;q=0']

/** Mostly one of few with many reviews, so that much happens to few. @param {Random} random @param {any} data */
export function pickFilm (random, { films, favourites }) {
  return random.pick(random.int(1, 3) > 1 ? favourites : films).id
}

/** Another one, with a genre in common. @param {Random} random @param {any} data @param {number} id */
export function filmLike (random, { films }, id) {
  const genresOf = (/** @type {any} */ { Genre }) => Genre.split(', ')
  const wanted = genresOf(films[id - 1])
  const alike = films.filter((/** @type {any} */ film) =>
    film.id !== id && genresOf(film).some((/** @type {string} */ genre) => wanted.includes(genre)))
  return random.pick(alike).id
}

/** Mostly one of few, who then write about the same films. @param {Random} random @param {any} data */
export function pickUser (random, { users }) {
  return random.pick(random.int(1, 3) > 1 ? users.slice(0, 3) : users)
}

/** @param {Random} random */
export function makeReview (random) {
  const odd = [`“é${random.word(5)}`, `${random.word(5)} “¿qué?” 東京 🎬 "\\" <b>\n`]
  const text = random.pick([random.word(8), random.word(9).repeat(20), ...odd, ...odd])
  return { stars: random.int(1, 5), text: `${text} ${random.word(6)}` }
}

/**
 * Every third also says what isn't for its writer to say, and every third is long.
 *
 * @param {Random} random @param {number} count
 */
export function makeOddReview (random, count) {
  const review = makeReview(random)
  const forged = { id: 1, film: 1, user: random.word(6) }
  return { ...review, ...[forged, { text: random.word(9).repeat(400) }, {}][count % 3] }
}

/** What a visitor types into the search. @param {Random} random @param {any} data @returns {string} */
export function makeText (random, { films }) {
  const { Title, Actors } = random.pick(films)
  const word = random.pick(`${Title} ${Actors}`.split(/\s+/))
  const from = random.int(0, 5)
  const part = word.slice(0, random.int(2, 4))
  const text = random.pick([Title, Actors.slice(from, from + 6), part, part, word, random.word(2), random.word(5)])
  // In which case a sigma is at the end of a word depends on how one looks at it.
  return /[σςΣ]/.test(text) ? text : random.pick([text, text, text.toUpperCase(), text.toLowerCase()])
}

/** Texts that keys which are tidied or cut take for this one. @param {string} text */
export function likeTexts (text) {
  return [`${text} `, `${text}${'x'.repeat(64)}`, text.replace(' ', '  '), ` ${text}`, `${text}\t`, `${text}.`]
}

/** A query string of the search. @param {Random} random @param {string} text @param {string | number} [limit] */
export function searchFor (random, text, limit) {
  return random.shuffle([`text=${inQuery(random, text)}`, ...limit === undefined ? [] : [`limit=${limit}`]]).join('&')
}

/** What a search has to find. @param {any} data @param {string} text @param {number} limit */
export function found ({ films }, text, limit) {
  const wanted = text.toLowerCase()
  return films
    .filter((/** @type {any} */ { Title, Actors }) => [Title, Actors].some((it) => it.toLowerCase().includes(wanted)))
    .slice(0, limit)
    .map((/** @type {any} */ { id, Title, Year }) => ({ id, Title, Year }))
}

/** The number of ways to forge a token. */
export const forgeries = 8

/**
 * Makes a token that isn't ours, however much it looks like it.
 *
 * @param {Random} random
 * @param {any} data
 * @param {number} [way] which of the forgeries, default any
 * @returns {(token: string) => string} from a real one
 */
export function forger (random, data, way = random.int(0, forgeries - 1)) {
  const user = random.pick(data.users)
  // Good for longer than a real one: else its claims might be those of the same user in the same second.
  const foreign = sign(user, random.word(40), { expiresIn: '2h' })
  const [, claims, signature] = foreign.split('.')
  const unlike = random.word(6)
  const ways = /** @satisfies {((token: string) => string)[]} */ ([
    () => '',
    () => foreign,
    () => jwt.sign({ name: nameOf(user) }, '', { algorithm: 'none' }),
    () => sign(user, data.secret, { expiresIn: -5 }),
    (token) => partsOf(token).with(2, signature).join('.'),
    (token) => partsOf(token).with(2, '').join('.'),
    (token) => partsOf(token).with(1, claims).join('.'),
    (token) => `${token.slice(0, -6)}${unlike}`
  ])
  return ways[way % forgeries]
}

/** A server that is wrong may have given none. @param {string} token */
function partsOf (token) {
  return [...token.split('.'), '', ''].slice(0, 3)
}

/** @param {number} film @param {unknown} json @param {(answerOf: AnswerOf) => string} tokenFrom */
export function reviewing (film, json, tokenFrom) {
  const path = `/films/${film}/reviews`
  return Object.assign((/** @type {AnswerOf} */ answerOf) => ({ path, json, headers: bearing(tokenFrom(answerOf)) }), {
    film
  })
}

/** Of a page or a review that was drawn. @param {Step} step @returns {number} */
export function filmOf ({ asked }) {
  return /** @type {any} */ (asked).film
}

/** @param {Step} step a review that was sent @param {AnswerOf} answerOf @returns {string} */
export function tokenIn ({ asked }, answerOf) {
  return (/** @type {any} */ (asked)(answerOf).headers.authorization ?? '').replace('Bearer ', '')
}

/** With an id, or told apart by its path. @param {Random} random @returns {(request: any) => any} */
export function named (random) {
  const word = random.word(12)
  const [id, name] = [random.pick([word, oddHeader(random, word)]), random.pick(['X-Request-Id', 'x-request-id'])]
  if (random.int(1, 6) > 1) return (request) => ({ ...request, headers: { ...request.headers, [name]: id } })
  return (request) => ({ ...request, path: `${request.path}${request.path.includes('?') ? '&' : '?'}visit=${word}` })
}
