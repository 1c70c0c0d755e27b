import { isDeepStrictEqual } from 'node:util'
import { makeMovie } from '../shared/movies.js'
import { contains, inAnyCase, partOf, searchPath } from './reference.js'

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
  if (model.shelf.length === 0) model.shelf = Array.from({ length: 12 }, () => rareGenre(random))
  return () => {
    const writing = model.written.length > model.acknowledged
    if (!writing && random.int(1, 100) === 1) return write(random, model)
    return read(model, pickText(random, data.movies, model.shelf), random.int(1, longest))
  }
}

/** @param {Random} random */
function rareGenre (random) {
  return `Q${random.word(8)}`
}

/**
 * @param {Random} random
 * @param {Movie[]} movies
 * @param {string[]} shelf
 */
function pickText (random, movies, shelf) {
  if (random.int(1, 16) === 1) return inAnyCase(random, random.pick(shelf))
  const { Genre } = random.pick(movies)
  if (random.int(1, 4) === 1) return partOf(random, Genre)
  return inAnyCase(random, typed(random, random.pick(Genre.split(', '))))
}

/**
 * The search box asks again after every letter, and few people type a genre to its end.
 *
 * @param {Random} random
 * @param {string} genre
 */
function typed (random, genre) {
  return random.int(1, 4) === 1 ? genre : genre.slice(0, random.int(1, 3))
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
      const body = answer.text()
      for (let version = oldest; version <= newest; version++) {
        if (body === asJson(expected(model, text, limit, version))) return
      }
      return compare(answer, text, limit, model, oldest, newest)
    }
  }
}

/**
 * @param {Model} model
 * @param {string} text
 */
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
  const added = model.written
    .slice(0, version)
    .filter(({ movie }) => contains(movie.Genre, text))
    .map(({ json }) => json)
  return [...old, ...added].slice(0, limit)
}

/** @param {string[]} found */
function asJson (found) {
  return `[${found.join(',')}]`
}

/**
 * @param {LoadAnswer} answer
 * @param {string} text
 * @param {number} limit
 * @param {Model} model
 * @param {number} oldest
 * @param {number} newest
 */
function compare (answer, text, limit, model, oldest, newest) {
  /** @type {any} */
  let body
  try {
    body = answer.json()
  } catch {
    return 'the body is no JSON'
  }
  if (!Array.isArray(body)) return 'the body is no list'
  const possible = Array.from({ length: newest - oldest + 1 }, (_, index) =>
    expected(model, text, limit, oldest + index).map((json) => JSON.parse(json)))
  if (possible.some((movies) => isDeepStrictEqual(body, movies))) return
  const missing = possible[0].find(({ id }) => body.every((movie) => movie?.id !== id))
  if (missing && missing.id > model.catalogue.length) {
    return `movie ${missing.id} is missing, which had been added before the search was sent`
  }
  return `the wrong movies: expected ${list(possible[0])}, got ${list(body)}`
}

/** @param {{ id?: number }[]} movies */
function list (movies) {
  const ids = movies.slice(0, 6).map((movie) => movie?.id)
  return `${movies.length} (${ids.join(', ')}${movies.length > 6 ? ', …' : ''})`
}

/**
 * @param {Random} random
 * @param {Model} model
 * @returns {Item}
 */
function write (random, model) {
  const sent = { ...makeMovie(random), Genre: `${random.pick(model.shelf)}, ${rareGenre(random)}` }
  const movie = { ...sent, id: model.catalogue.length + model.written.length + 1 }
  model.written.push({ movie, json: JSON.stringify(movie) })
  return {
    method: 'POST',
    path: '/movies',
    json: sent,
    answered: ({ status }) => { if (status === 201) model.acknowledged++ },
    check: (answer) => {
      const wrong = notJson(answer, 201)
      if (wrong) return wrong
      try {
        if (isDeepStrictEqual(answer.json(), movie)) return
      } catch {}
      return `the answer is not the movie that was sent, with ${movie.id} as its id`
    }
  }
}

/**
 * @param {LoadAnswer} answer
 * @param {number} status
 */
function notJson (answer, status) {
  if (answer.status !== status) return `expected status ${status}, got ${answer.status}`
  const type = answer.headers['content-type'] ?? 'none'
  if (!/^application\/json(;|$)/i.test(type)) return `expected Content-Type application/json, got ${type}`
}
