import { setTimeout as sleep } from 'node:timers/promises'
import { percent } from '../shared/format.js'
import { targetOf } from '../judge/index.js'
import { checkPlaces, cpuBetween, cpuSnapshot, describeMachine, sweepPlaces } from '../process/index.js'

/**
 * Is this machine fit to measure? First what can be seen at once, then what a measurement shows.
 *
 * @import { Machine, MachineResult } from '../judge/index.js'
 * @import { LoadedLesson } from '../lesson/index.js'
 * @import { WritablePlace } from '../process/index.js'
 * @import { SelfTest } from './self-test/self-test.js'
 */

const quietMs = 1000

/**
 * Takes a second: what other programs do meanwhile is part of it.
 *
 * @param {{ folders: string[], signal: AbortSignal }} given folders: that have to be writable
 * @returns {Promise<Finding[]>}
 */
export async function examineAtRest ({ folders, signal }) {
  const machine = describeMachine()
  const places = [...await checkPlaces(folders), ...await sweepPlaces()]
  const before = cpuSnapshot()
  await sleep(quietMs, undefined, { signal })
  return diagnose({ machine, places, quiet: cpuBetween(before, cpuSnapshot(), machine.cores) })
}

/**
 * Measures two identical servers. Nothing else may be measured meanwhile.
 *
 * @param {{ tell: (sentence: string) => void, signal: AbortSignal }} given
 * @returns {Promise<Finding[]>}
 */
export async function examineUnderLoad ({ tell, signal }) {
  const { runSelfTest } = await import('./self-test/self-test.js')
  tell('Two identical servers, in turn, for a few seconds …')
  return aboutSelfTest(await runSelfTest({ signal }))
}

/** Pure. @param {readonly Finding[]} findings @returns {string} a sentence */
export function concludeFitness (findings) {
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
 * Turns what was seen of a machine at rest into findings. Pure.
 *
 * @param {object} seen
 * @param {MachineResult} seen.machine
 * @param {WritablePlace[]} seen.places
 * @param {{ busyMs: number, steal: number, wallMs: number } | null} seen.quiet while we did nothing ourselves
 * @param {Date} [seen.today]
 * @returns {Finding[]}
 */
export function diagnose ({ machine, places, quiet, today = new Date() }) {
  /** @type {Finding[]} */
  const found = places.map(({ what, problem, fix }) =>
    problem === null ? good(what) : { state: 'bad', what: problem, fix })
  return [...aboutMachine(machine, today), ...found, ...quiet === null ? [] : aboutQuiet(quiet)]
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
    return doubt(`Node.js ${node} is a release line that the workshop hasn’t been tested on.`,
      'It’s tested on 20.19, 22, 24 and 26.')
  }
  return today > new Date(end)
    ? doubt(`Node.js ${node} works here, but its release line has had no fixes since ${end}.`,
      'For your own servers, use one that’s still maintained: nodejs.org lists them.')
    : good(`Node.js ${node} is a release line with long-term support until ${end}.`)
}

/** @param {MachineResult} machine @param {Date} today @returns {Finding[]} */
function aboutMachine ({ node, cores, warnings }, today) {
  return [
    aboutNode(node, today),
    cores >= 2
      ? good(`${cores} cores: the server and the load generator don’t share one.`)
      : doubt('One core: the server and the load generator share it, and nothing can run in parallel.',
        'Gates about parallel work are dropped here, and the check says so.'),
    ...warnings.map((what) => doubt(what))
  ]
}

/** @param {{ busyMs: number, steal: number, wallMs: number }} quiet @returns {Finding[]} */
function aboutQuiet ({ busyMs, steal, wallMs }) {
  const busy = busyMs / wallMs
  const others = `Other programs keep ${percent(busy)} of a core busy.`
  const stolen = `Other virtual machines take ${percent(steal)} of the CPU time.`
  return [
    busy < 0.3 ? good(others) : doubt(others, 'Close what you don’t need: browsers, video calls, builds, containers.'),
    steal < 0.05 ? good(stolen) : doubt(stolen, 'You can’t fix that from inside: try again later.')
  ]
}

/** Pure. @param {SelfTest} selfTest @returns {Finding[]} */
export function aboutSelfTest ({ ratios, typical, spread, disturbed, problem }) {
  if (problem !== null) {
    const fix = 'Run it again. If the result is the same, please report it.'
    return [{ state: 'bad', what: `The self-test failed: ${problem}`, fix }]
  }
  const share = Math.round(disturbed / Math.max(ratios.length, 1) * 100)
  const measured = `They measure ${typical.toFixed(2)}× at the median, ±${percent(spread)} from round to round, in ` +
    `${ratios.length} rounds`
  const isEven = spread < 0.25 && Math.abs(Math.log(typical)) < 0.15
  return [
    isEven
      ? good(`${measured}.`)
      : doubt(`${measured}: this machine is uneven.`,
        'Checks will take more rounds here. Plug it in, let it cool, close other programs.'),
    ...share > 20
      ? [doubt(`Something else was running during ${share} % of the rounds.`,
          'Disturbed rounds are repeated; if there are too many, a check stays inconclusive.')]
      : []
  ]
}

/** @param {string} what @returns {Finding} */
function good (what) {
  return { state: 'good', what }
}

/** @param {string} what @param {string} [fix] @returns {Finding} */
function doubt (what, fix) {
  return { state: 'doubt', what, fix }
}

/**
 * What a learner can expect of this machine, lesson by lesson.
 *
 * @typedef {object} Times how long the checks of the references took where the project measured them
 * @property {number} pace of that machine
 * @property {Record<string, number>} seconds by folder
 */

/** Of a check's time, so much is work; the rest is waiting, which takes as long everywhere. */
const workShare = 0.6
const longest = 70

/**
 * @param {readonly LoadedLesson[]} entries
 * @param {{ times: Times | null, pace: number, machine: Machine }} given pace: of this machine
 * @returns {{ lesson: string, text: string }[]}
 */
export function expectations (entries, { times, pace, machine }) {
  return entries.map(({ number, folder, lesson }) => {
    const there = times?.seconds[folder]
    const stretch = 1 - workShare + workShare * pace / (times?.pace ?? 1)
    const time = there === undefined ? [] : [`about ${Math.round(Math.min(longest, there * stretch))} s`]
    const hidden = lesson.gates.filter((gate) => targetOf(gate, machine) === undefined).map(({ name }) => name)
    const dropped = hidden.length === 0 ? [] : [`without ${hidden.map((name) => `“${name}”`).join(' and ')}`]
    return { lesson: `lesson ${number}`, text: [...time, ...dropped].join(', ') }
  })
}
