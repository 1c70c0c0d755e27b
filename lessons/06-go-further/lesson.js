import { makeData } from './content.js'
import { contract } from './contract.js'
import { operations } from './operations.js'
import { promises } from './promises.js'
import { conditionalStream, makeModel, seedStream } from './streams.js'

/** @import { Lesson } from '../../runner/lesson/index.js' */

/** @type {Lesson} */
export default {
  id: 'go-further',
  title: 'Go further',
  summary:
    'Lesson 2’s server without its bug. Nothing is broken any more: find out what each answer still costs, and why.',

  data ({ random }) {
    const data = makeData(random)
    return { files: { 'seed.json': JSON.stringify({ data }) }, data: { data } }
  },

  operations,
  promises,

  sequence: { steps: 110, restart: true },

  contract,

  model: makeModel,

  loads: {
    seed: { stream: seedStream, connections: 8, sliceMs: 250 },
    conditional: { stream: conditionalStream, connections: 8, sliceMs: 250 }
  },

  gates: [
    {
      name: 'seed',
      kind: 'rate',
      load: 'seed',
      target: 2,
      look: 'Between two changes, which part of an answer differs from the one before, and how much work goes into ' +
        'the rest?'
    },
    {
      name: 'conditional',
      kind: 'rate',
      load: 'conditional',
      target: 3,
      look: 'What does your server have to know before it can answer 304? What does it work out before it does?'
    }
  ],

  sourceHints: [
    {
      pattern: /\bsetInterval\s*\(/,
      warning:
        'An answer that a timer renews is stale until the timer fires. A PUT knows exactly when the answer is old.'
    },
    {
      pattern: /ETag['"]?\s*[,:]\s*[`'"]W\//i,
      warning: 'W/ marks a weak ETag. This lesson asks for a strong one: the same ETag, the same bytes.'
    }
  ],

  mechanism: {
    expected: 'CPU time per request falls: what depends on the content alone is made once a change, not once a request',
    load: 'seed',
    cpuPerRequest: 'falls',
    shows: [{ figure: 'function', of: ['describe', 'canonical'], does: 'falls' }]
  }
}
