import { makeMovie } from '../shared/movies.js'

/**
 * @import { Operation, Step, Random } from '../../runner/lesson/index.js'
 */

/** @type {Record<string, Operation>} */
export const operations = {
  list: {
    rule: 'sends the whole catalogue',
    weight: 2,
    tagged: true,
    headers: ['content-length'],
    draw: () => ({ path: '/movies' })
  },
  ifChanged: {
    rule: 'answers 304 to a client whose copy is current, and the list to any other',
    weight: 5,
    tagged: true,
    draw: ({ random, past }) => {
      const lists = past('list')
      if (lists.length === 0) return null
      const [one, other] = [random.pick(lists), random.pick(lists)]
      const form = random.pick(conditions)
      const foreign = random.word(9)
      return (answerOf) => {
        const [tag, another] = [one, other].map((step) => answerOf(step).headers.etag)
        return tag === undefined || another === undefined
          ? null
          : { path: '/movies', headers: { 'if-none-match': form(tag, another, `"${foreign}"`) } }
      }
    }
  },
  one: {
    rule: 'sends one film',
    weight: 2,
    draw: ({ random, data, about }) => about
      ? (answerOf) => ({ path: `/movies/${answerOf(about).json().id}` })
      : { path: `/movies/${random.pick([1, data.movies.length, random.int(1, data.movies.length)])}` }
  },
  none: {
    rule: 'answers 404 for a film that is not there',
    draw: ({ random }) => {
      return { path: `/movies/${random.pick(['0', '-1', String(random.int(1e7, 1e8)), random.word(6)])}` }
    }
  },
  add: {
    rule: 'answers a new film with 201, the film with its id, and its Location',
    effect: 'shows a new film in the very next read',
    touches: ['list', 'one', 'ifChanged'],
    weight: 2,
    draw: ({ random }) => ({ method: 'POST', path: '/movies', json: anyMovie(random) })
  },
  refuse: {
    rule: 'refuses a film without a title',
    effect: 'keeps what it has when it refuses a film',
    touches: ['list'],
    draw: ({ random }) => {
      const { Title, ...untitled } = makeMovie(random)
      return { method: 'POST', path: '/movies', json: random.pick([untitled, { ...untitled, Title: '' }, {}]) }
    }
  },
  broken: {
    rule: 'refuses a body that is not JSON',
    effect: 'keeps what it has when it refuses a film',
    loose: true,
    touches: ['list'],
    draw: ({ random }) => ({
      method: 'POST',
      path: '/movies',
      headers: { 'content-type': 'application/json' },
      body: `{"Title": "${random.word(5)}"`
    })
  }
}

/** In the words of RFC 9110, 13.1.2. @type {((tag: string, other: string, foreign: string) => string)[]} */
const conditions = [
  (tag) => tag,
  (tag) => tag,
  opaque,
  (tag) => `W/${opaque(tag)}`,
  (tag, _, foreign) => `${foreign}, ${tag}`,
  (tag, other, foreign) => `W/${foreign}, W/${opaque(tag)},${other}`,
  (tag, other) => `${other}, ${tag}`,
  () => '*',
  (_, __, foreign) => foreign,
  (_, __, foreign) => `W/${foreign}, ""`
]

/** @param {Random} random */
function anyMovie (random) {
  const movie = makeMovie(random)
  const kind = random.int(1, 4)
  if (kind === 1) return { ...movie, id: random.int(1, 500) }
  if (kind > 2) return movie
  return {
    ...movie,
    Title: `Żółty Café № ${random.word(5)}`,
    Plot: '東京 — Ω “¿qué?” \u2028 🎬👩‍🚀 "quoted" \\ \n <b>'
  }
}

/** @param {string} tag */
function opaque (tag) {
  return tag.replace(/^W\//, '')
}
