import { haste } from '../shared/hashing.js'
import { almost, login, newPassword, newcomer, registration } from './users.js'

/**
 * @import { Answer, Given } from '../../runner/contract/index.js'
 * @import { Check } from '../../runner/lesson/index.js'
 * @import { Credentials } from './users.js'
 */

/**
 * What every correct server of this lesson must do. Nearly every request costs a hash, tens of milliseconds: checks are
 * sparing with them.
 *
 */

const newcomerCount = 5
const loginCount = 20
// On a busy machine an answer without a hash can be late for other reasons: whoever looks hasty is asked more often.
const repeatCount = 3
const suspiciousRepeats = 20
const suspiciousShare = 3 / 4
/** @type {Record<number, string>} */
const texts = { 200: 'OK', 400: 'Bad Request', 401: 'Unauthorized', 409: 'Conflict' }
// Names that every plain object has without anybody putting them there.
const namesOfObjects = ['__proto__', 'constructor']

/** @type {Check[]} */
export const contract = [
  {
    name: 'answers ordinary requests with 200, not with an error',
    when: ['before'],
    // What a benchmark sends, and what its table counts without looking: nothing but requests that are in order.
    run: async ({ get, data, random, fail }) => {
      const newcomers = Array.from({ length: newcomerCount }, () => newcomer(random))
      const registered = await Promise.all(newcomers.map((user) => get(registration(user))))
      const answers = [...registered]
      for (const users of [data.users, newcomers]) {
        const visits = Array.from({ length: loginCount / 2 }, () => get(login(random.pick(users))))
        answers.push(...await Promise.all(visits))
      }
      const errors = answers.filter(({ status }) => status !== 200).map(({ status }) => status)
      if (errors.length > 0) {
        fail(
          `${errors.length} of ${answers.length} answers are errors (status ` +
            `${[...new Set(errors)].sort().join(', ')}), though every request was in order: ` +
            `${newcomerCount} registrations of new names, then ${loginCount} logins with the right password`
        )
      }
      for (const answer of answers) says(answer, 200)
    }
  },
  {
    name: 'answers GET /healthz with {"status":"ok"}',
    run: async ({ get }) => {
      (await get('/healthz')).expectStatus(200).expectType('application/json').expectJson({ status: 'ok' })
    }
  },
  {
    name: 'answers 401 to a wrong password, also after a right one',
    run: async ({ get, data, random }) => {
      const { username, password } = random.pick(data.users)
      const wrong = login({ username, password: almost(password, random) })
      says(await get(wrong), 401)
      says(await get(login({ username, password })), 200)
      says(await get(wrong), 401)
    }
  },
  {
    name: 'answers 401 to a name that nobody registered',
    run: async ({ get, random }) => {
      says(await get(login(newcomer(random))), 401)
    }
  },
  {
    name: 'lets a new user in as soon as the registration is answered',
    run: async ({ get, random }) => {
      const user = newcomer(random)
      says(await get(registration(user)), 200)
      says(await get(login(user)), 200)
      says(await get(login({ ...user, password: almost(user.password, random) })), 401)
    }
  },
  {
    name: 'answers 409 to a name that is taken, and keeps the password of its owner',
    run: async ({ get, data, random }) => {
      const { username, password } = random.pick(data.users)
      const thief = { username, password: newPassword(random) }
      says(await get(registration(thief)), 409)
      says(await get(login(thief)), 401)
      says(await get(login({ username, password })), 200)
    }
  },
  {
    name: 'gives a name to one of several who ask for it at the same time',
    run: async ({ get, random, fail }) => {
      const { username } = newcomer(random)
      const rivals = Array.from({ length: 3 }, () => ({ username, password: newPassword(random) }))
      const answers = await Promise.all(rivals.map((rival) => get(registration(rival))))
      const statuses = answers.map(({ status }) => status).sort().join(', ')
      if (statuses !== '200, 409, 409') {
        fail(
          'GET /newUser: three registrations of one new name at the same time should get 200, 409 and 409, got ' +
            `${statuses}`
        )
      }
      const winner = answers.findIndex(({ status }) => status === 200)
      says(await get(login(rivals[winner])), 200)
      says(await get(login(rivals[(winner + 1) % rivals.length])), 401)
    }
  },
  {
    name: 'answers a login beside its own registration with 200 or 401',
    run: async ({ get, random }) => {
      const user = newcomer(random)
      const [registered, early] = await Promise.all([get(registration(user)), get(login(user))])
      says(registered, 200)
      says(early, early.status === 200 ? 200 : 401)
    }
  },
  {
    name: 'takes __proto__ and constructor for names like any other',
    run: async ({ get, random }) => {
      for (const username of namesOfObjects) {
        const user = { username, password: newPassword(random) }
        says(await get(login(user)), 401)
        says(await get(registration(user)), 200)
        says(await get(login(user)), 200)
        says(await get(registration(user)), 409)
      }
      // A record that became the prototype of the store shows its fields as users.
      for (const username of ['salt', 'hash', 'toString']) says(await get(login({ username, password: 'secret' })), 401)
    }
  },
  {
    name: 'hashes the password at every login',
    run: async ({ get, data, random }) => {
      await logInAgainAndAgain(get, random.pick(data.users), data)
    }
  },
  {
    name: 'hashes the password of a new user as thoroughly as the others',
    run: async ({ get, data, random }) => {
      const user = newcomer(random)
      inTime(says(await get(registration(user)), 200), data)
      await logInAgainAndAgain(get, user, data)
    }
  },
  {
    name: 'answers 400 to a name or password that is missing, empty or sent twice, and lives on',
    run: async ({ get, data, random }) => {
      const { username } = newcomer(random)
      const name = `username=${encodeURIComponent(username)}`
      const queries = ['', `?${name}`, '?password=secret', `?${name}&password=`, '?username=&password=secret',
        `?${name}&password=secret&password=public`, `?${name}&${name}&password=secret`]
      for (const path of ['/newUser', '/auth']) {
        for (const query of queries) says(await get(path + query), 400)
      }
      // A known name gets as far as the hash.
      const known = `username=${encodeURIComponent(random.pick(data.users).username)}`
      says(await get(`/auth?${known}&password=secret&password=public`), 400)
      says(await get(registration({ username, password: newPassword(random) })), 200)
    }
  }
]

/** @param {Answer} answer @param {number} status @returns {Answer} */
function says (answer, status) {
  answer.expectStatus(status).expectType('text/plain')
  if (answer.text !== texts[status]) {
    answer.fail(`expected the text ${texts[status]}, got ${answer.text.slice(0, 60) || 'nothing'}`)
  }
  return answer
}

/** @param {Given['get']} get @param {Credentials} user @param {{ hashMs: number }} data */
async function logInAgainAndAgain (get, user, data) {
  let repeats = repeatCount
  for (let i = 0; i < repeats; i++) {
    const answer = says(await get(login(user)), 200)
    inTime(answer, data)
    if (answer.elapsedMs < data.hashMs * suspiciousShare) repeats = suspiciousRepeats
  }
}

/** @param {Answer} answer @param {{ hashMs: number }} data */
function inTime (answer, { hashMs }) {
  const problem = haste(answer.elapsedMs, hashMs)
  if (problem !== undefined) answer.fail(problem)
}
