import { jsonType, leadsTo } from '../shared/answers.js'
import { makeMovie } from '../shared/movies.js'

/**
 * @import { Given } from '../../runner/contract/index.js'
 * @import { Check } from '../../runner/lesson/index.js'
 */

const quoted = /^(W\/)?"[^"]*"$/

/** @type {Check[]} */
export const contract = [
  {
    name: 'sends the whole catalogue',
    when: ['before'],
    async run ({ same, data }) {
      const answer = await same({ path: '/movies' })
      answer.expectStatus(200).expectJson(data.movies)
    }
  },
  {
    name: 'sends the list as JSON and says how long it is',
    async run ({ get }) {
      const answer = await get('/movies')
      answer
        .expectStatus(200)
        .expectHeader('content-type', jsonType)
        .expectHeader('content-length', String(answer.body.length))
    }
  },
  {
    name: 'sends one film',
    when: ['before'],
    async run ({ same, random, data }) {
      for (const movie of [data.movies[0], random.pick(data.movies), data.movies.at(-1)]) {
        const answer = await same({ path: `/movies/${movie.id}` })
        answer.expectStatus(200).expectHeader('content-type', jsonType).expectJson(movie)
      }
    }
  },
  {
    name: 'answers 404 for a film that is not there',
    async run ({ get, random }) {
      for (const id of ['0', String(random.int(1e7, 1e8)), random.word(6)]) {
        const answer = await get(`/movies/${id}`)
        answer.expectStatus(404).expectHeader('content-type', jsonType).expectJson({ error: 'not_found' })
      }
    }
  },
  {
    name: 'answers a new film with 201, the film with its id, and its Location',
    async run ({ post, random, fail }) {
      const movie = makeMovie(random)
      const first = await addMovie(post, movie)
      if (!Number.isInteger(first.id)) {
        fail(`POST /movies: expected a whole number as id, got ${JSON.stringify(first.id)}`)
      }
      const second = await addMovie(post, { ...movie, id: 1 })
      if (second.id !== first.id + 1) {
        fail(
          `POST /movies: expected the id after ${first.id}, whatever id the client sent, got ` +
            `${JSON.stringify(second.id)}`
        )
      }
    }
  },
  {
    name: 'shows a new film in the very next list',
    async run ({ get, post, random, fail }) {
      const before = (await getList(get)).json()
      const written = []
      for (let i = 0; i < 3; i++) {
        written.push(await addMovie(post, makeMovie(random)))
        const answer = await get('/movies')
        const after = answer.expectStatus(200).json()
        if (after.length !== before.length + written.length) {
          fail(
            `GET /movies: expected ${before.length + written.length} films in the read after a write, got ` +
              `${after.length}`
          )
        }
        answer.expectJson([...before, ...written])
      }
    }
  },
  {
    name: 'shows a new film under its own URL at once',
    async run ({ get, post, random }) {
      const created = await addMovie(post, makeMovie(random))
      const answer = await get(`/movies/${created.id}`)
      answer.expectStatus(200).expectJson(created)
    }
  },
  {
    name: 'keeps accents and other scripts',
    async run ({ get, post, random, fail }) {
      const movie = {
        ...makeMovie(random),
        Title: `Żółty Café № ${random.word(5)}`,
        Plot: '東京 — Ω “¿qué?” \u2028 🎬👩‍🚀 "quoted" \\ \n <b>'
      }
      const created = await addMovie(post, movie)
      const single = await get(`/movies/${created.id}`)
      single.expectStatus(200).expectJson(created)
      const list = await get('/movies')
      const last = list.expectStatus(200).json().find((/** @type {any} */ film) => film?.id === created.id)
      if (last && (last.Title !== movie.Title || last.Plot !== movie.Plot)) {
        fail(`GET /movies: expected the title ${movie.Title} as it was sent, got ${last.Title}`)
      }
    }
  },
  {
    name: 'gives films that arrive together an id each',
    async run ({ get, post, random, fail }) {
      const sent = Array.from({ length: 4 }, () => makeMovie(random))
      const created = await Promise.all(sent.map((movie) => addMovie(post, movie)))
      if (new Set(created.map(({ id }) => id)).size < created.length) {
        fail(`POST /movies: four films sent together got the ids ${created.map(({ id }) => id).join(', ')}`)
      }
      for (const movie of created) {
        const answer = await get(`/movies/${movie.id}`)
        answer.expectStatus(200).expectJson(movie)
      }
    }
  },
  {
    name: 'refuses a film without a title',
    async run ({ get, post, random, fail }) {
      const before = (await getList(get)).json().length
      const { Title, ...untitled } = makeMovie(random)
      for (const movie of [untitled, { ...untitled, Title: '' }, {}]) {
        const answer = await post('/movies', { json: movie })
        answer.expectStatus(400).expectHeader('content-type', jsonType).expectJson({ error: 'invalid_movie' })
      }
      const broken = await post('/movies', {
        headers: { 'content-type': 'application/json' },
        body: `{"Title": "${Title}"`
      })
      broken.expectStatus(400)
      const after = (await getList(get)).json().length
      if (after !== before) fail(`GET /movies: expected ${before} films after four refused ones, got ${after}`)
    }
  },
  {
    name: 'sends a quoted ETag with the list',
    async run ({ get, fail }) {
      const first = await get('/movies')
      const second = await get('/movies')
      first.expectStatus(200).expectHeader('etag', quoted)
      second.expectStatus(200).expectHeader('etag', quoted)
      if (first.headers.etag !== second.headers.etag) {
        fail(`GET /movies: the ETag changed from ${first.headers.etag} to ${second.headers.etag} without a write`)
      }
    }
  },
  {
    name: 'changes the ETag with every write',
    async run ({ get, post, random, fail }) {
      const tags = new Set()
      for (let i = 0; i < 3; i++) {
        const etag = opaque((await getList(get)).headers.etag)
        if (etag && tags.has(etag)) fail(`GET /movies: the ETag ${etag} stands for two different lists`)
        tags.add(etag)
        await addMovie(post, makeMovie(random))
      }
    }
  },
  {
    name: 'answers 304 to a client whose copy is current',
    async run (given) {
      const { etag } = (await getList(given.get)).headers
      if (!etag) return
      await expectNotModified(given, etag, etag)
      await addMovie(given.post, makeMovie(given.random))
      const renewed = (await getList(given.get)).headers.etag
      await expectNotModified(given, renewed, renewed)
    }
  },
  {
    name: 'compares ETags as HTTP says: weakly, one by one, and any for *',
    async run (given) {
      const { random } = given
      const { etag } = (await getList(given.get)).headers
      if (!etag) return
      const tag = opaque(etag)
      const other = () => `"${random.word(12)}"`
      for (const header of [
        tag,
        `W/${tag}`,
        `${other()}, ${etag}`,
        `${etag},${other()}`,
        `W/${other()}, W/${tag}, ${other()}`,
        '*'
      ]) {
        await expectNotModified(given, header, etag)
      }
    }
  },
  {
    name: 'sends the list to a client with an ETag that it does not know',
    async run ({ get, random }) {
      for (const header of [`"${random.word(12)}"`, `W/"${random.word(8)}", "${random.word(3)}"`, '""']) {
        const answer = await get('/movies', { headers: { 'if-none-match': header } })
        answer.expectStatus(200)
      }
    }
  },
  {
    name: 'sends the new list to a client whose copy is old',
    async run ({ get, post, random, fail }) {
      const tags = []
      for (let i = 0; i < 3; i++) {
        tags.push((await getList(get)).headers.etag)
        await addMovie(post, makeMovie(random))
        for (const etag of tags) {
          if (!etag) return
          const answer = await get('/movies', { headers: { 'if-none-match': etag } })
          if (answer.status === 304) fail(`GET /movies: answered 304 to the ETag ${etag} of a list from before a write`)
          answer.expectStatus(200)
        }
      }
    }
  }
]

