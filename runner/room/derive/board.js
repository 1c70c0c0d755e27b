/**
 * The board of the lesson with tiers: learners choose to be on it. Machines differ, so what counts is the share of
 * each machine's own limit. Pure.
 *
 * @import { Attempt } from './attempts.js'
 *
 * @typedef {object} Entry the best of one seat
 * @property {string} nickname
 * @property {string} tier
 * @property {number} share of what this machine's bare server answers, 0 to 1
 * @property {[number, number]} interval of the share, 95 %
 *
 * @typedef {Entry & { rank: number }} Ranked
 */

/**
 * A higher tier comes first; within a tier, an entry whose interval reaches that of a rank's first shares it, since
 * there's no telling which is faster.
 *
 * @param {readonly Entry[]} entries
 * @param {readonly string[]} tiers from the lowest
 * @returns {Ranked[]} ranks as in sports: 1, 1, 3
 */
export function rankBoard (entries, tiers) {
  const sorted = [...entries].sort((a, b) =>
    tiers.indexOf(b.tier) - tiers.indexOf(a.tier) || b.share - a.share || a.nickname.localeCompare(b.nickname))
  /** @type {Ranked | null} */
  let first = null
  return sorted.map((entry, at) => {
    const isShared = first !== null && first.tier === entry.tier && entry.interval[1] >= first.interval[0]
    /** @type {Ranked} */
    const ranked = { ...entry, rank: first !== null && isShared ? first.rank : at + 1 }
    if (!isShared) first = ranked
    return ranked
  })
}

/**
 * @param {readonly Attempt[]} attempts of one seat
 * @param {{ nickname: string, tiers: readonly string[], isVerified: boolean }} of
 * @returns {Entry | null} null: no attempt has a tier and a limit
 */
export function bestEntry (attempts, { nickname, tiers, isVerified }) {
  const entries = attempts.flatMap(({ verdict, source, tier, share, ratio, low, high }) => {
    const isKnown = verdict === 'pass' && tier !== null && tiers.includes(tier) && share !== null
    if (!isKnown || (source === 'verified') !== isVerified) return []
    const scaled = (/** @type {number | null} */ bound) => bound !== null && ratio ? share * bound / ratio : share
    return [{ nickname, tier, share, interval: /** @type {[number, number]} */ ([scaled(low), scaled(high)]) }]
  })
  // By the lower bound: a lucky measurement has a wide interval.
  return entries.sort((a, b) => tiers.indexOf(b.tier) - tiers.indexOf(a.tier) || b.interval[0] - a.interval[0])[0] ??
    null
}
