import { jsonType, leadsTo } from '../shared/answers.js'
import { makeMovie } from '../shared/movies.js'

/**
 * @import { Item, LoadAnswer, Random, Stream } from '../../runner/lesson/index.js'
 * @import { Movie } from '../shared/movies.js'
 *
 * @typedef {object} Model what one server must know, seen from its clients. A version is the number of films in the
 *   list
 * @property {Movie[]} movies the catalogue with every write that was started
 * @property {number} acknowledged the version that every read sent from now on must show, at least
 * @property {boolean} writing a write is on its way: reads may show one film more
 * @property {Map<number, Buffer>} accepted bodies found right, by version; the latest few
 * @property {Map<string, number>} tags the version that an ETag stood for
 * @property {{ etag: string, version: number }[]} learnt ETags whose version is certain, newest last
 */

/**
 * @param {{ data: { movies: Movie[] } }} given
 * @returns {Model}
 */
export function makeModel ({ data }) {
  return {
    movies: [...data.movies],
    acknowledged: data.movies.length,
    writing: false,
    accepted: new Map(),
    tags: new Map(),
    learnt: []
  }
}

/** @type {Stream} */
export function listStream ({ random, model }) {
  return () => {
    const draw = random.next()
    if (draw < 0.01 && !model.writing) return write(model, random)
    return draw > 0.99 ? readOne(model, random) : readList(model)
  }
}

/** @type {Stream} */
export function conditionalStream ({ random, model }) {
  return () => {
    const draw = random.next()
    if (draw < 0.0025 && !model.writing) return write(model, random)
    const { learnt } = model
    if (learnt.length === 0) return readList(model)
    const tag = draw > 0.995 ? random.pick(learnt) : learnt.at(-1)
    return revalidate(model, random, tag)
  }
}

/**
 * @param {Model} model
 * @param {Random} random
 * @returns {Item}
 */
function write (model, random) {
  const movie = makeMovie(random)
  const expected = { id: model.movies.length + 1, ...movie }
  model.movies.push(expected)
  model.writing = true
  return {
    method: 'POST',
    path: '/movies',
    json: movie,
    answered ({ status }) {
      // A write that failed stays "on its way": later reads may show it or not, and the check below reports it.
      if (status === 201) acknowledge(model, expected.id)
    },
    check (answer) {
      if (answer.status !== 201) return `expected status 201, got ${answer.status}`
      if (!isJson(answer)) return `Content-Type is ${answer.headers['content-type']}`
      const created = parse(answer)
      if (!isSameMovie(created, expected)) return `expected the new film with the id ${expected.id}, got another answer`
      if (!leadsTo(answer.headers.location, '/movies', `/movies/${expected.id}`)) {
        return `Location is ${answer.headers.location}`
      }
    }
  }
}

/**
 * @param {Model} model
 * @param {number} version
 */
function acknowledge (model, version) {
  if (version <= model.acknowledged) return
  model.acknowledged = version
  model.writing = version < model.movies.length
}

/**
 * @param {Model} model
 * @param {Random} random
 * @returns {Item}
 */
function readOne (model, random) {
  // Half of them ask for the film that was written last.
  const id = random.int(0, 1) === 0 ? model.acknowledged : random.int(1, model.acknowledged)
  return {
    path: `/movies/${id}`,
    check (answer) {
      if (answer.status !== 200) return `expected status 200, got ${answer.status}`
      if (!isJson(answer)) return `Content-Type is ${answer.headers['content-type']}`
      if (!isSameMovie(parse(answer), model.movies[id - 1])) return 'this film is not the one that belongs there'
    }
  }
}

/**
 * @param {Model} model
 * @returns {Item}
 */
function readList (model) {
  const window = openWindow(model)
  return {
    path: '/movies',
    key: `list ${window.from}`,
    answered: (answer) => learn(model, window, answer),
    check: (answer) => checkList(model, window, answer)
  }
}

/**
 * Asks whether the list has changed since the version of `tag`.
 *
 * @param {Model} model
 * @param {Random} random
 * @param {{ etag: string, version: number }} tag
 * @returns {Item}
 */
