import { contract } from './contract.js'
import { makeData } from './data.js'
import { operations } from './operations.js'
import { avatars, logins, newModel } from './streams.js'

/** @import { Lesson } from '../../runner/lesson/index.js' */

const connectionCount = 16

/** @type {Lesson} */
export default {
  id: 'thread-pool',
  title: 'The thread pool',
  summary:
    'Nothing blocks the event loop, and yet small pictures take ages while people log in. Find the queue they stand ' +
      'in.',

  data: ({ random, speed }) => makeData(random, { connections: connectionCount, speed }),

  operations,
  sequence: { steps: 80 },

  contract,

  model: newModel,

  loads: {
    login: {
      stream: logins,
      connections: connectionCount,
      sliceMs: 300,
      sliceAnswers: 8,
      // Hashing is native code: it is warm from the start.
      warmUpMs: 250,
      probe: { stream: avatars, rate: 50 }
    }
  },

  gates: [
    {
      name: 'avatars beside logins',
      kind: 'latency',
      load: 'login',
      percentile: 99,
      target: 3,
      look: 'An avatar is a few steps on a thread that may touch the disk. How many hashes stand before each of ' +
        'these steps?'
    },
    {
      name: 'logins',
      kind: 'rate',
      load: 'login',
      // Nothing is to be gained here, only to be lost. One thread of four kept for files costs a quarter of the hashes
      // where every thread has a core, and nothing where there are fewer cores than hashing threads.
      target: ({ cores }) => (cores < 4 ? 0.65 : 0.5),
      look: 'How many hashes may run at the same time, and how many cores do you have for them?'
    },
    {
      name: 'hashing',
      kind: 'work',
      load: 'login',
      target: 0.75,
      look: 'What does a login cost the processor, and what does it cost the slow server? Which hash is not computed?'
    }
  ],

  sourceHints: [
    {
      pattern: /UV_THREADPOOL_SIZE/,
      warning:
        'UV_THREADPOOL_SIZE is read once, at the first use of the pool. In an ES module on Node 20 and on Windows ' +
          'this line can come too late: count the threads.'
    },
    {
      pattern: /\b(statSync|existsSync|lstatSync)\s*\(/,
      warning:
        'A synchronous look at the disk holds the main thread. On a local disk that is microseconds; what is it on a ' +
          'network drive?'
    },
    {
      pattern: /\bsetInterval\s*\(|\bfs\.watch\w*\s*\(|\bwatch\w*\s*\(/,
      warning:
        'A timer or a watcher hears of a changed file some time after the change. The very next request can be earlier.'
    }
  ],

  mechanism: {
    expected: 'No work is saved: every login still costs its hash in CPU time.',
    load: 'login',
    cpuPerRequest: 'stays'
  }
}
