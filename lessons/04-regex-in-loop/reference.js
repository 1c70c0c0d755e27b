/**
 * @import { Random } from '../../runner/lesson/index.js'
 * @import { Movie } from '../shared/movies.js'
 */

/**
 * What a search must answer, as plainly as it can be said: the contract and the load both judge by it.
 */

/**
 * @param {readonly Movie[]} movies in catalogue order
 * @param {string} text
 * @param {number} limit
 * @returns {Movie[]}
 */
export function search (movies, text, limit) {
  return movies.filter((movie) => contains(movie.Genre, text)).slice(0, limit)
}

/** @param {string} genre @param {string} text */
export function contains (genre, text) {
  return genre.toLowerCase().includes(text.toLowerCase())
}

/** @param {string} text @param {number | string} limit */
export function searchPath (text, limit) {
  return `/movies/search/genre/${encodeURIComponent(text)}/${limit}`
}

/**
 * A text as somebody might type it: a genre, a part of one or of two neighbours, in any case.
 *
 * @param {Random} random
 * @param {string} genre
 */
export function partOf (random, genre) {
  const letters = Array.from(genre)
  const length = random.int(2, Math.min(letters.length, 9))
  const from = random.int(0, letters.length - length)
  return inAnyCase(random, letters.slice(from, from + length).join(''))
}

/**
 * @param {Random} random
 * @param {string} text
 */
export function inAnyCase (random, text) {
  const way = random.int(1, 4)
  if (way === 1) return text
  if (way === 2) return text.toLowerCase()
  if (way === 3) return text.toUpperCase()
  return Array.from(text, (letter) => random.int(0, 1) === 0 ? letter.toLowerCase() : letter.toUpperCase()).join('')
}
