import { expectEnd } from '../shared/ends.js'
import { makeOrder, orderIndex, someReport } from './shop.js'

/**
 * What the slow server cannot be asked about: it has one thread, and none that could be lost.
 *
 * @import { Given } from '../../runner/contract/index.js'
 * @import { Check } from '../../runner/lesson/index.js'
 */

// Enough to reach more than one thread of any pool; fewer than the connections of the load.
const atOnce = 4
// More than the threads of most pools: whoever does not replace a lost one has none left.
const failures = 6

/** @type {Check[]} */
export const contract = [
  {
    name: 'counts every order, whoever computes the report, also when others have failed',
    run: async ({ get, post, random, data, fail }) => {
      const [before] = await totals(get, [someReport(random, data).id])
      const fails = async () => (await get(`/report/${random.pick(data.damaged)}`)).expectStatus(500)
      for (const count of [0, failures]) {
        const added = await post('/orders', { json: makeOrder(random, data.products) })
        added.expectStatus(201)
        await Promise.all(Array.from({ length: count }, fails))
        const numbers = Array.from({ length: atOnce }, () => someReport(random, data).id)
        const [seen] = await Promise.all([totals(get, numbers), fails()])
        const total = before + (count === 0 ? 1 : 2)
        const wrong = seen.findIndex((one) => one !== total)
        if (wrong !== -1) {
          fail(`GET /report/${numbers[wrong]}: of the ${total} orders of the shop, this report knows ${seen[wrong]}`)
        }
      }
    }
  },
  {
    name: 'ends on SIGTERM, and all that it has started with it',
    when: ['before'],
    run: (given) => expectEnd(given, ({ get }) => {
      return totals(get, Array.from({ length: atOnce }, () => someReport(given.random, given.data).id))
    })
  }
]

/**
 * How many orders the shop has, as reports show that are asked for at the same moment.
 *
 * @param {Given['get']} get
 * @param {number[]} numbers
 */
function totals (get, numbers) {
  return Promise.all(numbers.map(async (n) => {
    const answer = (await get(`/report/${n}`)).expectStatus(200)
    const { report, since, orders } = answer.json()
    if (report !== n) answer.fail(`expected the report ${n}, got ${JSON.stringify(report)}`)
    return orderIndex(since) + orders
  }))
}
