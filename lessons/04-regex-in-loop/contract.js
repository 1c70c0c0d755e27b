import { makeMovie } from '../shared/movies.js'
import { contains, rareText, searchFor } from './searches.js'

/**
 * Requests that would break the slow server.
 *
 * @import { Given } from '../../runner/contract/index.js'
 * @import { Movie } from '../shared/movies.js'
 */

const specials = [
  '.', '*', '+', '?', '^', '$', '|', '(', ')', '(7)', '[', ']', '[7]', '{1}', '\\', '\\d', '.*', '$&', '-', '#', '%',
  '%41', '/7'
]

/** What a server may have put between genres, which hold none of it. */
const separators = ['\0', '\x01', '\t', '\n', '\x1e', '\x1f', '\u2028', '\ue000', '\ufeff', '\uffff']

/**
 * Five times `.*` take about the fifth power of a genre's length: long enough to be felt, short enough to end, as long
 * as no genre is long.
 *
 * @param {Given} given
 */
export async function takesPatterns (given) {
  const text = `(.*)(.*)(.*)(.*)(.*)=\\d ${rareText(given.random)}`
  await findsOnly(given, text, await add(given, text))
}

/** @param {Given} given */
export async function takesSpecials (given) {
  const rare = rareText(given.random)
  // A server that changes case by one bit takes the last three for [, ] and ^.
  await add(given, `${rare} ${rare}7 ${rare}77 ${rare}{ ${rare}} ${rare}~ ${rare}ł`)
  const movie = await add(given, specials.map((special) => rare + special).join(' '))
  for (const special of specials) {
    await findsOnly(given, rare + special, movie)
    if (/^[\w.*+$()&-]+$/.test(special)) await findsOnly(given, rare + special, movie, rare + special)
  }
  // A plus in a path is no space, and a letter more than its low byte.
  for (const part of [`${rare}+${rare}`, `${rare}b`]) {
    (await given.get(searchFor('', 50, part).path)).expectStatus(200).expectJson([])
  }
  for (const special of ['(', '+', '[', '\\', '^D', 'Dr.ma', 'Drama|War', 'Drama/7', '[a-z]', '|', ...separators]) {
    const answer = await given.get(searchFor(special, 100).path)
    const isStrange = (/** @type {Movie} */ { Genre }) => !contains(Genre, special)
    const strange = answer.expectStatus(200).json().find(isStrange)
    if (strange) answer.fail(`got a movie of the genre "${strange.Genre}", which doesn’t contain "${special}"`)
  }
}

/** @param {Given} given @param {string} Genre @returns {Promise<Movie>} as every search has to show it */
async function add ({ post, random }, Genre) {
  const sent = { ...makeMovie(random), Genre }
  const answer = await post('/movies', { json: sent })
  return { ...sent, id: answer.expectStatus(201).json()?.id }
}

/** @param {Given} given @param {string} text @param {Movie} movie @param {string} [part] the text in the path */
async function findsOnly ({ get }, text, movie, part) {
  (await get(searchFor(text, 50, part).path)).expectStatus(200).expectJson([movie])
}
