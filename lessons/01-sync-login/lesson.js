import { comparesInUnequalTime, hashingLoad } from '../shared/hashing.js'
import { makeAccounts } from '../shared/logins.js'
import { gatesOffLoop } from '../shared/parallel-gates.js'
import { makeUsers } from '../shared/users.js'
import { contract } from './contract.js'
import { operations } from './operations.js'
import { logins, newModel } from './streams.js'

/** @import { Lesson } from '../../runner/lesson/index.js' */

const connectionCount = 8
// Fewer than connections: a server that shares a hash between logins of one user shares many.
const userCount = 4
// Fixed, so that login.json can be sent by hand; its password is as unknown as the others.
const fixedEmail = 'someone@shop.example'

/** @type {Lesson} */
export default {
  id: 'sync-login',
  title: 'Synchronous login',
  part: 'Find the cause',
  summary: 'While one user logs in, everyone else waits. Find out what for.',

  async data ({ random, speed }) {
    const { stored, accounts } = await makeAccounts(random.fork('users'), {
      count: userCount,
      speed,
      first: { email: fixedEmail }
    })
    // Their hashes cost next to nothing, so that a check can afford many logins.
    const { users: [eldest], passwords } = await makeUsers(random.fork('eldest'), { count: 1, iterations: 10 })
    const config = {
      jwt: {
        secret: random.bytes(32).toString('hex'),
        issuer: `https://login.${random.word(8)}.example`,
        audience: `https://shop.${random.word(8)}.example`
      },
      accessTokenTtlSeconds: random.int(10, 20) * 60,
      refreshTokenTtlSeconds: random.int(7, 30) * 86400
    }
    return {
      files: {
        'users.json': JSON.stringify([...stored, eldest], null, 2),
        'config.json': JSON.stringify(config, null, 2)
      },
      data: {
        ...accounts,
        eldest: { ...eldest, password: passwords[eldest.email] },
        config,
        connections: connectionCount
      }
    }
  },

  operations,
  contract,
  promised: {
    'answers 200 to the right password, with new tokens and their lifetimes':
      'otherwise 200 with accessTokenExpiresIn and refreshTokenExpiresIn (seconds, from config.json) and an ' +
        'xsrfToken, at least 16 random characters, new for every login.'
  },
  model: newModel,
  loads: { login: hashingLoad(logins, connectionCount) },
  gates: gatesOffLoop('login', {
    latency: {
      name: 'healthz under login load',
      look: 'What does the main thread do between the arrival of a login and its response, and for how long at a time?'
    },
    parallel: {
      name: 'logins',
      lookAtRate: 'How many cores are busy while logins run? Which part of a login could run on another thread?',
      lookAtUse: 'How many hashes are computed at the same moment, while eight logins wait for theirs?'
    },
    work: {
      name: 'hashing',
      target: 0.7,
      look: 'How much CPU time does a login take, and how much on the slow server? Which hash isn’t computed?'
    }
  }),
  sourceHints: [comparesInUnequalTime],
  mechanism: {
    expected: 'Every login still pays for its hash in CPU time, but the hash no longer runs on the event loop.',
    load: 'login',
    cpuPerRequest: 'stays',
    shows: [{ figure: 'loopDelay', does: 'falls' }, { figure: 'function', of: ['pbkdf2Sync'], does: 'falls' }]
  },
  eventLoop: {
    asks: 'Eight clients log in, and others request /healthz. How many requests wait for the main thread at the line?'
  }
}
