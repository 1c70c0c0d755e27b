import { contract } from './contract.js'
import { operations } from './operations.js'
import { promises } from './promises.js'
import { answerCalls, makeShop } from './shop.js'
import { health, logins, makeModel, visitors } from './streams.js'

/** @import { Lesson } from '../../runner/lesson/index.js' */

const connectionCount = 8

/** @type {Lesson} */
export default {
  id: 'capstone',
  title: 'Capstone',
  summary:
    'A small shop, slow in more than one way. Nobody tells you where. Bronze, silver or gold: decide how far you go.',

  data: ({ random, speed }) => makeShop(random, { connections: connectionCount, speed }),

  upstream: answerCalls,

  operations,
  promises,
  sequence: { steps: 100 },

  contract,

  knownToFail: [{ check: 'keeps secrets out of the log', why: 'It logs all headers, and with them the tokens.' }],

  model: makeModel,

  loads: {
    shop: {
      stream: visitors,
      connections: connectionCount,
      sliceMs: 500,
      sliceAnswers: 50,
      probe: { stream: health, rate: 60 }
    },
    logins: {
      stream: logins,
      connections: connectionCount,
      sliceMs: 200,
      sliceAnswers: 10,
      // Hashing is native code: it is warm from the start.
      warmUpMs: 200
    }
  },

  gates: [
    {
      name: 'shop',
      kind: 'rate',
      load: 'shop',
      tiers: { bronze: 1.8, silver: 3, gold: 4.8 },
      look: 'Which route has the largest share of the server’s time: its share of the requests, times what one of ' +
        'them costs? Begin there, and measure again after each change.'
    },
    {
      name: 'healthz beside the shop',
      kind: 'latency',
      load: 'shop',
      percentile: 90,
      target: 1.5,
      look: 'Nobody is asked to do much for /healthz. Which request keeps the event loop for so long that the others ' +
        'wait?'
    },
    {
      name: 'work of a login',
      kind: 'work',
      load: 'logins',
      target: 0.7,
      look: 'A login costs what its hash costs, on whatever thread. Which part of that work is not done any more?'
    }
  ],

  sourceHints: [
    {
      pattern: /(hash|digest|derived|key)\w*(\.toString\([^)]*\))?\s*[!=]==?\s*\w*\.?\w*(hash|digest)/i,
      warning:
        'A comparison with === stops at the first difference, and how long it takes tells how much was right. ' +
          'timingSafeEqual does not.'
    },
    {
      pattern: /rejectUnauthorized\s*:\s*false|algorithms\s*:\s*\[[^\]]*none/i,
      warning: 'A check of signatures or certificates is switched off. That is fast, and it is a hole.'
    }
  ],

  mechanism: {
    expected: 'CPU time for a request of the mix falls',
    load: 'shop',
    cpuPerRequest: 'falls'
  }
}
