import { makeAccounts } from '../shared/logins.js'
import { uuid } from '../shared/users.js'
import { contract } from './contract.js'
import { operations } from './operations.js'
import { makePicture } from './pictures.js'
import { avatars, logins, newModel } from './streams.js'

/** @import { Lesson } from '../../runner/lesson/index.js' */

const connections = 16
// Fixed, so that login.json can be sent and this avatar requested by hand; its password is as unknown as the others.
const first = { id: '5c0ffee0-0000-4000-8000-000000000009', email: 'someone@shop.example' }

/** @type {Lesson} */
export default {
  id: 'thread-pool',
  title: 'Small pictures, long waits',
  part: 'Go further',
  summary:
    'Nothing blocks the event loop, yet small pictures take ages while people log in. Find out which queue they’re in.',

  async data ({ random, speed }) {
    const { stored, accounts } = await makeAccounts(random.fork('users'), { count: 7, speed, first })
    const config = { secret: random.bytes(32).toString('hex'), tokenTtlSeconds: random.int(10, 20) * 60 }
    const pictures = random.fork('avatars')
    const lasting = [...stored.map(({ id }) => id), ...Array.from({ length: 25 }, () => uuid(pictures))]
    const [one, ...others] = Array.from({ length: 3 }, () => uuid(pictures))
    // One that's only there once it has been put there.
    const changing = [one, pictures.word(8), ...others]
    const drawn = [...lasting, one, ...others].map((id) => ({ id, picture: makePicture(pictures) }))
    const avatars = drawn.slice(0, lasting.length).map(({ id, picture }) => [id, picture.toString('base64')])
    return {
      files: {
        'users.json': JSON.stringify(stored, null, 2),
        'config.json': JSON.stringify(config, null, 2),
        ...Object.fromEntries(drawn.map(({ id, picture }) => [`${id}.png`, picture]))
      },
      // changing: ids whose avatars are replaced and removed on disk; the others never change.
      data: { ...accounts, config, avatars: Object.fromEntries(avatars), changing, connections }
    }
  },

  operations,
  sequence: { steps: 80 },

  contract,

  model: newModel,

  loads: {
    login: {
      stream: logins,
      connections,
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
