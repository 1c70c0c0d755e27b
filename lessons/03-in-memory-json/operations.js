import { anyCondition } from '../shared/conditions.js'
import { makeMovie } from '../shared/movies.js'

/** @import { Operation, Random, Step } from '../../runner/lesson/index.js' */

/** @type {Record<string, Operation>} */
export const operations = {
  list: {
    rule: 'sends the whole catalogue, with its length and an ETag',
    tagged: true,
    headers: ['content-length'],
    draw: () => ({ path: '/movies' })
  },
  ifChanged: {
    rule: 'answers 304 to a client whose copy is current, and the list to any other',
    weight: 3,
    tagged: true,
    // Of a list; a 304 may say it.
    headers: [{ name: 'content-length', read: (value, { status }) => status === 304 || value !== undefined }],
    draw: ({ random, past, about }) => {
      // After a write: of copies from before it.
      const lists = past('list').filter(({ id }) => about === undefined || id < about.id)
      if (lists.length === 0) return null
      const last = lists[lists.length - 1]
      const [one, other] = [random.pick([last, last, random.pick(lists)]), random.pick(lists)]
      const condition = anyCondition(random)
      return (answerOf) => {
        const [tag, another] = [one, other].map((step) => answerOf(step).headers.etag)
        return tag && another ? { path: '/movies', headers: condition(tag, another) } : null
      }
    }
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
    touches: ['list', 'one', 'one', 'ifChanged'],
    weight: 6,
    draw: ({ random, past }) => {
      const json = random.next() < 0.2 ? sentBefore(past('add'), random) : null
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

/** A film as a client may send it, some with an id. @param {Random} random @returns {Record<string, unknown>} */
export function anyMovie (random) {
  const movie = makeMovie(random)
  const id = random.next() < 0.4 ? { id: random.pick([1, 0, -1, random.int(2, 900), 1e9, 'x', null]) } : {}
  return random.pick([
    { ...movie, ...id },
    { ...id, Title: movie.Title },
    { ...movie, ...id, Plot: Array.from({ length: 40 }, () => makeMovie(random).Plot).join(' ') },
    {
      ...movie,
      ...id,
      Title: `Żółty Café № ${random.word(5)}`,
      Plot: '東京 — Ω “¿qué?” \u2028 🎬👩‍🚀 "quoted" \\ \n <b> $& $1 %s'
    }
  ])
}

/** Whoever sends the same film twice has two of them. @param {Step[]} steps @param {Random} random */
function sentBefore (steps, random) {
  if (steps.length === 0) return null
  const { asked } = random.pick(steps)
  return 'json' in asked ? asked.json : null
}
