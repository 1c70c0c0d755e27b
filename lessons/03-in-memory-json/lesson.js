import { makeMovies } from '../shared/movies.js'
import { contract } from './contract.js'
import { operations } from './operations.js'
import { promises } from './promises.js'
import { makeModel, listStream, conditionalStream } from './streams.js'

/** @import { Lesson } from '../../runner/lesson/index.js' */

/** @type {Lesson} */
export default {
  id: 'in-memory-json',
  title: 'In-memory JSON',
  summary: 'A catalogue held in memory, and yet slow to send. Find out what the server does again for every request.',

  data ({ random }) {
    const movies = makeMovies(random)
    return { files: { 'movies.json': JSON.stringify(movies) }, data: { movies } }
  },

  operations,
  promises,

  sequence: { steps: 110, restart: true },

  contract,

  model: makeModel,

  loads: {
    list: { stream: listStream, connections: 8, sliceMs: 180 },
    conditional: { stream: conditionalStream, connections: 8, sliceMs: 180 }
  },

  gates: [
    {
      name: 'list',
      kind: 'rate',
      load: 'list',
      target: 2.5,
      look: 'Between two writes every list is the same bytes. What does your server still work out for each of them?'
    },
    {
      name: 'conditional',
      kind: 'rate',
      load: 'conditional',
      target: 7,
      look: 'A 304 has no body. How much of the list does your server touch before it decides to send nothing?'
    }
  ],

  sourceHints: [
    {
      pattern: /\bsetInterval\s*\(/,
      warning:
        'A copy of the list that a timer renews is stale until the timer fires. A write knows exactly when the copy ' +
          'is old.'
    }
  ],

  mechanism: {
    expected: 'CPU time per request falls: the list is serialised and hashed once a write, not once a request',
    load: 'list',
    cpuPerRequest: 'falls',
    shows: [{ figure: 'function', of: ['stringify'], does: 'falls' }]
  }
}
