import { kindOf } from './gate-kinds.js'
import {
  gaussianQuantile, geometricMean, mean, median, moderate, scatterAroundZero, studentQuantile, trimmedMean
} from './statistics.js'

/**
 * One gate: how its rounds become a verdict, when that may be given, and its words in the sentences of a verdict. Pure.
 *
 * @import { Gate, Machine, Observation } from './gate-kinds.js'
 * @import { GateResult } from './record.js'
 */

/** At each end of the interval that is shown: 95 % lie between. */
const shownTail = 0.025

/**
 * The target of a gate on this machine; undefined when the gate is dropped here. Of a gate with tiers, the lowest.
 *
 * @param {Gate} gate @param {Machine} machine
 */
export function targetOf (gate, machine) {
  if (gate.tiers) return Object.values(gate.tiers)[0]
  if (unavailable(gate, machine) !== null) return undefined
  return typeof gate.target === 'function' ? gate.target(machine) : gate.target
}

/** Why this machine cannot show it; null where it can. @param {Gate} gate @param {Machine} machine */
function unavailable ({ kind }, machine) {
  return kindOf(kind).unavailable?.(machine) ?? null
}

/**
 * Turns the counted rounds into a verdict on one gate. Pure.
 *
 * The true ratio is compared with the target on a log scale: d = ln(ratio) of every round, its trimmed mean against
 * ln(target) by Student's t, decided only at interim analyses. Where the truth is known to be 1, what is judged is how
 * far the ratios scatter around it.
 *
 * @param {Gate} gate
 * @param {Machine} machine
 * @param {readonly Observation[]} observations in the order in which they were made
 * @param {{ last?: boolean, perProcessBias?: number }} [options] last: no round follows, so an undecided gate says how
 *   much was missing; perProcessBias: instead of the kind's
 * @returns {GateResult}
 */
export function judgeGate (gate, machine, observations, { last = false, ...given } = {}) {
  const kind = kindOf(gate.kind)
  const target = targetOf(gate, machine)
  const rounds = observations.length
  const { perProcessBias = kind.perProcessBias ? plan.perProcessBias : 0 } = given
  const result = notMeasured(gate, target, rounds)
  if (target === undefined) {
    return {
      ...result,
      verdict: 'dropped',
      note: unavailable(gate, machine) ?? gate.dropped ?? 'This machine can’t show it.'
    }
  }
  if (rounds === 0) return result
  const logs = observations.map((o) => Math.log(kind.ratio(o)))
  // Two rounds have an interval of many orders of magnitude, which says nothing.
  if (rounds < 3) {
    return { ...result, ...figuresOf(observations, logs, 0), ratio: Math.exp(mean(logs)), verdict: 'inconclusive' }
  }

  const { centre, deviation, within } = kind.scatter ? scatter(logs) : location(logs, perProcessBias, kind.spread)
  // Where there is one interval and not the narrower of two, all that may be wrong is its own.
  const tail = kind.spread > 0 ? plan.tail : 2 * plan.tail
  const [low, high] = within(tail)
  const line = Math.log(target)
  const above = low > line
  const below = high < line
  const decided = isInterim(rounds) || (last && rounds >= plan.interimAnalyses[0])
  const good = kind.direction === 'at least' ? above : below
  const bad = kind.direction === 'at least' ? below : above
  const verdict = decided && good ? 'pass' : decided && bad ? 'fail' : 'inconclusive'
  return {
    ...result,
    // Twins have no ratio of their figures that would be worth a mean.
    ...kind.scatter
      ? { baseline: median(observations.map((o) => o.baseline)), yours: median(observations.map((o) => o.yours)) }
      : figuresOf(observations, logs, trimOf(rounds)),
    ratio: Math.exp(centre),
    interval: ratiosOf([low, high]),
    interval95: ratiosOf(within(shownTail)),
    verdict,
    moreSeconds:
      verdict === 'inconclusive'
        ? secondsToSettle({
          distance: Math.abs(centre - line), deviation, spread: kind.spread, observations, perProcessBias, tail
        })
        : null,
    // It decides nothing: the interval that is shown is enough.
    ...gate.halfway === undefined ? {} : { halfway: halfwayOf(gate, kind.direction, within(shownTail)) }
  }
}

/** @param {Gate} gate @param {'at least' | 'at most'} direction @param {[number, number]} logs */
function halfwayOf ({ halfway: target = NaN }, direction, [low, high]) {
  return { target, reached: direction === 'at least' ? low >= Math.log(target) : high <= Math.log(target) }
}

