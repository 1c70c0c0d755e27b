import { form } from '../form/index.js'
import { makeMovies } from '../shared/movies.js'
import { anyMovie, nextMovie } from './films.js'

export default form({
  id: 'in-memory-json',
  title: 'In-memory JSON',
  part: 'Find the cause',
  summary: 'A 304 has no body. Find out what it costs a server that keeps 430 kB in memory, and why.',

  data: ({ random }) => ({ movies: makeMovies(random) }),

  routes: {
    'GET /movies': {
      rule: 'sends the whole catalogue, with its length and an ETag',
      tagged: true,
      // A 304 may state a length; a compressed answer's is no longer known, and only chunks need none.
      headers: [{
        name: 'content-length',
        read: (value, { status, headers }) => status === 304 || value !== undefined || !('transfer-encoding' in headers)
      }],
      is: ({ movies }) => movies
    },
    'GET /movies/:id': {
      rule: 'sends one film',
      is: ({ movies }, id) => movies[Number(id) - 1],
      // A film that's missing now will be there soon.
      good: ({ random, state: { movies: { length } } }) => random.pick([1, length, length + 1, random.int(1, length)]),
      near: ({ random, state: { movies } }) => movies.length + random.int(0, 1),
      bad: (random) => [random.int(1e7, 1e8), random.word(6), '%E6%9D%B1'],
      odd: 'number',
      wrongRule: 'answers 404 for a film that is not there'
    },
    'POST /movies': {
      rule: 'answers a new film with 201, the film with its id, and its Location',
      effect: 'shows a new film in the very next read',
      weight: 9,
      body: nextMovie,
      wrong: (random) => {
        const { Title, ...untitled } = anyMovie(random)
        return [untitled, { ...untitled, Title: '' }, { ...untitled, Title: null }, {}]
      },
      wrongRule: 'refuses a film without a title',
      then: ({ movies }, sent) => ({ movies: [...movies, { ...sent, id: movies.length + 1 }] }),
      answers: ({ movies }) => movies[movies.length - 1],
      location: ({ movies }) => `/movies/${movies.length}`
    }
  },

  contract: {
    before: {
      'sends one whole list, even when a film is added while it is on its way': async ({ another, random }) => {
        const { get, post } = await another()
        const add = async (/** @type {object} */ more) =>
          (await post('/movies', { json: { ...anyMovie(random), ...more } })).expectStatus(201)
        // More than fits between server and client: the last part is still to be sent when the film comes.
        for (let i = 0; i < 60; i++) await add({ Plot: random.word(10).repeat(9000) })
        for (let i = 0; i < 3; i++) (await get('/movies', { meanwhile: () => add({}) })).expectStatus(200).json()
      }
    }
  },
  promised: {
    'sends one whole list, even when a film is added while it is on its way':
      'GET /movies | 200, all films as a JSON array (application/json; charset=utf-8), with Content-Length and a ' +
        'quoted ETag'
  },

  loads: {
    list: { mix: { 'GET /movies': 98, 'GET /movies/:id': 1, 'POST /movies': 1 }, sliceMs: 180 },
    conditional: { mix: { 'GET /movies again': 399, 'POST /movies': 1 }, sliceMs: 180 }
  },

  gates: {
    list: {
      rate: 2.5,
      look: 'Between two writes, every list is the same bytes. What does your server still compute for each one?'
    },
    conditional: {
      load: 'conditional',
      rate: 7,
      look: 'A 304 has no body. How much of the list does your server touch before it decides to send nothing?'
    }
  },

  sourceHints: [
    {
      pattern: /\bsetInterval\s*\(/,
      warning:
        'A copy of the list that a timer renews is stale until the timer fires. A write knows exactly when the copy ' +
          'becomes old.'
    }
  ],

  mechanism: {
    expected: 'CPU time per request falls: the list is serialised and hashed once per write, not once per request',
    load: 'list',
    cpuPerRequest: 'falls',
    shows: [{ figure: 'function', of: ['stringify'], does: 'falls' }]
  }
})
