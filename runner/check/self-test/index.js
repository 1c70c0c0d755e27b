import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { percent } from '../../format.js'
import { median, resolutionOf, standardDeviation } from '../../judge/index.js'
import { startGenerator } from '../../load/index.js'
import { checkPlaces, cpuBetween, cpuSnapshot, describeMachine, sweepPlaces, withSession } from '../../process/index.js'
import { createRandom, newSeed } from '../../random.js'
import { runRounds } from '../rounds.js'
import { calibratedEntry, writeCalibrated } from './pair.js'

/**
 * @import { MachineResult } from '../../judge/index.js'
 * @import { WritablePlace } from '../../process/index.js'
 * @import { Outcome } from '../round.js'
 *
 * @typedef {object} SelfTest
 * @property {number[]} ratios of the two servers, one a round
 * @property {number} typical median of the ratios: the true one on a good machine
 * @property {number} seconds that one round took, mean
 * @property {[number, number] | null} interval of the ratio, from the rounds that count
 * @property {number} spread standard deviation of the log ratio; 0.1 is about 10 %
 * @property {number} disturbed rounds during which something else was going on
 * @property {string | null} problem what went wrong, a sentence
 */

/**
 * Measures two servers against each other for a few seconds, whose true ratio is known.
 *
 * @param {{ ratio?: number, budgetMs?: number, signal?: AbortSignal }} [options] ratio: how many times as fast the
 *   second one is, by default the same
 * @returns {Promise<SelfTest>}
 */
export async function runSelfTest ({ ratio = 1, budgetMs = 4000, signal } = {}) {
  const seed = newSeed()
  // A target that no number of rounds can decide: they go on until the time is up.
  const target = ratio * 1.000001
  const entry = calibratedEntry({
    gates: [{ name: 'ratio', kind: 'rate', load: 'work', target, look: 'Nothing to do.' }]
  })
  let elapsedMs = 0
  return withSession(entry, { seed, signal }, async (session) => {
    const generator = await startGenerator(session)
    const outcome = await runRounds({
      lesson: entry.lesson,
      session,
      submission: { dir: writeCalibrated(path.join(session.scratch, 'faster'), ratio), shownDir: 'self-test' },
      random: createRandom(seed),
      cores: os.availableParallelism(),
      getGenerator: async () => generator,
      onProgress: (event) => { if (event.type === 'round') elapsedMs = event.elapsedMs },
      phase: () => {}
    }, { budgetMs })
    return summarise(outcome, elapsedMs)
  })
}

/** @param {Outcome} outcome @param {number} elapsedMs @returns {SelfTest} */
function summarise ({ evidence, load, rounds }, elapsedMs) {
  const { startFailure, crash, problems, baselineFailures, baselineProblems } = evidence
  const ratios = rounds.map(({ result: { baseline, yours } }) => yours / baseline)
  return {
    ratios,
    typical: ratios.length > 0 ? median(ratios) : NaN,
    interval: evidence.gates[0]?.interval ?? null,
    seconds: elapsedMs / 1000 / Math.max(ratios.length, 1),
    spread: standardDeviation(ratios.map(Math.log)),
    disturbed: load.disturbedRounds,
    problem: startFailure ?? crash ?? problems[0] ?? baselineFailures[0] ?? baselineProblems[0] ?? null
  }
}

/**
 * Is this machine fit to measure? First what can be seen at once, then what a measurement shows.
 */

/** Far enough from 1 to be told on a noisy machine, near enough that a bias would show. */
const knownRatio = 1.5
const deepMs = 12_000
const quietMs = 1000

/**
 * Takes a second: what other programs do meanwhile is part of it.
 *
 * @param {object} given
 * @param {string[]} given.folders that have to be writable
 * @param {AbortSignal} given.signal
 * @returns {Promise<Finding[]>}
 */
export async function examineAtRest ({ folders, signal }) {
  const machine = describeMachine()
  const places = [...await checkPlaces(folders), ...await sweepPlaces()]
  const before = cpuSnapshot()
  await sleep(quietMs, undefined, { signal })
  return diagnose({ machine, places, quiet: cpuBetween(before, cpuSnapshot(), machine.cores), selfTest: null })
}

/**
 * Measures servers whose true ratio is known. Nothing else may be measured meanwhile.
 *
 * @param {object} given
 * @param {boolean} [given.deep] half a minute instead of some seconds: how small a difference can be told?
 * @param {(sentence: string) => void} given.tell
 * @param {AbortSignal} given.signal
 * @returns {Promise<Finding[]>}
 */
export async function examineUnderLoad ({ deep = false, tell, signal }) {
  if (!deep) {
    tell('Two identical servers, in turn, for a few seconds …')
    const selfTest = await runSelfTest({ signal })
    return diagnose({ machine: describeMachine(), places: [], quiet: null, selfTest })
  }
  tell('Two identical servers, in turn, for twelve seconds …')
  const identical = await runSelfTest({ budgetMs: deepMs, signal })
  tell(`Two servers, one ${knownRatio}× as fast, for twelve seconds …`)
  const apart = await runSelfTest({ ratio: knownRatio, budgetMs: deepMs, signal })
  return diagnoseDeeply({ identical, apart, ratio: knownRatio })
}

/**
 * Pure.
 *
 * @param {readonly Finding[]} findings
 * @returns {string} a sentence
 */
export function conclude (findings) {
  const has = (/** @type {Finding['state']} */ state) => findings.some((finding) => finding.state === state)
  if (has('bad')) return 'This machine can’t measure until that’s fixed.'
  return has('doubt')
    ? 'It can measure, but with the doubts above, checks take longer or stay inconclusive.'
    : 'This machine is fit to measure.'
}

/**
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
