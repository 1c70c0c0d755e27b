import assert from 'node:assert/strict'
import test from 'node:test'
import { shrink } from '../../../runner/contract/shorten-failure.js'
import { fc } from '../../properties.js'

/** @import { Moment } from '../../../runner/contract/operation.js' */

/** @param {number} count @returns {Moment[]} */
const moments = (count) => Array.from({ length: count }, () => ({ steps: [] }))

test('finds the few moments without which nothing fails', async () => {
  await fc.assert(fc.asyncProperty(
    fc.integer({ min: 1, max: 60 }),
    fc.array(fc.nat(), { minLength: 1, maxLength: 3 }),
    async (count, places) => {
      const all = moments(count)
      const needed = [...new Set(places.map((place) => all[place % count]))]
      const tryOut = async (/** @type {Moment[]} */ some) => needed.every((one) => some.includes(one)) ? 'fails' : null
      const { moments: left, failure } = await shrink(all, 'fails', tryOut, { mostTries: 10_000 })
      assert.equal(failure, 'fails')
      assert.deepEqual(new Set(left), new Set(needed))
    }
  ))
})

test('stops after so many tries, with what it has', async () => {
  let tries = 0
  const all = moments(50)
  const tryOut = async (/** @type {Moment[]} */ some) => {
    tries++
    return some.includes(all[7]) ? 'fails' : null
  }
  const { moments: left } = await shrink(all, 'fails', tryOut, { mostTries: 6 })
  assert.equal(tries, 6)
  assert.ok(left.includes(all[7]) && left.length < 50)
})

test('a failure that is not seen again leaves the sequence as it was', async () => {
  const all = moments(8)
  const { moments: left, failure } = await shrink(all, 'seen once', async () => null, { mostTries: 100 })
  assert.deepEqual(left, all)
  assert.equal(failure, 'seen once')
})
