import { isDeepStrictEqual } from 'node:util'
import { jsonType } from '../shared/answers.js'
import { makeMovie } from '../shared/movies.js'
import { rareText, typedText } from './operations.js'
import { contains, inAnyCase, searchPath } from './reference.js'

/**
 * @import { Item, LoadAnswer, Random, Stream } from '../../runner/lesson/index.js'
 * @import { Movie } from '../shared/movies.js'
 */

/**
 * The load: many searches, and now and then a movie of a rare genre that later searches look for.
 */

/**
 * What one server must know. Writes come one at a time, so that a version is a number of writes.
 *
 * @typedef {object} Model
 * @property {{ movie: Movie, json: string }[]} catalogue at the start of the server
 * @property {{ movie: Movie, json: string }[]} written in the order of the writes, the one in flight included
 * @property {number} acknowledged how many of them have been answered with 201
 * @property {string[]} shelf the rare genres, made by the first stream
 * @property {Map<string, string[]>} found by text in lower case: JSON of the catalogue's first 50 movies
 */

const longest = 50

/**
 * @param {{ data: { movies: Movie[] } }} given
 * @returns {Model}
 */
export function model ({ data }) {
  const catalogue = data.movies.map((movie) => ({ movie, json: JSON.stringify(movie) }))
  return { catalogue, written: [], acknowledged: 0, shelf: [], found: new Map() }
}

/** @type {Stream} */
export function stream ({ random, data, model }) {
  if (model.shelf.length === 0) model.shelf = Array.from({ length: 12 }, () => rareText(random))
  return () => {
    const writing = model.written.length > model.acknowledged
    if (!writing && random.int(1, 100) === 1) return write(random, model)
    const isRare = random.int(1, 16) === 1
    const text = isRare ? inAnyCase(random, random.pick(model.shelf)) : typedText(random, data.movies)
    return read(model, text, random.int(1, longest))
  }
}

/**
 * @param {Model} model
 * @param {string} text
 * @param {number} limit
 * @returns {Item}
 */
function read (model, text, limit) {
  const oldest = model.acknowledged
  let newest = model.written.length
  const settled = inCatalogue(model, text).length >= limit
  return {
    path: searchPath(text, limit),
    key: settled ? `${text}/${limit}` : `${text}/${limit}/${oldest}`,
    answered: () => { newest = model.written.length },
    check: (answer) => {
      const wrong = notJson(answer, 200)
      if (wrong) return wrong
      const possible = Array.from({ length: newest - oldest + 1 }, (_, more) =>
        `[${expected(model, text, limit, oldest + more).join(',')}]`)
      return possible.includes(answer.text()) ? undefined : compare(answer, possible, model)
    }
  }
}

/** @param {Model} model @param {string} text */
function inCatalogue ({ found, catalogue }, text) {
  const wanted = text.toLowerCase()
  const known = found.get(wanted)
  if (known) return known
  const fresh = catalogue.filter(({ movie }) => contains(movie.Genre, wanted)).slice(0, longest).map(({ json }) => json)
  found.set(wanted, fresh)
  return fresh
}

/**
 * @param {Model} model
 * @param {string} text
 * @param {number} limit
 * @param {number} version
 * @returns {string[]} JSON of each movie
 */
function expected (model, text, limit, version) {
  const old = inCatalogue(model, text)
  if (old.length >= limit) return old.slice(0, limit)
  const added = model.written.slice(0, version).filter(({ movie }) => contains(movie.Genre, text))
  return [...old, ...added.map(({ json }) => json)].slice(0, limit)
}

/**
 * @param {LoadAnswer} answer
 * @param {string[]} possible as JSON
 * @param {Model} model
 */
function compare (answer, possible, { catalogue }) {
  const body = parsed(answer)
  if (!Array.isArray(body)) return 'the body is no JSON list'
  const [oldest, ...newer] = possible.map((json) => JSON.parse(json))
  if ([oldest, ...newer].some((movies) => isDeepStrictEqual(body, movies))) return
  const missing = oldest.find((/** @type {Movie} */ { id }) => body.every((movie) => movie?.id !== id))
  if (missing && missing.id > catalogue.length) {
    return `movie ${missing.id} is missing, which had been added before the search was sent`
  }
  const [wanted, got] = [oldest, body].map((movies) => `${movies.slice(0, 6).map((/** @type {any} */ one) => one?.id)}`)
  return `the wrong movies: expected ${oldest.length} (${wanted}, …), got ${body.length} (${got}, …)`
}

/**
 * @param {Random} random
 * @param {Model} model
 * @returns {Item}
 */
function write (random, model) {
  const sent = { ...makeMovie(random), Genre: `${random.pick(model.shelf)}, ${rareText(random)}` }
  const movie = { ...sent, id: model.catalogue.length + model.written.length + 1 }
  model.written.push({ movie, json: JSON.stringify(movie) })
  return {
    method: 'POST',
    path: '/movies',
    json: sent,
    answered: ({ status }) => { if (status === 201) model.acknowledged++ },
    check: (answer) => notJson(answer, 201) ?? (isDeepStrictEqual(parsed(answer), movie)
      ? undefined
      : `the answer is not the movie that was sent, with ${movie.id} as its id`)
  }
}

/** @param {LoadAnswer} answer */
function parsed (answer) {
  try {
    return answer.json()
  } catch {
    return undefined
  }
}

/** @param {LoadAnswer} answer @param {number} status */
function notJson (answer, status) {
  if (answer.status !== status) return `expected status ${status}, got ${answer.status}`
  const type = answer.headers['content-type'] ?? 'none'
  return jsonType.test(type) ? undefined : `expected Content-Type application/json, got ${type}`
}
