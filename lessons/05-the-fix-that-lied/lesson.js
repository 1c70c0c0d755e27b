import { comparesInUnequalTime, hashingLoad } from '../shared/hashing.js'
import { gatesOffLoop } from '../shared/parallel-gates.js'
import { damage, makeUsers } from '../shared/users.js'
import { contract } from './contract.js'
import { operations } from './operations.js'
import { newModel, visitors } from './streams.js'

/** @import { Lesson } from '../../runner/lesson/index.js' */

const connectionCount = 8
// As in server.js; with these a contract of some fifty hashes stays short.
const hashIterations = 8000
/** Users who can't log in, because a half byte of their hash is wrong. */
const damagedCount = 2

/** @type {Lesson} */
export default {
  id: 'the-fix-that-lied',
  title: 'The fix that lied',
  part: 'Find the cause',
  summary:
    'A colleague made this server a hundred times faster. Find out what it stopped doing, then make it fast and right.',

  async data ({ random }) {
    const made = await makeUsers(random.fork('users'), { count: 4 + damagedCount, iterations: hashIterations })
    const { users, passwords, hashMs } = made
    const [first, last] = users.slice(-damagedCount)
    damage(first, random.int(0, first.hash.length - 1))
    damage(last, last.hash.length - 1)
    const named = users.map((user) => ({ ...user, username: user.email.split('@')[0] }))
    const stored = named.map(({ username, salt, hash }) => ({ username, salt, hash }))
    const credentials = named.map(({ username, email }) => ({ username, password: passwords[email] }))
    return {
      files: { 'users.json': JSON.stringify(stored, null, 2) },
      data: {
        users: credentials.slice(0, -damagedCount),
        damaged: credentials.slice(-damagedCount),
        hashMs,
        connections: connectionCount
      }
    }
  },

  operations,
  sequence: { steps: 30 },

  contract,
  promised: {
    'registers many different names at the same time':
      '200 when the name was free and is now yours, 409 when the name is taken'
  },
  model: newModel,

  loads: { visitors: hashingLoad(visitors, connectionCount) },

  gates: gatesOffLoop('visitors', {
    latency: {
      name: 'healthz under login load',
      look: 'Which function still computes a hash on the main thread? How long do all other requests wait for it?'
    },
    parallel: {
      name: 'logins and registrations',
      lookAtRate: 'How many hashes are computed at the same time while this load runs? How many cores are busy?',
      lookAtUse: 'Which hash is waited for before the next one starts?'
    },
    work: {
      name: 'hashing',
      target: 0.7,
      look: 'How much CPU time does one of your answers cost, and one of the slow server’s? Which hash isn’t computed?'
    }
  }),

  sourceHints: [comparesInUnequalTime],

  mechanism: {
    expected:
      'Every login and registration still costs its hash in CPU time; the hash is only computed off the event loop.',
    load: 'visitors',
    cpuPerRequest: 'stays',
    shows: [{ figure: 'loopDelay', does: 'falls' }, { figure: 'function', of: ['pbkdf2Sync'], does: 'falls' }]
  }
}
