import { comparesInUnequalTime } from '../shared/hashing.js'
import { parallelTarget } from '../shared/parallel-target.js'
import { makeUsers } from '../shared/users.js'
import { contract } from './contract.js'
import { healthz, logins, newModel } from './streams.js'

/** @import { Lesson } from '../../runner/lesson/index.js' */

const connectionCount = 8
// Fixed, so that login.json can be sent by hand; its password is as unknown as the others.
const fixedEmail = 'someone@shop.example'

/** @type {Lesson} */
export default {
  id: 'sync-login',
  title: 'Synchronous login',
  summary: 'While one user logs in, all others wait. Find out what they wait for.',

  async data ({ random, speed }) {
    const { users, passwords, hashMs } = await makeUsers(random.fork('users'), { count: 9, speed })
    passwords[fixedEmail] = passwords[users[0].email]
    users[0].email = fixedEmail
    const damaged = users[users.length - 1]
    // Tells a comparison of all 512 bytes from a comparison of the first few.
    damaged.hash = damaged.hash.slice(0, -1) + (damaged.hash.endsWith('0') ? '1' : '0')
    const config = {
      jwt: {
        secret: random.bytes(32).toString('hex'),
        issuer: `https://login.${random.word(8)}.example`,
        audience: `https://shop.${random.word(8)}.example`
      },
      accessTokenTtlSeconds: random.int(10, 20) * 60,
      refreshTokenTtlSeconds: random.int(7, 30) * 86400
    }
    const withPassword = users.map(({ id, email, firstName, lastName }) => ({
      id,
      email,
      firstName,
      lastName,
      password: passwords[email]
    }))
    return {
      files: { 'users.json': JSON.stringify(users, null, 2), 'config.json': JSON.stringify(config, null, 2) },
      data: {
        users: withPassword.slice(0, -1),
        damaged: withPassword[withPassword.length - 1],
        config,
        hashMs,
        connections: connectionCount
      }
    }
  },

  contract,
  model: newModel,
  loads: {
    login: {
      stream: logins,
      connections: connectionCount,
      sliceMs: 500,
      sliceAnswers: 10,
      // Hashing is native code: it is warm from the start.
      warmUpMs: 250,
      probe: { stream: healthz, rate: 50 }
    }
  },
  gates: [
    {
      name: 'healthz beside logins',
      kind: 'latency',
      load: 'login',
      percentile: 99,
      target: 10,
      look: 'What does the main thread do between the arrival of a login and its answer, and for how long at a stretch?'
    },
    {
      name: 'logins',
      kind: 'rate',
      load: 'login',
      target: parallelTarget(2),
      dropped: 'On one core two hashes cannot run at the same time, so the rate of logins is not judged here.',
      look: 'How many cores are busy while logins run? Which part of a login could run on another thread?'
    }
  ],
  sourceHints: [comparesInUnequalTime],
  mechanism: {
    expected: 'Every login still costs its hash in CPU time; the hash is only computed off the event loop.',
    load: 'login',
    cpuPerRequest: 'stays',
    shows: [
      { figure: 'loopDelay', does: 'falls' },
      { figure: 'function', of: ['pbkdf2Sync'], does: 'falls' }
    ]
  }
}