/** @param {[number, number]} logs @returns {[number, number]} */
function ratiosOf ([low, high]) {
  return [Math.exp(low), Math.exp(high)]
}

/**
 * A result in which nothing is decided yet.
 *
 * @param {Gate} gate @param {number | undefined} target @param {number} rounds @returns {GateResult}
 */
function notMeasured (gate, target, rounds) {
  const { unit, ratioUnit, direction } = kindOf(gate.kind)
  return {
    name: gate.name,
    kind: gate.kind,
    unit,
    baseline: null,
    yours: null,
    ratio: null,
    ratioUnit,
    interval95: null,
    interval: null,
    confidence: 1 - 4 * plan.tail,
    direction,
    target: target ?? null,
    verdict: 'not measured',
    rounds,
    moreSeconds: null,
    look: gate.look,
    note: '',
    tiers: null,
    limit: null
  }
}

/**
 * The figures of both servers, over the rounds that the trimmed mean is a mean of. Geometric means, since the mean of
 * ln(yours / baseline) is the logarithm of their ratio: so dividing one by the other gives the ratio shown next to
 * them.
 *
 * @param {readonly Observation[]} observations
 * @param {readonly number[]} logs
 * @param {number} trim how many are cut at each end
 */
function figuresOf (observations, logs, trim) {
  const kept = observations
    .map((observation, at) => ({ observation, log: logs[at] }))
    .sort((a, b) => a.log - b.log)
    .slice(trim, observations.length - trim)
    .map(({ observation }) => observation)
  // Missing, and not needed by the gate: 0.
  const baselines = kept.map(({ baseline }) => baseline).filter((baseline) => baseline > 0)
  return {
    baseline: baselines.length > 0 ? geometricMean(baselines) : null,
    yours: geometricMean(kept.map(({ yours }) => yours))
  }
}

/**
 * Where a true log ratio lies: its estimate, the standard deviation of one round's share in it, and between which
 * bounds it lies but for a tail at each end.
 *
 * @typedef {{ centre: number, deviation: number, within: (tail: number) => [number, number] }} Estimate
 */

/**
 * Confidence interval of a trimmed mean (Yuen, 1974), whose standard error the layout error is added to. It is the
 * narrower one of two: by what was seen alone, which is good where rounds agree, and by what is usual for the kind as
 * well, which is good where they are few. So it can err at either: `confidence` counts both.
 *
 * @param {readonly number[]} logs
 * @param {number} perProcessBias
 * @param {number} spread that is usual
 * @returns {Estimate}
 */
function location (logs, perProcessBias, spread) {
  const { centre, ...seen } = trimmedMean(logs, trimOf(logs.length))
  return {
    centre,
    deviation: seen.error * Math.sqrt(seen.freedom + 1),
    within: (tail) => {
      const wide = widthOf(seen, perProcessBias, tail, spread)
      return [centre - wide, centre + wide]
    }
  }
}

/** How far log ratios whose truth is 0 scatter around it. @param {readonly number[]} logs @returns {Estimate} */
function scatter (logs) {
  const { centre } = scatterAroundZero(logs, plan.tail)
  return {
    centre,
    deviation: centre / Math.SQRT2,
    within: (tail) => {
      const { low, high } = scatterAroundZero(logs, tail)
      return [low, high]
    }
  }
}

/**
 * About how many more seconds would settle a gate: up to the first interim analysis at which rounds that scatter as
 * these do, around where these lie, are far enough from the target. Null if no number of seconds would.
 *
 * @param {{ distance: number, deviation: number, spread: number, observations: readonly Observation[], perProcessBias:
 *   number, tail: number }} given
 */
function secondsToSettle ({ distance, deviation, spread, observations, perProcessBias, tail }) {
  const { length: rounds } = observations
  const needed = plan.interimAnalyses.find((count) => {
    const kept = count - 2 * trimOf(count)
    const seen = { error: deviation / Math.sqrt(kept), freedom: kept - 1 }
    return count > rounds && distance > widthOf(seen, perProcessBias, tail, spread)
  })
  if (needed === undefined) return null
  return Math.ceil((needed - rounds) * median(observations.map((o) => o.seconds)))
}

/**
 * When the judge looks at the rounds so far, and how sure it must be to decide there.
 *
 * Looking again and again at growing data finds "significance" by luck, so each analysis is far stricter than the error
 * that the whole check may make. The numbers were chosen by simulation over Gaussian, heavy-tailed, one-sided,
 * autocorrelated and drifting rounds; docs/measured.md shows the table.
 */
