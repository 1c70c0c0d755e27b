import { makeMovies } from '../shared/movies.js'
import { backtracking, contract, literal } from './contract.js'
import { operations } from './operations.js'
import { promises } from './promises.js'
import { model, stream } from './streams.js'

/** @import { Lesson } from '../../runner/lesson/index.js' */

/** @type {Lesson} */
export default {
  id: 'regex-in-loop',
  title: 'A RegExp in the loop',
  summary: 'A search that builds a RegExp for every movie. Everybody suspects it. Find out whether the profile does.',

  data ({ random }) {
    const movies = makeMovies(random)
    return { files: { 'movies.json': JSON.stringify(movies) }, data: { movies } }
  },

  operations,
  promises,

  sequence: { steps: 90 },

  contract,

  knownToFail: [
    {
      check: literal,
      why: 'It reads the text as a regular expression: `(` is answered with 500, `.` finds every movie.'
    },
    {
      check: backtracking,
      why: 'It reads the text as a regular expression: one search keeps the event loop busy, and everybody waits.'
    }
  ],

  model,

  loads: {
    search: { stream, connections: 8, sliceMs: 200 }
  },

  gates: [
    {
      name: 'search',
      kind: 'rate',
      load: 'search',
      target: 4,
      look: 'Of the work that a search does for each movie, how much is for movies that the client never gets?'
    }
  ],

  sourceHints: [
    {
      pattern: /\bnew RegExp\s*\(/,
      unless: /escape/i,
      warning:
        'A RegExp made of what a client typed gives some characters a meaning. Does every special character of the ' +
          'search reach it as text?'
    }
  ],

  mechanism: {
    expected: 'CPU time per request falls: a search does no work for movies that it does not send',
    load: 'search',
    cpuPerRequest: 'falls',
    shows: [{ figure: 'function', of: ['findByGenre', 'allMovies'], does: 'falls' }]
  }
}
