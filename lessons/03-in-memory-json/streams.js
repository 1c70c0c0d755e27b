import { isDeepStrictEqual } from 'node:util'
import { jsonType, leadsTo } from '../shared/answers.js'
import { Versions } from '../shared/versions.js'
import { anyMovie } from './operations.js'

/**
 * @import { Item, LoadAnswer, Random, Stream } from '../../runner/lesson/index.js'
 * @import { Window } from '../shared/versions.js'
 *
 * @typedef {object} Model what one server must know, seen from its clients. A version is the number of films in the
 *   list
 * @property {Record<string, unknown>[]} movies the catalogue with every write that was started
 * @property {Versions} versions
 */

/** @param {{ data: { movies: Record<string, unknown>[] } }} given @returns {Model} */
export function makeModel ({ data }) {
  const movies = [...data.movies]
  /** Bodies found right, by version; the latest few. @type {Map<number, Buffer>} */
  const accepted = new Map()
  return {
    movies,
    versions: new Versions(movies.length, {
      versionOf: (body, window) => versionOf(movies, accepted, body, window),
      wrongHead: ({ headers: { etag } }) => {
        return /^(W\/)?"[^"]*"$/.test(etag ?? '') ? undefined : `expected a quoted ETag, got ${etag ?? 'none'}`
      }
    })
  }
}

/** @type {Stream} */
export function listStream ({ random, model }) {
  return () => {
    const draw = random.next()
    if (draw < 0.01 && !model.versions.isWriting) return write(model, random)
    return draw > 0.99 ? readOne(model, random) : model.versions.read('/movies')
  }
}

/** @type {Stream} */
export function conditionalStream ({ random, model }) {
  return () => random.next() < 0.0025 && !model.versions.isWriting
    ? write(model, random)
    : model.versions.revalidate('/movies', random)
}

/** @param {Model} model @param {Random} random */
function write ({ movies, versions }, random) {
  const movie = anyMovie(random)
  const id = movies.push({ ...movie, id: movies.length + 1 })
  return versions.write({ method: 'POST', path: '/movies', json: movie }, 201, (answer) => {
    const { location } = answer.headers
    if (!leadsTo(location, '/movies', `/movies/${id}`)) return `Location is ${location}`
    return wrongMovie(answer, movies[id - 1])
  })
}

/** @param {Model} model @param {Random} random @returns {Item} */
function readOne ({ movies, versions: { acknowledged } }, random) {
  // Half of them ask for the film that was written last.
  const id = random.int(0, 1) === 0 ? acknowledged : random.int(1, acknowledged)
  return {
    path: `/movies/${id}`,
    check: (answer) => answer.status === 200
      ? wrongMovie(answer, movies[id - 1])
      : `expected status 200, got ${answer.status}`
  }
}

/** @param {LoadAnswer} answer @param {unknown} expected */
function wrongMovie (answer, expected) {
  const type = answer.headers['content-type'] ?? ''
  if (!jsonType.test(type)) return `Content-Type is ${type}`
  if (!isDeepStrictEqual(answer.json(), expected)) return 'this film is not the one that belongs there'
}

/**
 * @param {Record<string, unknown>[]} movies
 * @param {Map<number, Buffer>} accepted
 * @param {Buffer} body
 * @param {Window} window
 * @returns {number | string} the version that the body shows, or what is wrong with it
 */
function versionOf (movies, accepted, body, { from, to }) {
  for (const [version, bytes] of accepted) {
    if (version >= from && version <= to && bytes.equals(body)) return version
  }
  const list = JSON.parse(body.toString())
  if (!Array.isArray(list)) return 'the body is no JSON array'
  if (list.length < from) {
    return `expected ${from} films or more, counting the write acknowledged before the read, got ${list.length}`
  }
  if (list.length > to) return `expected no more than ${to} films, got ${list.length}`
  const wrong = list.findIndex((movie, index) => !isDeepStrictEqual(movie, movies[index]))
  if (wrong >= 0) return `the film at position ${wrong} is not the one that belongs there`
  accepted.set(list.length, body)
  if (accepted.size > 3) accepted.delete(Math.min(...accepted.keys()))
  return list.length
}
