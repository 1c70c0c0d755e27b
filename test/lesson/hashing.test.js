import assert from 'node:assert/strict'
import test from 'node:test'
import { costProblem } from '../../lessons/shared/hashing.js'
import { createRandom } from '../../runner/shared/random.js'

/**
 * Logins of a server with an account of its CPU time, whatever the time of this machine.
 *
 * @typedef {object} Costs
 * @property {(nth: number) => number} [right] ms of CPU time of a login, by how many there were before
 * @property {(nth: number) => number} [wrong] of one that is refused
 * @property {(nth: number) => number} [crowded] of each of many of one user at once, by how many there were before
 * @property {boolean} [isTold] default true
 */

const hashMs = 100
const usual = () => hashMs

/**
 * @param {Costs} costs
 * @returns {Promise<{ problem?: string, late?: string, count: number }>} count: of those in crowds and wrong ones
 */
async function judged ({ right = usual, wrong = usual, crowded = right, isTold = true }) {
  let used = 0
  let visits = 0
  const counts = { right: 0, wrong: 0, crowded: 0 }
  /** Takes no time, and says that it took as long as a hash. @param {number} ms */
  const take = async (ms) => {
    used += ms
    return hashMs
  }
  // One more login follows the visits, and then the crowds.
  const isCrowded = () => visits > 0 && visits++ > 60
  /** @type {string | undefined} */
  let late
  const problem = await costProblem({
    right: () => take(isCrowded() ? crowded(counts.crowded++) : right(counts.right++)),
    other: () => take(usual()),
    wrong: () => take(wrong(counts.wrong++)),
    visit: () => {
      visits++
      return take(1)
    }
  }, {
    hashMs,
    password: 'correct horse',
    random: createRandom('s'),
    cpuMs: async () => isTold ? used : NaN,
    late: (message) => {
      late = message
      throw new Error('late')
    }
  }).catch((error) => {
    if (late === undefined) throw error
    return undefined
  })
  return { problem, late, count: counts.crowded + counts.wrong }
}

test('logins that cost a hash each are right, whatever else a machine does', async () => {
  const right = await judged({})
  assert.deepEqual([right.problem, right.late], [undefined, undefined])
  // A collection of garbage, now and then.
  const uneven = (/** @type {number} */ nth) => nth % 3 === 0 ? 3 * hashMs : hashMs
  const other = await judged({ right: uneven })
  assert.deepEqual([other.problem, other.late], [undefined, undefined])
  const untold = await judged({ isTold: false })
  assert.deepEqual([untold.problem, untold.late], [undefined, undefined])
  // A crowd of equal ones that costs what they must needs no crowd of different ones.
  assert.equal(untold.count - right.count, 24)
})

test('wrong passwords that cost nothing are seen by their CPU time', async () => {
  const { problem, late } = await judged({ wrong: () => 1 })
  assert.match(problem ?? '', /wrong passwords cost less than half .+ 1\.0 ms of CPU time, and the right one 100\.0 ms/)
  assert.equal(late, undefined)
})

test('a wrong password that is remembered once it has been refused several times is seen', async () => {
  // Seven others come first, then three almost right ones, and three times the same.
  const { problem } = await judged({ wrong: (nth) => nth === 13 ? 1 : hashMs })
  assert.match(problem ?? '', /refused before costs 1\.0 ms of CPU time, and others 100\.0 ms/)
})

test('a crowd that shares a hash, or sleeps, is seen by its CPU time', async () => {
  const shares = (/** @type {number} */ nth) => nth % 8 === 0 ? hashMs : 0
  assert.match((await judged({ crowded: shares })).problem ?? '', /24 equal logins at the same time cost \d+ ms/)
  assert.match((await judged({ crowded: () => 1 })).problem ?? '', /do they share a hash\?/)
})

test('what is uneven only now and then is settled as a late answer is', async () => {
  // One even pair of seven.
  const { problem, late } = await judged({ wrong: (nth) => nth === 7 ? hashMs : 1 })
  assert.equal(problem, undefined)
  assert.match(late ?? '', /wrong passwords cost less than half/)
})
