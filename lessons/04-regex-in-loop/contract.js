import { makeMovie } from '../shared/movies.js'
import { rareText } from './operations.js'
import { contains, searchPath } from './reference.js'

/**
 * @import { Given } from '../../runner/contract/index.js'
 * @import { Check } from '../../runner/lesson/index.js'
 * @import { Movie } from '../shared/movies.js'
 */

/** The rule that the slow server breaks: nothing of it can be asked there. */
export const literal = 'takes special characters literally'
export const backtracking = 'takes a pattern that backtracks for long as plain text'

/** @type {Check[]} */
export const contract = [
  {
    // Five times `.*` take about the fifth power of a genre's length: long enough to be felt, short enough
    // to end, as long as no genre is long.
    name: backtracking,
    when: ['before'],
    run: async (given) => {
      const text = `(.*)(.*)(.*)(.*)(.*)=\\d ${rareText(given.random)}`
      const movie = await add(given, text)
      await findsOnly(given, text, movie)
    }
  },
  {
    name: literal,
    when: ['before'],
    run: async (given) => {
      const specials = [
        '.', '*', '+', '?', '^', '$', '|', '(', ')', '(7)', '[', ']', '[7]', '{1}', '\\', '\\d', '.*', '$&', '-', '#'
      ]
      const rare = rareText(given.random)
      // The last three are other cases of [, ] and ^ for whoever changes one bit of every character.
      await add(given, `${rare} ${rare}7 ${rare}77 ${rare}{ ${rare}} ${rare}~`)
      const movie = await add(given, specials.map((special) => rare + special).join(' '))
      for (const special of specials) {
        await findsOnly(given, rare + special, movie)
        if (/^[\w.*+$()&-]+$/.test(special)) await findsOnly(given, rare + special, movie, rare + special)
      }
      // A plus in a path is no space.
      const plus = await given.get(`/movies/search/genre/${rare}+${rare}/50`)
      plus.expectStatus(200).expectJson([])
      // Also what a server may have put between genres.
      for (const special of ['(', '+', '[', '\\', '^D', 'Dr.ma', 'Drama|War', '[a-z]', '\0', '\n', '\x1f']) {
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
  return { ...sent, id: answer.expectStatus(201).json()?.id }
}

/** @param {Given} given @param {string} text @param {Movie} movie @param {string} [part] the text in the path */
async function findsOnly ({ get }, text, movie, part = encodeURIComponent(text)) {
  const answer = await get(`/movies/search/genre/${part}/50`)
  answer.expectStatus(200).expectJson([movie])
}
