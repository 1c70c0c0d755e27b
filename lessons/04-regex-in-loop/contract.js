import { isDeepStrictEqual } from 'node:util'
import { makeMovie } from '../shared/movies.js'
import { contains, inAnyCase, partOf, search, searchPath } from './reference.js'

/**
 * @import { Given } from '../../runner/contract/index.js'
 * @import { Check } from '../../runner/lesson/index.js'
 * @import { Movie } from '../shared/movies.js'
 */

/**
 * What every correct server must do.
 *
 * Checks that also run after the load ask for no more movies than the first catalogue holds: those come first in every
 * state. Movies that the checks add have genres that no part of a common genre, of two letters or more, occurs in.
 */

export const literal = 'takes special characters literally'
export const backtracking = 'takes a pattern that backtracks for long as plain text'

/** @type {Check[]} */
export const contract = [
  {
    name: 'answers whole movies as JSON',
    run: async ({ get, data }) => {
      const answer = await get(searchPath('Drama', 5))
      for (const movie of answer.expectStatus(200).expectType('application/json').json()) {
        const whole = data.movies.find((/** @type {Movie} */ { id }) => id === movie.id)
        if (!isDeepStrictEqual(movie, whole)) answer.fail(`movie ${movie.id} is not as it is in the catalogue`)
      }
    }
  },
  {
    name: 'sends the movies in the order of the catalogue',
    run: async ({ get }) => {
      for (const text of ['Drama', 'Horror', 'War']) {
        const answer = await get(searchPath(text, 20))
        const ids = answer.expectStatus(200).json().map((/** @type {Movie} */ { id }) => id)
        if (ids.some((/** @type {number} */ id, /** @type {number} */ index) => id <= ids[index - 1])) {
          answer.fail(`got the movies ${ids.join(', ')}: each has to come after the one before it in the catalogue`)
        }
      }
    }
  },
  {
    name: 'sends as many movies as the limit says',
    run: async (given) => {
      const genre = given.random.pick(['Comedy', 'Drama', 'Horror', 'War'])
      const count = search(given.data.movies, genre, Infinity).length
      for (const limit of [1, 2, given.random.int(3, 20), count - 1, count]) await finds(given, genre, limit)
    }
  },
  {
    name: 'does not care about case',
    run: async (given) => {
      for (const genre of ['Comedy', 'Film-Noir', 'WESTERN', 'sci-fi']) {
        await finds(given, inAnyCase(given.random, genre))
      }
      await finds(given, 'dRAMA')
    }
  },
  {
    name: 'finds a text anywhere in the genre',
    run: async (given) => {
      for (const text of ['rama', 'est', 'i-f', 'm-N', 'usica', ', D']) await finds(given, text)
    }
  },
  {
    name: 'answers 400 to a limit that is no positive whole number',
    run: async ({ get }) => {
      for (const limit of ['0', '-1', '1.5', 'ten', '5x']) {
        const answer = await get(searchPath('Drama', limit))
        answer.expectStatus(400).expectType('application/json').expectJson({ error: 'invalid_limit' })
      }
    }
  },
  {
    name: 'finds the same movies in the same order as the slow server',
    when: ['before'],
    run: async ({ same, random, data }) => {
      for (let i = 0; i < 40; i++) {
        const { Genre } = random.pick(/** @type {Movie[]} */ (data.movies))
        await same({ path: searchPath(partOf(random, Genre), random.pick([1, 5, 50, 100, 5000])) })
      }
      await same({ path: searchPath('a', 1000) })
      await same({ path: searchPath(`Q${random.int(1000000, 9999999)}`, 10) })
    }
  },
  {
    name: 'finds a new movie in the very next search',
    run: async (given) => {
      const rare = rareText(given)
      await findsOnly(given, rare, [])
      const movies = []
      for (let i = 0; i < 3; i++) {
        movies.push(await add(given, `${rare} ${rareText(given)}`))
        await findsOnly(given, rare, movies)
        await findsOnly(given, rare.toLowerCase(), movies)
        await findsOnly(given, rare.slice(0, -1), movies)
      }
      await findsOnly(given, movies[1].Genre, [movies[1]])
      await findsOnly(given, rare, movies.slice(0, 2), 2)
    }
  },
  {
    name: 'understands percent-encoding',
    run: async (given) => {
      const { get, data } = given
      for (const [encoded, text] of [['%44rama', 'Drama'], ['a%2c%20', 'a, '], ['Sci%2DFi', 'Sci-Fi']]) {
        const answer = await get(`/movies/search/genre/${encoded}/10`)
        answer.expectStatus(200).expectJson(search(data.movies, text, 10))
      }
      const rare = rareText(given)
      const movie = await add(given, `${rare}/5 & ${rare}%20`)
      for (const text of [`${rare}/5`, `${rare}%20`, `5 & ${rare}`]) await findsOnly(given, text, [movie])
      await findsOnly(given, `${rare} `, [])
    }
  },
  {
    name: 'finds accented letters in any case and keeps them apart',
    run: async (given) => {
      const rare = rareText(given)
      const movie = await add(given, `${rare}ÉñÜ ${rare}Ужасы`)
      for (const text of ['éñü', 'ÉÑÜ', 'Éñ', 'УЖАСЫ', 'ужас']) await findsOnly(given, rare + text, [movie])
      for (const text of ['enu', 'EnU', 'E']) await findsOnly(given, rare + text, [])
    }
  },
  {
    name: 'answers 400 to a movie without a genre',
    run: async ({ post, random }) => {
      const { Genre, ...movie } = makeMovie(random)
      for (const json of [movie, { ...movie, Genre: 7 }, { ...movie, Genre: '' }, { Genre }]) {
        const answer = await post('/movies', { json })
        answer.expectStatus(400).expectType('application/json').expectJson({ error: 'invalid_movie' })
      }
    }
  },
  {
    // Five times `.*` take about the fifth power of a genre's length: long enough to be felt, short enough
    // to end, as long as no genre is long.
    name: backtracking,
    run: async (given) => {
      const text = `(.*)(.*)(.*)(.*)(.*)=\\d ${rareText(given)}`
      const movie = await add(given, text)
      await findsOnly(given, text, [movie])
    }
  },
  {
    name: literal,
    run: async (given) => {
      const specials = [
        '.', '*', '+', '?', '^', '$', '|', '(', ')', '(7)', '[', ']', '[7]', '{1}', '\\', '\\d', '.*', '$&', '-', '#'
      ]
      const rare = rareText(given)
      await add(given, `${rare} ${rare}7 ${rare}77`)
      const movie = await add(given, specials.map((special) => rare + special).join(' '))
      for (const special of specials) await findsOnly(given, rare + special, [movie])
      for (const special of ['(', '+', '[', '\\', '^D', 'Dr.ma', 'Drama|War', '[a-z]']) {
        const answer = await given.get(searchPath(special, 100))
        const strange = answer
          .expectStatus(200)
          .json()
          .find((/** @type {Movie} */ { Genre }) => !contains(Genre, special))
        if (strange) answer.fail(`got a movie of the genre "${strange.Genre}", which does not contain "${special}"`)
      }
    }
  }
]

