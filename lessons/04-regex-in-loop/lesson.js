import { form } from '../form/index.js'
import { makeMovie, makeMovies } from '../shared/movies.js'
import { oddNumbers, wrongBodies } from '../form/kinds.js'
import * as searches from './searches.js'

/**
 * @import { Given } from '../../runner/contract/index.js'
 * @import { Movie } from '../shared/movies.js'
 */

const { contains, rareText, route, search, searchFor, shelfText } = searches
const literal = 'takes special characters literally'
const backtracking = 'takes a pattern that backtracks for a long time as plain text'
const inOnePiece = 'finds a text only where a genre contains it in one piece'
const ofNew = 'finds what was added after all that was there before'
const ofRemembered = 'finds what was added since the same search came before'
const ofAccents = 'finds letters with accents in any case, and keeps them apart from those without'

const specials = [
  '.', '*', '+', '?', '^', '$', '|', '(', ')', '(7)', '[', ']', '[7]', '{1}', '\\', '\\d', '.*', '$&', '-', '#', '%',
  '%41', '/7'
]

/** What a server may have put between genres, which hold none of it. */
const separators = ['\0', '\x01', '\t', '\n', '\x1e', '\x1f', '\u2028', '\ue000', '\ufeff', '\uffff']

export default form({
  id: 'regex-in-loop',
  title: 'A RegExp in the loop',
  part: 'Find the cause',
  summary: 'A search builds a RegExp for every movie: the obvious suspect. Find out whether the profile agrees.',

  data: ({ random }) => ({ movies: makeMovies(random) }),

  routes: {
    [route]: {
      rule: 'finds the first movies whose genre contains the text: whole, in any case, in the order of the catalogue',
      weight: 6,
      is: ({ movies }, { text, limit }) => search(movies, text, limit),
      good: searches.anySearch,
      near: ({ random, state: { movies } }) =>
        searchFor(searches.inAnyCase(random, shelfText(random, movies)), random.int(1, 50)),
      cases: {
        'sends as many movies as the limit says': { weight: 10, value: searches.narrower },
        'understands percent-encoding': { weight: 2, value: searches.encoded },
        'finds nothing where no genre contains the text': { weight: 2, value: searches.nothing },
        [inOnePiece]: { weight: 2, value: searches.scattered },
        [ofNew]: { value: searches.found },
        [ofRemembered]: { value: searches.remembered },
        [ofAccents]: { weight: 2, value: searches.accents }
      },
      odd: (random) => oddNumbers(random).map((limit) => searchFor(random.pick(['Drama', 'com', 'r, W']), limit)),
      wrongRule: 'answers 400 to a limit that is not a positive whole number'
    },
    'POST /movies': {
      rule: 'answers a new movie with 201, and the movie with its id',
      effect: 'finds a new movie in the very next search',
      weight: 3,
      broken: false,
      touches: [ofNew, ofNew, ofRemembered, ofAccents, ofAccents],
      body: (random, given) => searches.movieToAdd({ random, ...given }),
      underLoad: (random, { state: { movies } }) =>
        ({ ...makeMovie(random), Genre: `${shelfText(random, movies)}, ${rareText(random)}` }),
      wrong: (random, movie) => wrongBodies(random, movie, { Title: 'text', Genre: 'text' }),
      wrongWeight: 3,
      wrongRule: 'answers 400 to a movie without a genre or a title',
      then: ({ movies }, sent) => ({ movies: [...movies, { ...sent, id: movies.length + 1 }] }),
      answers: ({ movies }) => movies.at(-1)
    }
  },

  sequence: { steps: 90 },

  contract: { before: { [backtracking]: takesPatterns, [literal]: takesSpecials } },
  knownToFail: [
    {
      check: literal,
      why: 'It takes the text as a regular expression: `(` gets a 500, `.` finds every movie.'
    },
    {
      check: backtracking,
      why: 'It takes the text as a regular expression: one search keeps the event loop busy, and all others wait.'
    }
  ],

  promised: {
    [inOnePiece]: '200, a JSON array of the first :limit movies whose Genre contains the text',
    [ofNew]: 'movies come whole, in the order of the catalogue, new ones at the end',
    [ofRemembered]: 'a new movie is found by the next search',
    [backtracking]: 'the text is taken literally',
    [literal]: 'the text is taken literally: . finds a full stop, ( a bracket and + a plus'
  },

  loads: { search: { mix: { [route]: 99, 'POST /movies': 1 }, near: 1 / 16 } },

  gates: {
    search: {
      rate: 4,
      look: 'Of the work that a search does for each movie, how much is for movies that the client never gets?'
    }
  },

  sourceHints: [
    {
      pattern: /\bnew RegExp\s*\(/,
      unless: /escape/i,
      warning:
        'A RegExp made from what a client typed gives some characters a meaning. Does every special character of the ' +
          'search still count as text?'
    }
  ],

  mechanism: {
    expected: 'CPU time per request falls: a search does no work for movies that it does not send',
    load: 'search',
    cpuPerRequest: 'falls',
    shows: [{ figure: 'function', of: ['findByGenre', 'allMovies'], does: 'falls' }]
  }
})

/**
 * Five times `.*` take about the fifth power of a genre's length: long enough to be felt, short enough to end, as long
 * as no genre is long.
 *
 * @param {Given} given
 */
async function takesPatterns (given) {
  const text = `(.*)(.*)(.*)(.*)(.*)=\\d ${rareText(given.random)}`
  await findsOnly(given, text, await add(given, text))
}

/** @param {Given} given */
async function takesSpecials (given) {
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
