import { makeMovie } from '../shared/movies.js'

/**
 * What is searched for and what is added. A value of the route is its path, with its text and limit.
 *
 * @import { Random } from '../../runner/lesson/index.js'
 * @import { Movie } from '../shared/movies.js'
 *
 * @typedef {{ path: string, text: string, limit: number | string }} Search
 * @typedef {{ random: Random, state: { movies: Movie[] }, asked?: (name: string) => Search[], about?: unknown, sent?:
 *   unknown[] }} Given asked: in a sequence only
 */

export const route = 'GET /movies/search/genre/:genre/:limit'

/** The number of initial movies; no write changes them. */
const catalogueSize = 791
/** The slow server reads these as a pattern: its answer to a text with one of them is wrong. */
const special = /[.*+?^$|()[\]{}\\]/
/** Some routers take no longer parts of a path than 100 characters, percent-encoded ones among them. */
const longest = 40
/** A limit that no list reaches, some in more than 32 bits. */
const manyMovies = [4999, 70_000, 2 ** 31, 2 ** 32, 2 ** 32 + 1]
const accented = ['Éñü', 'Ça déjà-vu', 'Šílený', 'Żółty', 'Ужас й']
const odd = ['東京 🎬', 'C++ (7) [x] a.b', 'R&B/Soul 100%20']

/** What a catalogue has, by its first movie and by text in lower case. @type {WeakMap<Movie, Map<string, Movie[]>>} */
const known = new WeakMap()

/** What a search must answer. @param {Movie[]} movies @param {string} text @param {number} limit */
export function search (movies, text, limit) {
  const wanted = text.toLowerCase()
  const texts = known.get(movies[0]) ?? new Map()
  const old = texts.get(wanted) ?? movies.slice(0, catalogueSize).filter(({ Genre }) => contains(Genre, wanted))
  known.set(movies[0], texts.set(wanted, old))
  if (old.length >= limit) return old.slice(0, limit)
  return [...old, ...movies.slice(catalogueSize).filter(({ Genre }) => contains(Genre, wanted))].slice(0, limit)
}

/** @param {string} genre @param {string} text */
export function contains (genre, text) {
  return genre.toLowerCase().includes(text.toLowerCase())
}

/** @param {string} text @param {number | string} limit @param {string} [part] the text in the path @returns {Search} */
export function searchFor (text, limit, part = encodeURIComponent(text)) {
  return { path: `/movies/search/genre/${part}/${limit}`, text, limit }
}

/** Parts of no genre of the catalogue. @param {Random} random */
export function rareText (random) {
  return `Q${random.word(8)}`
}

/** One of a few that writes under load bring and searches look for. @param {Random} random @param {Movie[]} movies */
export function shelfText (random, movies) {
  return `Q${movies[random.int(0, 11)].imdbID}`
}

/** @param {Given} given */
export function anySearch ({ random, state: { movies }, asked }) {
  const text = typedText(random, movies)
  if (asked === undefined) return searchFor(text, random.int(1, 50))
  const { length } = search(movies, text, Infinity)
  const few = random.int(1, 50)
  const limit = random.pick([1, few, few, length - 1, length, length + 1, random.pick(manyMovies)])
  return searchFor(text, Math.max(1, limit))
}

/** The same text with another limit, or with one more letter, as it's typed. @param {Given} given */
export function narrower ({ random, state: { movies }, asked = () => [] }) {
  const before = asked(route)
  if (before.length === 0) return null
  const cut = random.int(1, 3) > 1 && before.findLast((one) => longerTexts(movies, one).length > 0)
  if (cut) return searchFor(random.pick(longerTexts(movies, cut)), cut.limit)
  const { text } = random.pick([...Array(3).fill(before[before.length - 1]), random.pick(before)])
  return searchFor(inAnyCase(random, text), random.pick([2, 999, 999, 2 ** 32 + 1]))
}

