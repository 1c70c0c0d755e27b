import test from 'node:test'
import { createRandom, newSeed } from '../runner/random.js'

/**
 * `npm test` has minutes, `npm run test:whole` has all of them: of what is long it takes a sample, a new one each time.
 * MAKE_IT_FAST_WHOLE=1 takes all, MAKE_IT_FAST_DRAW=SEED the sample of an earlier run.
 *
 * @template T
 * @param {readonly T[]} all
 * @param {(one: T) => string} groupOf
 * @param {number} count of each group
 * @returns {{ some: T[], note: string }} note: what was done, for the title of a test
 */
export function drawn (all, groupOf, count) {
  if (process.env.MAKE_IT_FAST_WHOLE === '1') return { some: [...all], note: `all ${all.length}` }
  /** @type {Map<string, T[]>} */
  const groups = new Map()
  for (const one of all) groups.set(groupOf(one), [...groups.get(groupOf(one)) ?? [], one])
  const some = [...groups.values()].flatMap((group) => shuffled(group).slice(0, count))
  return { some: all.filter((one) => some.includes(one)), note: `${some.length} of ${all.length}, drawn` }
}

/** @template T @param {readonly T[]} list @returns {T[]} */
export function shuffled (list) {
  return createRandom(process.env.MAKE_IT_FAST_DRAW ?? newSeed()).shuffle(list)
}

/**
 * node:test's `test` for what is long: it registers a share of the tests, drawn anew each time by their names.
 *
 * @param {number} share 0 to 1
 * @returns {typeof test}
 */
export function sampled (share) {
  const seed = process.env.MAKE_IT_FAST_DRAW ?? newSeed()
  const isWhole = process.env.MAKE_IT_FAST_WHOLE === '1'
  const register = (/** @type {[string, ...any]} */ ...given) => {
    if (isWhole || createRandom(`${seed}/${given[0]}`).next() < share) test(...given)
  }
  return /** @type {any} */ (register)
}
