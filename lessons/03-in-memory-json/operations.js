import { anyCondition, askAlike, copiesOf } from '../shared/conditions.js'
import { makeMovie } from '../shared/movies.js'

/**
 * @import { Answer } from '../../runner/contract/index.js'
 * @import { Operation, Random, Step } from '../../runner/lesson/index.js'
 */

/** A 304 may say a length; of what came compressed it is not known any more, and only chunks have none. */
const length = {
  name: 'content-length',
  /** @param {string | undefined} value @param {Answer} answer */
  read: (value, { status, headers }) => status === 304 || value !== undefined || !('transfer-encoding' in headers)
}

/** @type {Record<string, Operation>} */
export const operations = {
  list: {
    rule: 'sends the whole catalogue, with its length and an ETag',
    tagged: true,
    headers: [length],
    draw: () => ({ path: '/movies' })
  },
  ifChanged: {
    rule: 'answers 304 to a client whose copy is current, and the list to any other',
    weight: 3,
    tagged: true,
    headers: [length],
    draw: ({ random, past, about }) => {
      // After a write: of copies from before it.
      const lists = copiesOf(past('list'), past('add')).filter(({ id }) => about === undefined || id < about.id)
      if (lists.length === 0) return null
      const last = lists[lists.length - 1]
      const [one, other] = [random.pick([last, last, random.pick(lists)]), random.pick(lists)]
      const condition = anyCondition(random)
      const hasAll = about !== undefined && random.next() < 0.7
      return (answerOf) => {
        const tagOf = (/** @type {Step} */ step) => answerOf(step).headers.etag
        if (hasAll) return { path: '/movies', headers: { 'If-None-Match': lists.map(tagOf).join(', ') } }
        const [tag, another] = [one, other].map(tagOf)
        return tag && another ? { path: '/movies', headers: condition(tag, another) } : null
      }
    }
  },
  alike: {
    rule: 'answers the list to a tag that only looks like the current one',
    weight: 2,
    draw: ({ random, past }) => askAlike(random, past('list'))
  },
  one: {
    rule: 'sends one film',
    draw: ({ random, data: { movies: { length } }, about }) => {
      // What is not there yet will be there soon.
      const after = random.int(0, 1)
      return about
        ? (answerOf) => ({ path: `/movies/${answerOf(about).json().id + after}` })
        : { path: `/movies/${random.pick([1, length, length + 1, random.int(1, length)])}` }
    }
  },
  none: {
    rule: 'answers 404 for a film that is not there',
    draw: ({ random }) => {
      const ids = ['0', '-1', String(random.int(1e7, 1e8)), random.word(6), 'length', 'constructor', '%E6%9D%B1']
      return { path: `/movies/${random.pick(ids)}` }
    }
  },
  add: {
    rule: 'answers a new film with 201, the film with its id, and its Location',
    effect: 'shows a new film in the very next read',
    touches: ['list', 'one', 'ifChanged'],
    weight: 9,
    draw: ({ random, past }) => {
      const way = random.next()
      const sent = past('add')
      const json = way < 0.2 ? sentBefore(sent, random) : way < 0.6 ? likeFirst(sent, random) : null
      return { method: 'POST', path: '/movies', json: json ?? anyMovie(random) }
    }
  },
  refuse: {
    rule: 'refuses a film without a title',
    effect: 'keeps what it has when it refuses a film',
    touches: ['list', 'ifChanged'],
    draw: ({ random }) => {
      const { Title, ...untitled } = anyMovie(random)
      const json = random.pick([untitled, { ...untitled, Title: '' }, { ...untitled, Title: null }, {}])
      return { method: 'POST', path: '/movies', json }
    }
  },
  broken: {
    rule: 'refuses a body that is not JSON',
    effect: 'keeps what it has when it refuses a film',
    loose: true,
    weight: 0.5,
    touches: ['list'],
    draw: ({ random }) => ({
      method: 'POST',
      path: '/movies',
      headers: { 'Content-Type': 'application/json' },
      body: random.pick([`{"Title": "${random.word(5)}"`, `Title=${random.word(5)}`, '[', '"'])
    })
  }
}

/** All but the long ones have so many bytes in the list: no length tells two lists apart. */
const usualBytes = 1200

/** A film as a client may send it, some with an id. @param {Random} random @returns {Record<string, unknown>} */
export function anyMovie (random) {
  const movie = makeMovie(random)
  const { Title, imdbID } = movie
  const id = random.next() < 0.4 ? { id: random.pick([1, 0, -1, random.int(2, 900), 1e9, 'x', null]) } : {}
  const film = random.pick([
    { ...movie, ...id },
    { ...id, Title, imdbID },
    {
      ...movie,
      ...id,
      Title: `Żółty Café № ${random.word(5)}`,
      Plot: '東京 — Ω “¿qué?” \u2028 🎬👩‍🚀 "quoted" \\ \n <b> $& $1 %s'
    }
  ])
  if (random.next() < 0.06) return { ...film, Plot: Array.from({ length: 40 }, () => makeMovie(random).Plot).join(' ') }
  const further = { ...film, more: { notes: [null, 1.5, { of: [random.word(5)] }] }, rest: '' }
  const missing = usualBytes - Buffer.byteLength(JSON.stringify({ ...further, id: 100 }))
  return { ...further, rest: random.word(missing) }
}

/**
 * Whoever sends the same film twice has two of them. Never the first again: no list is the same in two runs.
 *
 * @param {Step[]} steps
 * @param {Random} random
 */
function sentBefore ([, ...steps], random) {
  return steps.length === 0 ? null : filmOf(random.pick(steps))
}

/** The first film with the digits of its number in another order. @param {Step[]} steps @param {Random} random */
function likeFirst ([first], random) {
  if (first === undefined) return null
  const film = filmOf(first)
  const digits = film.imdbID.slice(2)
  const at = random.int(1, digits.length - 1)
  return { ...film, imdbID: `tt${digits.slice(at)}${digits.slice(0, at)}` }
}

/** @param {Step} step @returns {any} */
function filmOf ({ asked }) {
  return /** @type {any} */ (asked).json
}
