import { makeMovie } from '../shared/movies.js'
import { contains, inAnyCase, partOf, search, searchPath } from './reference.js'

/**
 * @import { Operation, Random, Step } from '../../runner/lesson/index.js'
 * @import { Movie } from '../shared/movies.js'
 */

/** What the slow server takes for a pattern: its answer to a text with one of these is wrong. */
const special = /[.*+?^$|()[\]{}\\]/

/** Some routers take no longer parts of a path than 100 characters, percent-encoded ones among them. */
const longest = 40

/** @type {Record<string, Operation>} */
export const operations = {
  search: {
    rule: 'finds the first movies whose genre contains the text: whole, in any case, in the order of the catalogue',
    weight: 6,
    draw: ({ random, data }) => {
      const text = typedText(random, data.movies)
      const count = search(data.movies, text, Infinity).length
      const limit = random.pick([1, random.int(1, 50), random.int(1, 50), count - 1, count, count + 1, 5000])
      return { path: searchPath(text, Math.max(1, limit)) }
    }
  },
  narrower: {
    rule: 'sends as many movies as the limit says',
    weight: 7,
    draw: ({ random, past }) => {
      const before = past('search')
      if (before.length === 0) return null
      const newest = before[before.length - 1]
      const text = textOf(random.pick([newest, newest, newest, random.pick(before)]))
      return { path: searchPath(inAnyCase(random, text), random.pick([2, 1000, 1000, 1000])) }
    }
  },
  encoded: {
    rule: 'understands percent-encoding',
    weight: 2,
    draw: ({ random, data, past }) => {
      const added = past('add')
      const text = added.length > 0 && random.int(1, 2) === 1
        ? addedText(random, random.pick(added))
        : typedText(random, data.movies)
      return { path: `/movies/search/genre/${encodedAnyhow(random, text)}/${random.int(1, 50)}` }
    }
  },
  nothing: {
    rule: 'finds nothing where no genre contains the text',
    weight: 2,
    draw: ({ random, data }) => {
      const text = random.pick([
        () => rareText(random),
        () => rareText(random),
        () => random.pick(['dráma', 'Cômedy', 'wãr', 'drama,family', 'drama ', '  ', 'a%20', 'Drama/5']),
        () => typedText(random, data.movies).repeat(9).slice(0, longest)
      ])()
      return { path: searchPath(text, random.pick([50, 1000])) }
    }
  },
  badLimit: {
    rule: 'answers 400 to a limit that is no positive whole number',
    draw: ({ random, data }) => {
      const limit = random.pick(['0', '-1', '1.5', 'ten', '5x', '-0', 'Infinity', 'NaN', '1,5'])
      return { path: searchPath(typedText(random, data.movies), limit) }
    }
  },
  add: {
    rule: 'answers a new movie with 201, and the movie with its id',
    effect: 'finds a new movie in the very next search',
    touches: ['found', 'found', 'remembered', 'accents', 'accents'],
    weight: 3,
    draw: ({ random, data, past }) => {
      const remembered = growing(past, data.movies)
      const newest = random.pick([remembered[0], over(remembered)])
      const genres = random.shuffle([
        ...(newest !== undefined && random.int(1, 5) > 1 ? [textOf(newest)] : []),
        random.pick([rareText(random), random.pick(odd), random.pick(/** @type {Movie[]} */ (data.movies)).Genre]),
        `${random.pick(accented)} ${rareText(random)}`
      ])
      const movie = { ...makeMovie(random), ...further(random), Genre: genres.join(', ') }
      return { method: 'POST', path: '/movies', json: movie }
    }
  },
  found: {
    rule: 'finds what was added after all that was there before',
    draw: ({ random, past, about }) => {
      const added = about ?? oneOf(random, past('add'))
      return added && { path: searchPath(addedText(random, added), random.pick([50, 1000, 1000])) }
    }
  },
  remembered: {
    rule: 'finds what was added since it was asked the same before',
    draw: ({ random, data, past, about }) => {
      const { Genre } = genreOf(about ?? oneOf(random, past('add')))
      const before = growing(past, data.movies, about).filter((step) => contains(Genre, textOf(step)))
      return before.length > 0 ? random.pick([before[0], over(before), random.pick(before)]).asked : null
    }
  },
  accents: {
    rule: 'finds letters with accents in any case, and keeps them apart from those without',
    weight: 2,
    draw: ({ random, past, about }) => {
      const added = about ?? oneOf(random, past('add'))
      const word = oneOf(random, wordsOf(added).filter((word) => /[^ -~]/.test(word)))
      if (word === null) return null
      const plain = word.normalize('NFD').replace(/\p{M}/gu, '')
      return { path: searchPath(random.pick([plain, plain, word.toUpperCase(), word.toLowerCase()]), 1000) }
    }
  },
  refuse: {
    rule: 'answers 400 to a movie without a genre or a title',
    effect: 'keeps the catalogue as it is when it refuses a movie',
    touches: ['search'],
    draw: ({ random }) => {
      const { Genre, Title, ...movie } = { ...makeMovie(random), Genre: `Drama, ${rareText(random)}` }
      const parts = [{ Title }, { Genre }, { Title, Genre: 7 }, { Title, Genre: '' }, { Title: '', Genre }, {}]
      return { method: 'POST', path: '/movies', json: { ...movie, ...random.pick(parts) } }
    }
  }
}

