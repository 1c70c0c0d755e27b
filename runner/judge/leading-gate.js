/** @import { GateResult } from './record.js' */

/**
 * The gate that represents a whole check where there's room for one figure: the first that was measured. A gate
 * judged without the baseline, with a limit, has no ratio. Pure.
 *
 * @template {Pick<GateResult, 'ratio' | 'direction'>} T
 * @param {readonly T[]} gates
 * @returns {T | undefined}
 */
export function leadingGate (gates) {
  return gates.find((gate) => typeof gate?.ratio === 'number' && gate.direction !== 'at most')
}

/** @param {Pick<GateResult, 'tiers'>} [gate] @returns {string | null} the highest tier that was reached */
export function reachedTier (gate) {
  return gate?.tiers?.filter(({ verdict }) => verdict === 'pass').at(-1)?.name ?? null
}
