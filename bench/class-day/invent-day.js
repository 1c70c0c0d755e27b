import { createRandom } from '../../runner/shared/random.js'

/**
 * An invented day of a class: who joins, what they check and when, and the outcome. Pure: the same seed gives the same
 * day. No learner is a person, and every name says so.
 *
 * @import { Random } from '../../runner/shared/random.js'
 * @import { SentRecord } from '../../runner/judge/index.js'
 *
 * @typedef {{ id: string, checks: string[], gates: string[] }} Taught a lesson: names of its checks and of its gates
 *
 * @typedef {{ type: 'pass', reach: number } | { type: 'wrong', check: string } | { type: 'slow', gate: string } |
 *   { type: 'close' }} Outcome reach: multiple of the target
 *
 * @typedef {object} InventedCheck
 * @property {string} lesson id
 * @property {number} atMs when its verdict is reached, from the beginning of the day
 * @property {Outcome} outcome
 *
 * @typedef {object} InventedLearner
 * @property {string} name
 * @property {string | null} nickname
 * @property {boolean} board
 * @property {number} joinsAtMs from the beginning of the day
 * @property {SentRecord['machine']} machine
 * @property {InventedCheck[]} checks in order of time
 */

const minute = 60_000
const longestDay = 360 * minute
/** For one lesson, with breaks and discussion. */
const lessonMs = 22 * minute

const animals = ['Ant', 'Badger', 'Cat', 'Dolphin', 'Emu', 'Fox', 'Gecko', 'Hare', 'Ibis', 'Jackal', 'Koala', 'Lynx',
  'Marten', 'Newt', 'Otter', 'Puffin', 'Quail', 'Raven', 'Seal', 'Tapir', 'Urchin', 'Vole', 'Wombat', 'Yak']

/**
 * @param {object} given
 * @param {string} given.seed
 * @param {number} given.learners how many
 * @param {readonly Taught[]} given.lessons by number
 * @returns {InventedLearner[]}
 */
export function inventDay ({ seed, learners, lessons }) {
  const random = createRandom(seed)
  const dayMs = dayOf(lessons.length)
  // A failure that many learners share, for the instructor to find.
  const traps = lessons.map((lesson) => failureOf(lesson, random))
  return Array.from({ length: learners }, (_, at) =>
    inventLearner({ at, lessons, traps, dayMs, random: random.fork(`learner ${at}`) }))
}

/** @param {number} lessons how many @returns {number} length of the day, ms */
export function dayOf (lessons) {
  return Math.min(longestDay, lessonMs * lessons)
}

/**
 * @param {{ at: number, lessons: readonly Taught[], traps: Outcome[], dayMs: number, random: Random }} given
 * @returns {InventedLearner}
 */
function inventLearner ({ at, lessons, traps, dayMs, random }) {
  const number = at < animals.length ? '' : ` ${1 + Math.floor(at / animals.length)}`
  const animal = `${animals[at % animals.length]}${number}`
  const skill = between(random, 0.6, 1.5)
  const joinsAtMs = between(random, 0.5, 5) * minute
  // Some go home early.
  const endsAtMs = random.next() < 0.1 ? between(random, 0.2, 0.8) * dayMs : dayMs
  /** @type {InventedCheck[]} */
  const checks = []
  let atMs = joinsAtMs
  for (const [index, lesson] of lessons.entries()) {
    atMs += between(random, 4, 9) * minute / skill
    for (const outcome of attempts({ lesson, trap: traps[index], skill, random })) {
      checks.push({ lesson: lesson.id, atMs, outcome })
      atMs += between(random, 1.5, 5) * minute / skill
    }
  }
  return {
    name: `Simulated ${animal}`,
    nickname: random.next() < 0.5 ? `Pretend ${animal}` : null,
    board: random.next() < 0.7,
    joinsAtMs,
    machine: inventMachine(random),
    checks: checks.filter((check) => check.atMs < endsAtMs)
  }
}

/**
 * Failures, then a pass. Some learners fail again and again in the same way, and some of them give up.
 *
 * @param {{ lesson: Taught, trap: Outcome, skill: number, random: Random }} given
 * @returns {Outcome[]}
 */
function attempts ({ lesson, trap, skill, random }) {
  const isStuck = random.next() < 0.15 / skill
  const failures = isStuck ? random.int(3, 6) : random.int(0, skill > 1 ? 1 : 3)
  const failed = Array.from({ length: failures }, () =>
    isStuck || random.next() < 0.5 ? trap : failureOf(lesson, random))
  const hasGivenUp = isStuck && random.next() < 0.4
  /** @type {Outcome[]} */
  const close = random.next() < 0.08 ? [{ type: 'close' }] : []
  const reach = between(random, 1.5, 2.2) * Math.max(0.95, skill)
  return hasGivenUp ? failed : [...failed, ...close, { type: 'pass', reach }]
}

/** @param {Taught} lesson @param {Random} random @returns {Outcome} */
function failureOf ({ checks, gates }, random) {
  return checks.length > 0 && random.next() < 0.5
    ? { type: 'wrong', check: random.pick(checks) }
    : { type: 'slow', gate: random.pick(gates) }
}

/** @param {Random} random */
function inventMachine (random) {
  const isOnBattery = random.next() < 0.1
  return {
    work: 1,
    node: random.pick(['v20.20.0', 'v22.12.0', 'v24.4.0']),
    v8: '',
    cpu: 'Simulated processor',
    cores: random.next() < 0.05 ? 1 : random.pick([2, 4, 8, 12]),
    platform: random.pick(['linux x64', 'darwin arm64', 'win32 x64']),
    steal: null,
    warnings: isOnBattery ? ['The machine runs on battery: its speed may change.'] : []
  }
}

/** @param {Random} random @param {number} low @param {number} high */
function between (random, low, high) {
  return low + random.next() * (high - low)
}
