import { haste } from '../shared/hashing.js'
import { newPassword, newcomer, pathOf } from './users.js'

/**
 * @import { Answer } from '../../runner/contract/index.js'
 * @import { Check } from '../../runner/lesson/index.js'
 */

// On a busy machine an answer without a hash can be late for other reasons: one look is not enough.
const hastyRepeats = 3

/** @type {Check[]} */
export const contract = [
  {
    name: 'gives a name to one of several who ask for it at the same time',
    run: async ({ get, random, fail }) => {
      const { username } = newcomer(random)
      const rivals = Array.from({ length: 3 }, () => ({ username, password: newPassword(random) }))
      const [answers, early] = await Promise.all([
        Promise.all(rivals.map((rival) => get(pathOf('newUser', rival)))),
        // Before the hash is there, nobody can say yet whose the name is.
        Promise.all(rivals.map((rival) => get(pathOf('auth', rival))))
      ])
      const statuses = answers.map(({ status }) => status).sort().join(', ')
      if (statuses !== '200, 409, 409') {
        fail(
          'GET /newUser: three registrations of one new name at the same time should get 200, 409 and 409, got ' +
            `${statuses}`
        )
      }
      for (const [index, rival] of rivals.entries()) {
        const wanted = answers[index].status === 200 ? 200 : 401
        if (early[index].status !== wanted) early[index].expectStatus(401)
        ;(await get(pathOf('auth', rival))).expectStatus(wanted)
      }
    }
  },
  {
    name: 'hashes the password at every login and registration',
    run: async ({ get, data, random }) => {
      const user = newcomer(random)
      inTime(await get(pathOf('newUser', user)), data)
      for (const each of [user, random.pick(data.users)]) {
        for (let i = 0; i < hastyRepeats; i++) inTime(await get(pathOf('auth', each)), data)
      }
    }
  }
]

/** @param {Answer} answer @param {{ hashMs: number }} data */
function inTime (answer, { hashMs }) {
  const problem = haste(answer.expectStatus(200).elapsedMs, hashMs)
  if (problem !== undefined) answer.fail(problem)
}
