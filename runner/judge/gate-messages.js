import { kindOf } from './gate-kinds.js'

/**
 * Words about one gate: in the sentences of a verdict, and where there's room for a few. Pure.
 *
 * @import { GateResult, SentRecord } from './record.js'
 */

/**
 * On which side of its target what was measured lies, whether that is certain or not.
 *
 * @param {GateResult} gate @returns {'ahead' | 'behind' | 'unknown'}
 */
export function sideOfTarget ({ ratio, interval95, target, direction }) {
  if (ratio === null || interval95 === null || target === null) return 'unknown'
  return (direction === 'at least' ? ratio >= target : ratio <= target) ? 'ahead' : 'behind'
}

/** Does the target lie where the ratio likely lies? @param {GateResult} gate */
export function isClose ({ interval95, target }) {
  return interval95 !== null && target !== null && interval95[0] <= target && target <= interval95[1]
}

/** @param {GateResult} gate that is open */
export function sayOpen (gate) {
  const { name, ratio, ratioUnit: unit, interval95, target, direction, note } = gate
  if (ratio === null || target === null) return `${name} couldn’t be measured${note === '' ? '' : ` (${note})`}`
  const about = `about ${digits(Number(ratio.toPrecision(2)))}${unit}`
  const asked = `${digits(target)}${unit}`
  if (interval95 === null) return `${name} is ${about} after too few rounds to say more; the target is ${asked}`
  if (isClose(gate)) return `${name} is too close to call: ${about}, and the target is ${asked}`
  return sideOfTarget(gate) === 'ahead'
    ? `${name} is probably good enough: ${about}, but it must certainly be ` +
      `${direction === 'at least' ? 'above' : 'below'} ${asked}`
    : `${name} probably isn’t there yet: ${about}, and the target is ${asked}`
}

/** @param {GateResult} gate @returns {string} `6.2×` */
export function sayRatio ({ ratio, ratioUnit }) {
  return ratio === null ? 'not measured' : `${digits(ratio)}${ratioUnit}`
}

/** The measured value, its likely range, what decides, and the target. @param {GateResult} gate */
export function sayMeasured (gate) {
  const { ratioUnit: unit, direction, target } = gate
  const asked =
    target === null ? '' : `; the ${direction === 'at least' ? 'target' : 'limit'} is ${digits(target)}${unit}`
  // Rounds that all agree have no bounds worth naming.
  const isExact = gate.interval !== null && gate.interval[0] === gate.interval[1]
  const bounds = isExact ? [] : [sayLikely(gate), sayCertain(gate)].filter((text) => text !== '')
  const ratio = `${sayRatio(gate)}${bounds.length > 0 ? ` (${bounds.join(', ')})` : ''}`
  return `${ratio}${sayTiers(gate) || asked}`
}

/** @param {GateResult} gate */
function sayLikely ({ interval95, target }) {
  if (interval95 === null) return ''
  const [low, high] = interval95.map((bound) => rounded(bound, target, 'round'))
  return `likely ${low} to ${high}`
}

/**
 * The end of the deciding interval that lies towards the target, of a gate that is decided.
 *
 * @param {GateResult} gate
 */
function sayCertain ({ verdict, interval, target, direction, tiers }) {
  if (interval === null || (verdict !== 'pass' && verdict !== 'fail')) return ''
  const [low, high] = interval
  const fromBelow = verdict === 'pass' ? direction === 'at least' : direction === 'at most'
  // A tier may have been reached at an earlier look, whose interval was another one.
  const reached = tiers?.filter((tier) => tier.verdict === 'pass').at(-1)?.target ?? 0
  return fromBelow
    ? `certainly at least ${rounded(Math.max(low, reached), target, 'floor')}`
    : `certainly at most ${rounded(high, target, 'ceil')}`
}

/** @param {GateResult} gate */
function sayTiers ({ tiers }) {
  if (tiers === null) return ''
  const reached = tiers.filter(({ verdict }) => verdict === 'pass')
  const next = tiers[reached.length]
  if (reached.length === 0) return ''
  const open =
    next?.verdict === 'inconclusive'
      ? `; ${next.name} is too close to call`
      : next
        ? `; ${next.name} is at ${digits(next.target)}×`
        : ''
  return `, which is ${reached[reached.length - 1].name}${open}`
}

/** Three significant digits, without an exponent. @param {number} value */
function digits (value) {
  return value >= 100 ? String(Math.round(value)) : String(Number(value.toPrecision(3)))
}

/**
 * Two significant digits, and more where two would hide on which side of the target a bound lies.
 *
 * @param {number} value @param {number | null} target @param {'round' | 'floor' | 'ceil'} way @returns {string}
 */
function rounded (value, target, way) {
  if (!(value > 0)) return '0'
  const to = (/** @type {number} */ count) => {
    const unit = 10 ** (Math.floor(Math.log10(value)) + 1 - count)
    // A quotient such as 22.999999999999996 is 23.
    return Number((Math[way](Number((value / unit).toPrecision(12))) * unit).toPrecision(count))
  }
  const side = (/** @type {number} */ one) => target === null ? 0 : Math.sign(one - target)
  return String(to([2, 3, 4].find((count) => side(to(count)) === side(value)) ?? 5))
}

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

/**
 * Why a check did not pass, in a few words that are the same for every learner with the same trouble. Pure.
 *
 * @param {SentRecord} record
 * @returns {{ reason: string | null, gate?: SentRecord['gates'][number] }} reason: null if it passed; gate: what the
 *   reason is about
 */
export function leadingReason ({ verdict, contract, gates, load }) {
  if (verdict === 'pass') return { reason: null }
  if (verdict === 'error') return { reason: 'the check could not be done' }
  const wrong = contract.find(({ status }) => status === 'fail')
  if (wrong) return { reason: `wrong answer: “${wrong.name}”` }
  if (load.problems > 0) return { reason: 'wrong answers under load' }
  const missed = gates.find((gate) => gate.verdict === 'fail')
  if (missed) return { reason: `${kindOf(missed.kind).missed}: ${missed.name}`, gate: missed }
  if (verdict === 'fail') return { reason: 'did not run to the end' }
  const open = gates.find((gate) => gate.verdict === 'inconclusive')
  return open ? { reason: `not certain: ${open.name}`, gate: open } : { reason: 'not measured' }
}
