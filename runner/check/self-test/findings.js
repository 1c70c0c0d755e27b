import { resolutionOf } from '../../judge/index.js'
import { percent } from '../../format.js'

/**
 * @import { MachineResult } from '../../judge/index.js'
 * @import { WritablePlace } from '../../system/index.js'
 * @import { SelfTest } from './index.js'
 *
 * @typedef {object} Finding
 * @property {'good' | 'doubt' | 'bad'} state
 * @property {string} what one sentence
 * @property {string} [fix] one sentence: what to do about it
 */

/**
 * Turns what was seen of a machine into findings. Pure.
 *
 * @param {object} seen
 * @param {MachineResult} seen.machine
 * @param {WritablePlace[]} seen.places
 * @param {{ busyMs: number, steal: number, wallMs: number } | null} seen.quiet while we did nothing ourselves
 * @param {SelfTest | null} seen.selfTest
 * @param {Date} [seen.today]
 * @returns {Finding[]}
 */
export function diagnose ({ machine, places, quiet, selfTest, today = new Date() }) {
  return [
    ...(selfTest === null ? aboutMachine(machine, today) : []),
    ...places.map(aboutPlace),
    ...(quiet ? aboutQuiet(quiet) : []),
    ...(selfTest ? aboutSelfTest(selfTest) : [])
  ]
}

/**
 * When the release lines that we are tried on stop to get fixes: https://github.com/nodejs/Release#release-schedule, as
 * of November 2026.
 */
const endsOf = new Map([[20, '2026-04-30'], [22, '2027-04-30'], [24, '2028-04-30'], [26, '2029-04-30']])

/** @param {string} node its version @param {Date} today @returns {Finding} */
function aboutNode (node, today) {
  const end = endsOf.get(Number(/^v(\d+)/.exec(node)?.[1]))
  if (end === undefined) {
    return {
      state: 'doubt',
      what: `Node.js ${node} is a release line that the workshop hasn’t been tested on.`,
      fix: 'It’s tested on 20.19, 22, 24 and 26.'
    }
  }
  if (today > new Date(end)) {
    return {
      state: 'doubt',
      what: `Node.js ${node} works here, but its release line has had no fixes since ${end}.`,
      fix: 'For your own servers, use one that’s still maintained: nodejs.org lists them.'
    }
  }
  return { state: 'good', what: `Node.js ${node} is a release line with long-term support until ${end}.` }
}

/** @param {MachineResult} machine @param {Date} today @returns {Finding[]} */
function aboutMachine ({ node, cores, warnings }, today) {
  return [
    aboutNode(node, today),
    cores >= 2
      ? { state: 'good', what: `${cores} cores: the server and the load generator don’t share one.` }
      : {
          state: 'doubt',
          what: 'One core: the server and the load generator share it, and nothing can run in parallel.',
          fix: 'Gates about parallel work are dropped here, and the check says so.'
        },
    ...warnings.map((what) => ({ state: /** @type {const} */ ('doubt'), what }))
  ]
}

/** @param {WritablePlace} place @returns {Finding} */
function aboutPlace ({ what, problem, fix }) {
  return problem === null ? { state: 'good', what } : { state: 'bad', what: problem, fix }
}

/** @param {{ busyMs: number, steal: number, wallMs: number }} quiet @returns {Finding[]} */
function aboutQuiet ({ busyMs, steal, wallMs }) {
  const busy = busyMs / wallMs
  return [
    busy < 0.3
      ? { state: 'good', what: `Other programs keep ${percent(busy)} of a core busy.` }
      : {
          state: 'doubt',
          what: `Other programs keep ${percent(busy)} of a core busy.`,
          fix: 'Close what you don’t need: browsers, video calls, builds, containers.'
        },
    steal < 0.05
      ? { state: 'good', what: `Other virtual machines take ${percent(steal)} of the CPU time.` }
      : {
          state: 'doubt',
          what: `Other virtual machines take ${percent(steal)} of the CPU time.`,
          fix: 'You can’t fix that from inside: try again later.'
        }
  ]
}