/** Those that find what the text before didn't, because of its limit. @param {Movie[]} movies @param {Search} before */
function longerTexts (movies, { text, limit }) {
  const seen = search(movies, text, Number(limit))
  const longer = new Set(movies.flatMap(({ Genre }) => Genre.match(new RegExp(`${text}[a-z]`, 'i')) ?? []))
  return [...longer].filter((more) => !seen.includes(search(movies, more, Number(limit)).at(-1)))
}

/** @param {Given} given */
export function encoded ({ random, state: { movies } }) {
  const added = movies.slice(catalogueSize)
  const isNew = added.length > 0 && random.int(1, 2) === 1
  const text = isNew ? addedText(random, random.pick(added)) : typedText(random, movies)
  return searchFor(text, random.int(1, 50), encodedAnyhow(random, text))
}

/** Every part of it is in one genre, the whole in none: no server knows without looking. @param {Given} given */
export function scattered ({ random, state: { movies } }) {
  const added = movies.flatMap(({ Genre }) => /(Q\w{8})1, 2\1/.exec(Genre)?.slice(1) ?? [])
  if (added.length > 0 && random.int(1, 2) === 1) return searchFor(`2${random.pick(added)}1`, 1000)
  const lists = movies.slice(0, catalogueSize).map(({ Genre }) => Genre.split(', ')).filter(({ length }) => length > 2)
  const [first, , last] = random.pick(lists)
  return searchFor(inAnyCase(random, `${first}, ${last}`), 1000)
}

/** @param {Given} given */
export function nothing ({ random, state: { movies } }) {
  const text = random.pick([
    rareText(random),
    rareText(random),
    random.pick(['dráma', 'Cômedy', 'wãr', 'drama,family', 'drama ', '  ', 'a%20', 'Drama/5']),
    typedText(random, movies).repeat(9).slice(0, longest)
  ])
  return searchFor(text, random.pick([50, 1000]))
}

/** What was added, after all that was there before. */
export const found = ofNew(({ random, state: { movies } }, movie) => {
  // A genre of the catalogue that's a part of a new one, if there's any.
  const genres = movies.slice(0, 50).flatMap(({ Genre }) => Genre.split(', '))
  const inside = genres.filter((genre) => contains(movie.Genre, genre))
  return searchFor(inside.length > 0 && random.int(1, 3) === 1 ? random.pick(inside) : addedText(random, movie), 1000)
})

/** What was asked before and gets more now. */
export const remembered = ofNew((given, movie) => {
  const before = growing(given).filter(({ text }) => contains(movie.Genre, text))
  return before.length > 0 ? given.random.pick([before[0], over(before), given.random.pick(before)]) : null
})

export const accents = ofNew(({ random }, movie) => {
  const words = wordsOf(movie).filter((word) => /[^ -~]/.test(word))
  if (words.length === 0) return null
  const word = random.pick(words)
  const plain = word.normalize('NFD').replace(/\p{M}/gu, '')
  return searchFor(random.pick([plain, plain, word.toUpperCase(), word.toLowerCase()]), 1000)
})

/** One that an earlier search would find, with odd letters and any fields. @param {Given} given */
export function movieToAdd (given) {
  const { random, state: { movies }, sent = [] } = given
  const before = growing(given)
  const newest = random.pick([before[0], over(before)])
  const rare = rareText(random)
  const genres = random.shuffle([
    ...newest !== undefined && random.int(1, 5) > 1 ? [newest.text] : [],
    random.pick([`${rare}1, 2${rare}`, random.pick(odd), movies[random.int(0, catalogueSize - 1)].Genre]),
    `${random.pick(accented)} ${rareText(random)}${movies[random.int(0, 49)].Genre}`
  ])
  return { ...makeMovie(random), ...further(random, sent.length), Genre: genres.join(', ') }
}

/** Of the one that was written just now, or any that was added. @param {(given: Given, movie: Movie) => any} draw */
function ofNew (draw) {
  return (/** @type {Given} */ given) => {
    const added = given.state.movies.slice(given.about === undefined ? catalogueSize : -1)
    return added.length > 0 ? draw(given, given.random.pick(added)) : null
  }
}