export const plan = {
  /** Rounds after which a gate may be decided. */
  interimAnalyses: [3, 4, 5, 6, 7, 8, 10, 12, 16, 20, 26, 32],
  /** One-sided tail of Student's t that a decision needs, at each analysis, by either of two standard errors. */
  tail: 0.0004,
  /**
   * Standard error that no number of rounds can undercut, as a log ratio: two processes that run the same code differ
   * by a few per cent for their whole lives, through memory layout alone (Mytkowicz, Diwan, Hauswirth and Sweeney,
   * 2009, "Producing wrong data without doing anything obviously wrong!").
   */
  perProcessBias: 0.05,
  /** The part of it that's left where both servers are restarted for each observation: a folder's path stays. */
  biasOfRestarted: 0.01,
  /** Degrees of freedom that the usual spread of a kind of gate (gate-kinds.js) counts for. */
  usualFreedom: 4
}

/** @param {number} rounds */
export function isInterim (rounds) {
  return plan.interimAnalyses.includes(rounds)
}

/** No round is cut off where there are fewer: a single odd one spoils them. */
export const leastTrimmed = 8

/** How many values are cut at each end of so many rounds. @param {number} rounds */
function trimOf (rounds) {
  if (rounds < leastTrimmed) return 0
  if (rounds < 16) return 1
  return rounds < 24 ? 2 : 3
}

export const mostRounds = Math.max(...plan.interimAnalyses)
export const leastRounds = Math.min(...plan.interimAnalyses)

/**
 * How far a mean may be from the truth, but for a tail. The layout error is known and not estimated, so it is taken by
 * the Gaussian quantile, and the two are independent.
 *
 * @param {{ error: number, freedom: number }} seen
 * @param {number} perProcessBias
 * @param {number} tail
 * @param {number} spread that is usual; 0: nothing is known of it
 */
function widthOf (seen, perProcessBias, tail, spread) {
  const both = spread > 0 ? [seen, moderate(seen, { spread, freedom: plan.usualFreedom })] : [seen]
  const noise = Math.min(...both.map(({ error, freedom }) => studentQuantile(tail, freedom) * error))
  return Math.hypot(noise, gaussianQuantile(tail) * perProcessBias)
}

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

/** Is nothing decided about it, one way or the other? @param {Pick<GateResult, 'verdict'>} gate */
export function isOpen ({ verdict }) {
  return verdict === 'inconclusive' || verdict === 'not measured'
}

/**
 * Gates of which some are open, in a few words: are they close to their targets, or are the rounds too few to tell?
 *
 * @param {readonly GateResult[]} gates
 */
export function sayUndecided (gates) {
  const open = gates.filter(isOpen)
  if (open.some(isClose)) return 'too close to call'
  if (open.length === 0 || gates.every(({ ratio }) => ratio === null)) return 'undecided'
  if (open.some(({ interval95 }) => interval95 === null)) return 'too few rounds so far'
  return open.every((gate) => sideOfTarget(gate) === 'ahead') ? 'probably good enough' : 'probably not there yet'
}

/** @param {GateResult} gate that is open */
export function sayOpen (gate) {
  const { name, ratio, ratioUnit: unit, interval95, target, direction, note } = gate
  const why = !note ? '' : `, since ${note[0].toLowerCase()}${note.slice(1).replace(/\.$/, '')}`
  if (ratio === null || target === null) return `${name} couldn’t be measured${why}`
  const about = `about ${digits(Number(ratio.toPrecision(2)))}${unit}`
  const asked = `${digits(target)}${unit}`
  if (interval95 === null) return `${name} is ${about} after too few rounds to say more; the target is ${asked}`
  if (isClose(gate)) return `${name} is too close to call: ${about}, and the target is ${asked}`
  return sideOfTarget(gate) === 'ahead'
    ? `${name} is probably good enough: ${about}, but it must certainly be ` +
      `${direction === 'at least' ? 'above' : 'below'} ${asked}`
    : `${name} probably isn’t there yet: ${about}, and the target is ${asked}${sayHalfway(gate)}`
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
  return `${ratio}${sayTiers(gate) || asked}${sayHalfway(gate)}`
}

/** Only where it's news: on the way to a target that isn't reached. @param {GateResult} gate */
function sayHalfway ({ halfway, verdict, ratioUnit }) {
  if (halfway === undefined || !halfway.reached || verdict === 'pass') return ''
  return `; half-way reached (${digits(halfway.target)}${ratioUnit})`
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
  // A tier may have been reached at an earlier analysis, whose interval was another one.
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