/** @param {SelfTest} selfTest @returns {Finding[]} */
function aboutSelfTest ({ ratios, typical, spread, disturbed, problem }) {
  if (problem !== null) {
    return [
      {
        state: 'bad',
        what: `The self-test failed: ${problem}`,
        fix: 'Run it again. If the result is the same, please report it.'
      }
    ]
  }
  const share = Math.round(disturbed / Math.max(ratios.length, 1) * 100)
  const bounds = `${typical.toFixed(2)}× at the median, ±${percent(spread)} from round to round, in ` +
    `${ratios.length} rounds`
  /** @type {Finding[]} */
  const findings = [
    spread < 0.25 && Math.abs(Math.log(typical)) < 0.15
      ? { state: 'good', what: `They measure ${bounds}.` }
      : {
          state: 'doubt',
          what: `They measure ${bounds}: this machine is uneven.`,
          fix: 'Checks will take more rounds here. Plug it in, let it cool, close other programs.'
        }
  ]
  if (share > 20) {
    findings.push({
      state: 'doubt',
      what: `Something else was running during ${share} % of the rounds.`,
      fix: 'Disturbed rounds are repeated; if there are too many, a check stays inconclusive.'
    })
  }
  return findings
}

/** A check has about so many seconds for its rounds. */
const secondsOfRounds = 20
/**
 * A machine that can't tell this much apart leaves most checks inconclusive: ratios are this far from their targets.
 */
const coarse = 1.5

/**
 * What a longer look at two identical servers and at two whose ratio is known says about this machine's verdicts. Pure.
 *
 * @param {object} seen
 * @param {SelfTest} seen.identical
 * @param {SelfTest} seen.apart
 * @param {number} seen.ratio the true one of the latter
 * @returns {Finding[]}
 */
export function diagnoseDeeply ({ identical, apart, ratio }) {
  const findings = aboutSelfTest(identical)
  if (identical.problem === null) findings.push(aboutBias('Two identical servers', 1, identical))
  if (apart.problem !== null) return [...findings, ...aboutSelfTest(apart)]
  findings.push(aboutBias(`A server that is ${ratio}× as fast`, ratio, apart))
  const rounds = Math.floor(secondsOfRounds / Math.max(identical.seconds, apart.seconds))
  const spread = Math.max(identical.spread, apart.spread)
  return [...findings, aboutResolution(resolutionOf({ spread, rounds }), identical.disturbed + apart.disturbed > 0)]
}

/** @param {string} what @param {number} ratio @param {SelfTest} selfTest @returns {Finding} */
function aboutBias (what, ratio, { typical, interval, disturbed, ratios }) {
  if (!interval) {
    return {
      state: 'doubt',
      what: `${what} couldn’t be measured: too few quiet rounds (${ratios.length - disturbed} of ${ratios.length}).`,
      fix: 'Close other programs, and run it again.'
    }
  }
  const [low, high] = interval
  const measured = `measured ${typical.toFixed(2)}× (${low.toFixed(2)} to ${high.toFixed(2)})`
  if (low <= ratio && ratio <= high) {
    return { state: 'good', what: `${what}: ${measured}. The true ratio is in the interval.` }
  }
  return {
    state: 'bad',
    what: `${what}: ${measured}. The true ratio isn’t in the interval, so verdicts here may be wrong.`,
    fix: 'Run it again. If the result is the same on a quiet machine, please report it with this output.'
  }
}

/** @param {number | null} resolution @param {boolean} disturbed @returns {Finding} */
function aboutResolution (resolution, disturbed) {
  const fix = disturbed
    ? 'Close other programs (a video call, a build, a second browser) for better figures.'
    : 'Plug it in, let it cool, and close other programs for better figures.'
  if (resolution === null) {
    return {
      state: 'doubt',
      what: 'A check doesn’t have time for enough rounds on this machine: most will be inconclusive.',
      fix
    }
  }
  const what = `On this machine, a check can tell ${resolution.toFixed(2)}× from 1×.`
  if (resolution > coarse) {
    return { state: 'doubt', what: `${what} Fixes that are closer to their target than that stay inconclusive.`, fix }
  }
  return disturbed ? { state: 'good', what, fix } : { state: 'good', what }
}