function revalidate (model, random, tag) {
  const window = openWindow(model)
  return {
    path: '/movies',
    headers: { 'if-none-match': vary(tag.etag, random) },
    key: `if changed since ${tag.version}, list ${window.from}`,
    answered: (answer) => learn(model, window, answer),
    check (answer) {
      if (answer.status !== 304) {
        return tag.version === window.to
          ? `expected 304 to the current ETag ${tag.etag}, got ${answer.status}`
          : checkList(model, window, answer)
      }
      if (tag.version < window.from) {
        return `answered 304 to an old ETag, ${tag.etag}, though a write was acknowledged before the read`
      }
      if (answer.body.length > 0) return `expected no body with a 304, got ${answer.body.length} bytes`
      if (opaque(answer.headers.etag) !== opaque(tag.etag)) {
        return `a 304 with the ETag ${answer.headers.etag} instead of ${tag.etag}`
      }
    }
  }
}

/**
 * The versions that a read may show: from what was acknowledged when it was sent …
 *
 * @param {Model} model
 */
function openWindow (model) {
  return { from: model.acknowledged, to: model.acknowledged }
}

/**
 * … to what was on its way when its answer came. Where both are one, its ETag belongs to that version.
 *
 * @param {Model} model
 * @param {{ from: number, to: number }} window
 * @param {LoadAnswer} answer
 */
function learn (model, window, { status, headers }) {
  window.to = model.movies.length
  const { learnt } = model
  if (status !== 200 || !headers.etag || window.from !== window.to || learnt.at(-1)?.version === window.to) return
  learnt.push({ etag: headers.etag, version: window.to })
  if (learnt.length > 5) learnt.shift()
}

/**
 * @param {Model} model
 * @param {{ from: number, to: number }} window
 * @param {LoadAnswer} answer
 */
function checkList (model, window, answer) {
  if (answer.status !== 200) return `expected status 200, got ${answer.status}`
  if (!isJson(answer)) return `Content-Type is ${answer.headers['content-type']}`
  const version = findVersion(model, window, answer.body)
  if (typeof version === 'string') return version
  const tag = opaque(answer.headers.etag)
  if (!/^"[^"]*"$/.test(tag)) return `expected a quoted ETag, got ${answer.headers.etag ?? 'none'}`
  const known = model.tags.get(tag) ?? version
  model.tags.set(tag, version)
  // The end of a slice can cut off a write's own answer; a list that shows the film tells as much.
  acknowledge(model, version)
  if (known !== version) return `the ETag ${tag} stands for two different lists`
}

/**
 * @param {Model} model
 * @param {{ from: number, to: number }} window
 * @param {Buffer} body
 * @returns {number | string} the version that the body shows, or what is wrong with it
 */
function findVersion ({ accepted, movies }, { from, to }, body) {
  for (const [version, bytes] of accepted) {
    if (version >= from && version <= to && bytes.equals(body)) return version
  }
  const list = parse({ json: () => JSON.parse(body.toString()) })
  if (!Array.isArray(list)) return 'the body is no JSON array'
  if (list.length < from) {
    return `expected ${from} films or more, counting the write acknowledged before the read, got ${list.length}`
  }
  if (list.length > to) return `expected no more than ${to} films, got ${list.length}`
  const wrong = list.findIndex((movie, index) => !isSameMovie(movie, movies[index]))
  if (wrong >= 0) return `the film at position ${wrong} is not the one that belongs there`
  accepted.set(list.length, body)
  if (accepted.size > 3) accepted.delete(Math.min(...accepted.keys()))
  return list.length
}

/**
 * Films are flat: every value is a string or a number.
 *
 * @param {any} movie
 * @param {any} expected
 */
function isSameMovie (movie, expected) {
  if (typeof movie !== 'object' || movie === null) return false
  const keys = Object.keys(expected)
  return Object.keys(movie).length === keys.length && keys.every((key) => movie[key] === expected[key])
}

/** @param {{ json: () => any }} answer */
function parse (answer) {
  try {
    return answer.json()
  } catch {
    return undefined
  }
}

/** @param {LoadAnswer} answer */
function isJson (answer) {
  return jsonType.test(answer.headers['content-type'] ?? '')
}

/**
 * The same condition in other words: as it came, weak or strong, or in a list.
 *
 * @param {string} etag
 * @param {Random} random
 */
function vary (etag, random) {
  const form = random.int(1, 10)
  if (form === 1) return etag.startsWith('W/') ? opaque(etag) : `W/${etag}`
  return form === 2 ? `"${random.word(9)}", ${etag}` : etag
}

/** @param {string | undefined} etag */
function opaque (etag) {
  return etag?.replace(/^W\//, '') ?? ''
}
