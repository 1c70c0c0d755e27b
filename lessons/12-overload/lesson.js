import { form } from '../form/index.js'
import { contract, crowdCheck } from './contract.js'
import { makeDesk } from './desk.js'
import { operations } from './operations.js'
import { bystanders, quotes } from './streams.js'

export default form({
  id: 'overload',
  title: 'Overload',
  part: 'As in production',
  summary:
    'Twice as many orders come in as the server can handle, and soon all are answered too late. Find out which to ' +
      'refuse, and when.',

  data: ({ random }) => makeDesk(random),
  files: (desk) => ({ 'desk.json': JSON.stringify(desk) }),

  operations,
  // A quote costs milliseconds, and each of them is one more that the slow server has to make.
  sequence: { steps: 40 },
  contract,
  promised: Object.fromEntries(
    ['sends the quote of a number as it was answered',
      'sends the quote of an early number as it was answered, even after many others']
      .map((rule) => [rule, '200, the quote of that number as it was sent, or 404 {"error":"not_found"}'])),

  knownToFail: [{ check: crowdCheck, why: 'It serves every order, however long that takes.' }],

  model: () => new Map(),
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

  gates: {
    'accepted requests': {
      p99: 3,
      of: 'load',
      look: 'How many orders may be ahead of one that your server accepts, and how long does each of them take?'
    },
    'answers a second': {
      rate: 0.5,
      look: 'The server has the same work to do as before. How much of its time goes into quotes, and does it ever ' +
        'wait for the next order?'
    },
    refusals: {
      kind: 'refusal',
      percentile: 99,
      target: 200,
      look: 'When does your server know that an order is one too many, and what does it do before it says so?'
    },
    calm: {
      kind: 'accepted',
      load: 'calm',
      target: 0.95,
      look: 'At half of the capacity, there’s time for every order. What makes your server believe that there isn’t?'
    }
  },

  sourceHints: [
    {
      pattern: /\b(process\.nextTick|queueMicrotask)\s*\(/,
      warning:
        'Ticks and microtasks all run before the loop reads again. Until the last of them has ended, requests that ' +
          'have come in aren’t read and can’t be refused.'
    }
  ],

  mechanism: {
    expected:
      'A quote takes the same CPU time as before. The capacity is the same; what changed is how many may wait.',
    load: 'overload',
    cpuPerRequest: 'stays'
  },
  eventLoop: {}
})