/** @param {Given['get']} get */
async function getList (get) {
  const answer = await get('/movies')
  return answer.expectStatus(200)
}

/**
 * @param {Given['post']} post
 * @param {any} movie
 * @returns {Promise<any>} the film as the server answered it, with its id
 */
async function addMovie (post, movie) {
  const answer = await post('/movies', { json: movie })
  answer.expectStatus(201).expectHeader('content-type', jsonType)
  const created = answer.json()
  answer.expectJson({ ...movie, id: created?.id })
  const { location } = answer.headers
  if (!leadsTo(location, '/movies', `/movies/${created?.id}`)) {
    answer.fail(`expected a Location that leads to /movies/${created?.id}, got ${location ?? 'none'}`)
  }
  return created
}

/**
 * @param {Given} given
 * @param {string} header If-None-Match
 * @param {string} etag the current one
 */
async function expectNotModified ({ get, fail }, header, etag) {
  const answer = await get('/movies', { headers: { 'if-none-match': header } })
  if (answer.status !== 304) {
    fail(`GET /movies with If-None-Match: ${header}: expected 304, the ETag is ${etag}, got ${answer.status}`)
  }
  if (answer.body.length > 0) fail(`GET /movies: expected no body with a 304, got ${answer.body.length} bytes`)
  if (opaque(answer.headers.etag) !== opaque(etag)) {
    fail(`GET /movies: expected the ETag ${etag} with a 304, got ${answer.headers.etag ?? 'none'}`)
  }
}

/**
 * An ETag without the mark of a weak one: two tags match when this is the same (RFC 9110, 8.8.3.2).
 *
 * @param {string | undefined} etag
 */
function opaque (etag) {
  return etag?.replace(/^W\//, '') ?? ''
}