/** @param {Given} given */
function rareText ({ random }) {
  return `Q${random.int(100000000, 999999999)}`
}

/**
 * Posts a movie and returns it as every search has to show it.
 *
 * @param {Given} given
 * @param {string} Genre
 * @returns {Promise<Movie>}
 */
async function add ({ post, random }, Genre) {
  const sent = { ...makeMovie(random), Genre }
  const answer = await post('/movies', { json: sent })
  const { id } = answer.expectStatus(201).expectType('application/json').json() ?? {}
  if (!Number.isInteger(id)) answer.fail(`expected a movie with a number as id, got ${answer.text.slice(0, 100)}`)
  answer.expectJson({ ...sent, id })
  return { ...sent, id }
}

/**
 * @param {Given} given
 * @param {string} text
 * @param {number} [most]
 */
async function finds ({ get, random, data }, text, most) {
  const count = search(data.movies, text, Infinity).length
  const limit = most ?? random.int(1, Math.min(count, 50))
  const answer = await get(searchPath(text, limit))
  answer.expectStatus(200).expectType('application/json').expectJson(search(data.movies, text, limit))
}

/**
 * @param {Given} given
 * @param {string} text
 * @param {Movie[]} movies
 * @param {number} [limit]
 */
async function findsOnly ({ get }, text, movies, limit = 50) {
  const answer = await get(searchPath(text, limit))
  answer.expectStatus(200).expectType('application/json').expectJson(movies)
}
