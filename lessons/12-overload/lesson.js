import { contract, crowdCheck } from './contract.js'
import { makeDesk } from './desk.js'
import { operations } from './operations.js'
import { bystanders, newModel, quotes } from './streams.js'

/** @import { Lesson } from '../../runner/lesson/index.js' */

/** @type {Lesson} */
export default {
  id: 'overload',
  title: 'Overload',
  summary:
    'Twice as many orders come in as the server can serve, and soon everybody is served too late. Find out whom to ' +
      'send away, and when.',

  data ({ random }) {
    const desk = makeDesk(random)
    return { files: { 'desk.json': JSON.stringify(desk) }, data: desk }
  },

  operations,
  // A quote costs milliseconds, and each of them is one more that the slow server has to make.
  sequence: { steps: 40 },

  contract,

  knownToFail: [
    {
      check: crowdCheck,
      why: 'It serves everybody, however long that takes.'
    }
  ],

  model: newModel,

  loads: {
    overload: {
      stream: quotes,
      connections: 4,
      arrivals: 2,
      sliceMs: 500,
      warmUpMs: 300,
      probe: { stream: bystanders, rate: 20 }
    },
    calm: { stream: quotes, connections: 4, arrivals: 0.5, sliceMs: 300, warmUpMs: 300 }
  },

  gates: [
    {
      name: 'accepted requests',
      kind: 'latency',
      of: 'load',
      load: 'overload',
      percentile: 99,
      target: 3.5,
      look: 'How many orders may be ahead of one that your server accepts, and how long does each of them take?'
    },
    {
      name: 'answers a second',
      kind: 'rate',
      load: 'overload',
      target: 0.5,
      look: 'The processor has the same work to do as before. How much of its time goes into quotes, and does it ' +
        'ever wait for the next order?'
    },
    {
      name: 'refusals',
      kind: 'refusal',
      load: 'overload',
      percentile: 99,
      target: 100,
      look: 'When does your server know that an order is one too many? And what does it do until it says so?'
    },
    {
      name: 'calm',
      kind: 'accepted',
      load: 'calm',
      target: 0.95,
      look: 'At half of the capacity there is time for everybody. What makes your server believe that there is not?'
    }
  ],

  sourceHints: [
    {
      pattern: /\b(process\.nextTick|queueMicrotask)\s*\(/,
      warning:
        'Ticks and microtasks all run before the loop goes on to read. What has come in meanwhile is not read, and ' +
          'cannot be refused, until the last of them has ended.'
    }
  ],

  mechanism: {
    expected:
      'A quote costs the same CPU time as before. No capacity was won: what changed is how many may wait for it.',
    load: 'overload',
    cpuPerRequest: 'stays'
  }
}
