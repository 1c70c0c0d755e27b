import jwt from 'jsonwebtoken'
import { inQuery, oddHeader } from '../form/kinds.js'
import { drawnWith, valueOf } from '../form/requests.js'
import { bearing, nameOf, sign } from './shop.js'

/**
 * What visitors ask and send.
 *
 * @import { Answer } from '../../runner/contract/index.js'
 * @import { Random, Step } from '../../runner/lesson/index.js'
 * @import { Shop } from './shop.js'
 *
 * @typedef {(step: Step) => Answer} AnswerOf
 */

/** Mostly one of few with many reviews, so that much happens to few. @param {Random} random @param {Shop} shop */
export function pickFilm (random, { films, favourites }) {
  return random.pick(random.int(1, 3) > 1 ? favourites : films).id
}

/** Another one, with a genre in common. @param {Random} random @param {Shop} shop @param {number} id */
export function filmLike (random, { films }, id) {
  const wanted = films[id - 1].Genre.split(', ')
  const others = films.filter((film) => film.id !== id)
  return random.pick(others.filter(({ Genre }) => Genre.split(', ').some((one) => wanted.includes(one)))).id
}

/** Mostly one of few, who then write about the same films. @param {Random} random @param {Shop} shop */
export function pickUser (random, { users }) {
  return random.pick(random.int(1, 3) > 1 ? users.slice(0, 3) : users)
}

/** @param {Random} random */
export function makeReview (random) {
  const odd = [`“é${random.word(5)}`, `${random.word(5)} “¿qué?” 東京 🎬 "\\" <b>\n`]
  const text = random.pick([random.word(8), random.word(9).repeat(20), ...odd, ...odd])
  return { stars: random.int(1, 5), text: `${text} ${random.word(6)}` }
}

/** What a visitor types into the search. @param {Random} random @param {Shop} shop */
export function makeText (random, { films }) {
  const { Title, Actors } = random.pick(films)
  const word = random.pick(`${Title} ${Actors}`.split(/\s+/))
  const from = random.int(0, 5)
  const part = word.slice(0, random.int(2, 4))
  const text = random.pick([Title, Actors.slice(from, from + 6), part, part, word, random.word(2), random.word(5)])
  // In which case a sigma is at the end of a word depends on how one looks at it.
  return /[σςΣ]/.test(text) ? text : random.pick([text, text, text.toUpperCase(), text.toLowerCase()])
}

/** A query string of the search. @param {Random} random @param {string} text @param {string | number} [limit] */
export function searchFor (random, text, limit) {
  return random.shuffle([`text=${inQuery(random, text)}`, ...limit === undefined ? [] : [`limit=${limit}`]]).join('&')
}

/** What a search has to find. @param {Shop} shop @param {string} text @param {number} limit */
export function found ({ films }, text, limit) {
  const wanted = text.toLowerCase()
  return films.filter(({ Title, Actors }) => [Title, Actors].some((it) => it.toLowerCase().includes(wanted)))
    .slice(0, limit).map(({ id, Title, Year }) => ({ id, Title, Year }))
}

/** The number of ways to forge a token. */
export const forgeries = 8

/**
 * Makes a token that isn't ours, however much it looks like it.
 *
 * @param {Random} random @param {Shop} shop @param {number} [way] which of the forgeries, default any
 * @returns {(token: string) => string} from a real one
 */
export function forger (random, { users, secret }, way = random.int(0, forgeries - 1)) {
  const user = random.pick(users)
  // Good for longer than a real one: else its claims might be those of the same user in the same second.
  const foreign = sign(user, random.word(40), { expiresIn: '2h' })
  const [, claims, signature] = foreign.split('.')
  const unlike = random.word(6)
  // A server that is wrong may have given none.
  const partsOf = (/** @type {string} */ token) => [...token.split('.'), '', ''].slice(0, 3)
  const ways = /** @satisfies {((token: string) => string)[]} */ ([
    () => '',
    () => foreign,
    () => jwt.sign({ name: nameOf(user) }, '', { algorithm: 'none' }),
    () => sign(user, secret, { expiresIn: -5 }),
    (token) => partsOf(token).with(2, signature).join('.'),
    (token) => partsOf(token).with(2, '').join('.'),
    (token) => partsOf(token).with(1, claims).join('.'),
    (token) => `${token.slice(0, -6)}${unlike}`
  ])
  return ways[way % forgeries]
}

/** @param {number} film @param {unknown} json @param {(answerOf: AnswerOf) => string} tokenFrom */
export function reviewing (film, json, tokenFrom) {
  return drawnWith({ film, tokenFrom }, (/** @type {AnswerOf} */ answerOf) =>
    ({ path: `/films/${film}/reviews`, json, headers: bearing(tokenFrom(answerOf)) }))
}

/** Of a page or a review that was drawn. @param {Step} step @returns {number} */
export function filmOf ({ asked }) {
  return valueOf(asked).film
}

/** With an id, or told apart by its path. @param {Random} random @returns {(request: any) => any} */
export function named (random) {
  const word = random.word(12)
  const [id, name] = [random.pick([word, oddHeader(random, word)]), random.pick(['X-Request-Id', 'x-request-id'])]
  if (random.int(1, 6) > 1) return (request) => ({ ...request, headers: { ...request.headers, [name]: id } })
  return (request) => ({ ...request, path: `${request.path}${request.path.includes('?') ? '&' : '?'}visit=${word}` })
}