/** What was asked before and would get more when it came, the newest first. @param {Given} given */
function growing ({ state: { movies }, asked = () => [] }) {
  return asked(route).toReversed().filter(({ text, limit }) =>
    text.length < 20 && search(movies.slice(0, catalogueSize), text, Number(limit)).length < Number(limit))
}

/** The newest that goes over from one genre to the next, if any. @param {Search[]} searches the newest first */
function over (searches) {
  return searches.find(({ text }) => text.includes(',')) ?? searches[0]
}

/**
 * A text as it's typed: the search box asks again after every letter, and few people come to the end.
 *
 * @param {Random} random @param {Movie[]} movies
 */
function typedText (random, movies) {
  const { Genre } = movies[random.int(0, catalogueSize - 1)]
  const comma = Genre.indexOf(', ')
  if (comma !== -1 && random.int(1, 5) === 1) {
    return inAnyCase(random, Genre.slice(comma - random.int(1, 3), comma + 2 + random.int(1, 2)))
  }
  if (random.int(1, 4) === 1) return partOf(random, Genre)
  const genre = random.pick(Genre.split(', '))
  return inAnyCase(random, random.int(1, 4) === 1 ? genre : genre.slice(0, random.int(1, 3)))
}

/** A genre, a part of one or of two neighbours, in any case. @param {Random} random @param {string} genre */
function partOf (random, genre) {
  const letters = Array.from(genre)
  const length = random.int(2, Math.min(letters.length, 9))
  const from = random.int(0, letters.length - length)
  return inAnyCase(random, letters.slice(from, from + length).join(''))
}

/** @param {Random} random @param {string} text */
export function inAnyCase (random, text) {
  const anyCase = (/** @type {string} */ letter) => random.int(0, 1) === 0 ? letter.toLowerCase() : letter.toUpperCase()
  return random.pick([text, text.toLowerCase(), text.toUpperCase(), Array.from(text, anyCase).join('')])
}

/** @param {Random} random @param {Movie} added */
function addedText (random, added) {
  const word = random.pick(wordsOf(added))
  const letters = Array.from(word)
  const at = random.int(0, letters.length - 1)
  const few = letters.slice(at, at + random.int(1, 2)).join('')
  return inAnyCase(random, random.pick([word, few, few, letters.length > 2 ? partOf(random, word) : word]))
}

/** What of the new genre can be searched for on the slow server. @param {Movie} added */
function wordsOf ({ Genre }) {
  const isAskedFor = (/** @type {string} */ word) => word !== '' && word.length <= longest && !special.test(word)
  return [...Genre.split(', '), ...Genre.split(special)].filter(isAskedFor)
}

/** Fields that no movie of the catalogue has, or has in another form. @param {Random} random @param {number} at */
function further (random, at) {
  const word = random.word(5)
  const forms = [
    {},
    { id: random.pick([1, 'x', 900]) },
    { more: { tags: [word, 1.5, true, null, [], {}], crew: [{ name: word, of: { Genre: 'Drama', id: 1 } }] } },
    { Title: ' ', Year: random.int(1, 9999), Actors: [word, { name: 'Zoë' }], Plot: null, Rated: '' },
    { [`x ${word}.y`]: { [word]: { deep: [[word]] } }, Awards: { won: 0, lost: -0.5 }, Country: undefined }
  ]
  return forms[at % forms.length]
}

/** More of it than has to be, in letters of any case. @param {Random} random @param {string} text */
function encodedAnyhow (random, text) {
  return Array.from(Buffer.from(text), (byte) => {
    const letter = String.fromCharCode(byte)
    if (/[\w,&=:@!~'-]/.test(letter) && random.int(1, 3) > 1) return letter
    const code = byte.toString(16).padStart(2, '0')
    return `%${random.pick([code, code.toUpperCase()])}`
  }).join('')
}
