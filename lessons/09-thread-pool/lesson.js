import { contract } from './contract.js'
import { makeData } from './data.js'
import { operations } from './operations.js'
import { avatars, logins, newModel } from './streams.js'

/** @import { Lesson } from '../../runner/lesson/index.js' */

const connectionCount = 16

/** @type {Lesson} */
export default {
  id: 'thread-pool',
  title: 'Small pictures, long waits',
  part: 'Go further',
  summary:
    'Nothing blocks the event loop, yet small pictures take ages while people log in. Find out which queue they’re in.',

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
      name: 'avatars under login load',
      kind: 'latency',
      load: 'login',
      percentile: 99,
      target: 3,
      look: 'Sending an avatar takes a few steps, each on a thread that may touch the disk. How many hashes are ' +
        'ahead of each step?'
    },
    {
      name: 'logins',
      kind: 'rate',
      load: 'login',
      // There's nothing to gain here, only to lose. One thread of four kept for files costs a quarter of the hashes
      // where every thread has a core, and nothing where there are fewer cores than hashing threads.
      target: ({ cores }) => (cores < 4 ? 0.65 : 0.5),
      look: 'How many hashes may run at the same time, and how many cores do they have?'
    },
    {
      name: 'hashing',
      kind: 'work',
      load: 'login',
      target: 0.7,
      look: 'How much CPU time does a login take, and how much on the slow server? Which hash isn’t computed?'
    }
  ],

  sourceHints: [
    {
      pattern: /UV_THREADPOOL_SIZE/,
      warning:
        'UV_THREADPOOL_SIZE is read once, when the pool is first used. In an ES module on Node.js 20, and on ' +
          'Windows, this line can come too late: count the threads.'
    },
    {
      pattern: /\b(statSync|existsSync|lstatSync)\s*\(/,
      warning:
        'A synchronous look at the disk blocks the main thread. On a local disk that takes microseconds. How long ' +
          'does it take on a network drive?'
    },
    {
      pattern: /\bsetInterval\s*\(|\bfs\.watch\w*\s*\(|\bwatch\w*\s*\(/,
      warning:
        'A timer or a watcher learns of a changed file some time after the change. The very next request can come ' +
          'earlier.'
    }
  ],

  mechanism: {
    expected: 'No work is saved: every login still pays for its hash in CPU time.',
    load: 'login',
    cpuPerRequest: 'stays'
  },
  eventLoop: {}
}
