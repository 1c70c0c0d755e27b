import { kindOf } from '../../judge/index.js'

/**
 * How far learners with the same trouble are from the target of its gate. Pure.
 *
 * @import { SentRecord } from '../../judge/index.js'
 *
 * @typedef {object} Distance
 * @property {number} from the lowest ratio
 * @property {number} to the highest one
 * @property {number} target
 * @property {string} unit
 * @property {boolean} isAtMost the ratio must not exceed the target
 */

const most = 1e6

/** @param {SentRecord['gates'][number]} [gate] @returns {Distance | null} null: figures missing or impossible */
export function distanceOf (gate) {
  if (gate === undefined) return null
  const { kind, ratio, target } = gate
  if (ratio === null || target === null || !isFigure(ratio) || !isFigure(target)) return null
  const { ratioUnit, direction } = kindOf(kind)
  return { from: ratio, to: ratio, target, unit: ratioUnit, isAtMost: direction === 'at most' }
}

/** @param {readonly (Distance | null)[]} all @returns {Distance | null} null: their targets differ */
export function spanOf (all) {
  const known = all.flatMap((one) => one ?? [])
  const [first] = known
  const isOther = (/** @type {Distance} */ { target, unit }) => target !== first.target || unit !== first.unit
  if (first === undefined || known.some(isOther)) return null
  const [from, to] = [Math.min(...known.map((one) => one.from)), Math.max(...known.map((one) => one.to))]
  return { ...first, from, to }
}

/** @param {number} value */
function isFigure (value) {
  return value >= 0 && value <= most
}