const accented = ['Éñü', 'Ça déjà-vu', 'Šílený', 'Żółty', 'Ужас й']
const odd = ['東京 🎬', 'C++ (7) [x] a.b', 'R&B/Soul 100%20']

/** Parts of no genre of the catalogue. @param {Random} random */
export function rareText (random) {
  return `Q${random.word(8)}`
}

/**
 * A text as somebody types it: the search box asks again after every letter, and few people come to the end.
 *
 * @param {Random} random
 * @param {Movie[]} movies
 */
export function typedText (random, movies) {
  const { Genre } = random.pick(movies)
  const comma = Genre.indexOf(', ')
  if (comma !== -1 && random.int(1, 5) === 1) {
    return inAnyCase(random, Genre.slice(comma - random.int(1, 3), comma + 2 + random.int(1, 2)))
  }
  if (random.int(1, 4) === 1) return partOf(random, Genre)
  const genre = random.pick(Genre.split(', '))
  return inAnyCase(random, random.int(1, 4) === 1 ? genre : genre.slice(0, random.int(1, 3)))
}

/**
 * What was asked before and would get more when it came, newest first: what a server may remember.
 *
 * @param {(name: string) => Step[]} past
 * @param {Movie[]} movies
 * @param {Step} [write] before this one
 */
function growing (past, movies, write) {
  return ['search', 'nothing', 'narrower', 'found'].flatMap(past).sort((a, b) => b.id - a.id).filter((step) => {
    const [text, limit] = [textOf(step), Number(/** @type {any} */ (step.asked).path.split('/')[5])]
    return step.id < (write?.id ?? Infinity) && text.length < 20 && search(movies, text, limit).length < limit
  })
}

/** The newest that goes over from one genre to the next, if any. @param {Step[]} searches the newest first */
function over (searches) {
  return searches.find((step) => textOf(step).includes(',')) ?? searches[0]
}

/** @param {Random} random @param {Step} added */
function addedText (random, added) {
  const word = random.pick(wordsOf(added))
  const letters = Array.from(word)
  const at = random.int(0, letters.length - 1)
  const few = letters.slice(at, at + random.int(1, 2)).join('')
  return inAnyCase(random, random.pick([word, few, few, letters.length > 2 ? partOf(random, word) : word]))
}

/** What of the new genre the slow server can be asked for. @param {Step | null} added */
function wordsOf (added) {
  const { Genre } = genreOf(added)
  const isAskedFor = (/** @type {string} */ word) => word !== '' && word.length <= longest && !special.test(word)
  return [...Genre.split(', '), ...Genre.split(special)].filter(isAskedFor)
}

/** @param {Step | null} added @returns {{ Genre: string }} */
function genreOf (added) {
  return /** @type {any} */ (added?.asked)?.json ?? { Genre: '' }
}

/** @param {Step} search */
function textOf ({ asked }) {
  return decodeURIComponent(/** @type {any} */ (asked).path.split('/')[4])
}

/** Fields that no movie of the catalogue has, or has in another form. @param {Random} random */
function further (random) {
  const word = random.word(5)
  return random.pick([
    {},
    { more: { tags: [word, 1.5, true, null, [], {}], crew: [{ name: word, of: { Genre: 'Drama', id: 1 } }] } },
    { Year: random.int(1, 9999), Actors: [word, { name: 'Zoë' }], Plot: null, Rated: '' },
    { [`x ${word}.y`]: { [word]: { deep: [[word]] } }, Awards: { won: 0, lost: -0.5 }, Country: undefined }
  ])
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

/** @template T @param {Random} random @param {T[]} list @returns {T | null} */
function oneOf (random, list) {
  return list.length === 0 ? null : random.pick(list)
}
