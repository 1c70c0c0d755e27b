import { parseArgs } from 'node:util'

/**
 * Which cases of a file run (`npm run test:load`): `--shard 1/4` is every fourth, and `--only TEXT` those with that in
 * their title, whatever the shard. Without either it's all of them.
 */

/** What random numbers of the tests begin with: the same in every run. */
export const seed = 'Make It Fast'

const { values } = parseArgs({
  // A file of tests may be run by other means, which have arguments of their own.
  strict: false,
  options: { shard: { type: 'string' }, only: { type: 'string' } }
})
const shard = String(values.shard ?? '1/1')

/**
 * @template T
 * @param {readonly T[]} all
 * @param {(one: T) => string} titleOf
 * @returns {T[]} in their order
 */
export function cases (all, titleOf) {
  return casesOf(all, titleOf, { only: /** @type {string | undefined} */ (values.only), shard })
}

/**
 * Pure.
 *
 * @template T
 * @param {readonly T[]} all
 * @param {(one: T) => string} titleOf
 * @param {{ only?: string, shard: string }} choice
 * @returns {T[]} in their order
 */
export function casesOf (all, titleOf, { only, shard }) {
  return only === undefined ? ofShard(all, shard) : all.filter((one) => titleOf(one).includes(only))
}

/** How often this shard tries what is tried at random. @param {number} all */
export function times (all) {
  return Math.ceil(all / readShard(shard).of)
}

/**
 * Pure.
 *
 * @template T
 * @param {readonly T[]} all
 * @param {string} shard `1/4`
 * @returns {T[]} every so many-th
 * @throws {Error}
 */
export function ofShard (all, shard) {
  const { number, of } = readShard(shard)
  return all.filter((_, at) => at % of === number - 1)
}

/** @param {string} shard @throws {Error} */
function readShard (shard) {
  const [number, of] = /^\d+\/\d+$/.test(shard) ? shard.split('/').map(Number) : []
  if (!(number >= 1 && number <= of)) throw new Error(`--shard is ${shard}, and not like 1/4.`)
  return { number, of }
}
