import { median } from '../../runner/judge/index.js'
import { hasPassed, memo, standingOf } from './attempts.js'

/**
 * The board of the lesson with tiers: learners choose to be on it. Machines differ, so what counts is the share of
 * each machine's own limit. Pure.
 *
 * @import { Attempt, Lessons } from './attempts.js'
 *
 * @typedef {{ tier: string, share: number, interval: [number, number] }} Best of one seat. share: of what this
 *   machine's bare server answers, 0 to 1; interval: of the share, 95 %
 * @typedef {Best & { nickname: string }} Entry
 * @typedef {Entry & { rank: number }} Ranked
 */

/**
 * A higher tier comes first; within a tier, an entry whose interval reaches that of a rank's first shares it, since
 * there's no telling which is faster.
 *
 * @param {readonly Entry[]} entries
 * @param {readonly string[]} tiers from the lowest
 * @param {number} [most] that are wanted
 * @returns {Ranked[]} ranks as in sports: 1, 1, 3
 */
export function rankBoard (entries, tiers, most) {
  const height = new Map(tiers.map((tier, at) => [tier, at]))
  const heightOf = (/** @type {Entry} */ { tier }) => height.get(tier) ?? -1
  const sorted = entries.toSorted((a, b) =>
    heightOf(b) - heightOf(a) || b.share - a.share || a.nickname.localeCompare(b.nickname)).slice(0, most)
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
 * The best of one seat, for each of two boards; null: no attempt has a tier and a limit. Neither list
 * ever changes.
 *
 * @type {(tiers: readonly string[]) => (attempts: readonly Attempt[]) => Record<'reported' | 'verified', Best | null>}
 */
export const bestOf = memo((tiers) => memo((attempts) => {
  const bestWhere = (/** @type {boolean} */ isVerified) => {
    const entries = attempts.filter(({ source }) => (source === 'verified') === isVerified)
      .flatMap((attempt) => entryOf(attempt, tiers) ?? [])
    // By the lower bound: a lucky measurement has a wide interval.
    return entries.sort((a, b) =>
      tiers.indexOf(b.tier) - tiers.indexOf(a.tier) || b.interval[0] - a.interval[0])[0] ?? null
  }
  return { reported: bestWhere(false), verified: bestWhere(true) }
}))

/** @param {Attempt} attempt @param {readonly string[]} tiers @returns {Best | null} */
function entryOf ({ verdict, tier, share, ratio, low, high }, tiers) {
  if (verdict !== 'pass' || tier === null || !tiers.includes(tier) || share === null) return null
  const scaled = (/** @type {number | null} */ bound) => bound !== null && ratio ? share * bound / ratio : share
  return { tier, share, interval: [scaled(low), scaled(high)] }
}

/** With fewer, learners could tell whose is whose. */
const least = 3

/**
 * @param {readonly { lesson: string, ratio: number }[]} predictions of all lessons, the smallest ratio first
 * @param {string} lesson id
 * @param {readonly { lessons: Lessons }[]} seats
 * @returns what the class expects, and what it has measured: the median, and the number that passed; null: too few
 */
export function predictedOf (predictions, lesson, seats) {
  const ratios = predictions.filter((one) => one.lesson === lesson).map(({ ratio }) => ratio)
  if (ratios.length < least) return null
  const measured = seats.flatMap(({ lessons }) => {
    const attempts = lessons.get(lesson) ?? []
    return hasPassed(attempts) ? standingOf(attempts).ratio ?? [] : []
  })
  return {
    ratios,
    measured: measured.length < least ? null : { ratio: median(measured), of: measured.length }
  }
}
