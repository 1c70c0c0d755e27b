/**
 * @import { Random } from '../../random.js'
 * @import { Event, Moment, Operation, Step } from './operation.js'
 */

/** So many requests arrive in parts, cut within a letter where one takes several bytes. */
const inParts = 0.5
/** Every so many-th read is one that was asked before. */
const repeated = 0.15
/** … and every so many-th write has a concurrent one: … */
const concurrent = 0.3
/** … so many of them the very same once more. */
const duplicates = 0.35
/** After an event so many questions from before. */
const afterEvent = 3
/** At the end everything is read once more, up to so many. */
const readBack = 12

/**
 * Draws a sequence: operations by weight, after each write what it could have touched, earlier questions again, and at
 * the end everything once more. Pure.
 *
 * @param {object} given
 * @param {Record<string, Operation>} given.operations
 * @param {any} given.data
 * @param {Random} given.random
 * @param {number} given.count about so many steps
 * @param {readonly { at: number, event: Event }[]} [given.events] at: after so many steps, in their order
 * @returns {Moment[]}
 */
export function generateCommands ({ operations, data, random, count, events = [] }) {
  const { steps, repeat, draw, again, alongside } = createDrawing({ operations, data, random })
  const names = Object.keys(operations)
  const weights = names.map((name) => operations[name].weight ?? 1)
  /** @type {Moment[]} */
  const moments = []
  /** @param {(Step | null)[]} list */
  const add = (...list) => {
    const some = list.filter((step) => step !== null)
    if (some.length > 0) moments.push({ steps: some })
    return some
  }

  const due = [...events]
  const still = random.shuffle(names.flatMap((name) => Array(operations[name].least ?? 1).fill(name)))
  const enough = count + still.length - names.length
  const postponed = new Set()
  for (let misses = 0; (steps.length < enough || still.length > 0) && misses < count;) {
    for (; due.length > 0 && steps.length >= due[0].at; due.shift()) {
      moments.push({ steps: [], event: due[0].event })
      for (let i = 0; i < afterEvent; i++) add(again())
    }
    if (random.next() < repeated && add(again()).length > 0) continue
    // Each of them once, or as often as it says, before chance decides, so that none is left out.
    const name = still.shift() ?? weighted(names, weights, random)
    const first = draw(name)
    if (first === null) {
      misses++
      // Later, when there is something to ask.
      if (!postponed.has(name)) still.push(name)
      postponed.add(name)
      continue
    }
    if (!isWrite(first)) {
      add(first)
      continue
    }
    const writes = add(first, random.next() < concurrent ? alongside(first) : null)
    for (const write of writes) {
      for (const name of random.shuffle(write.operation.touches ?? [])) add(draw(name, write))
    }
    add(again())
  }
  for (const { event } of due) moments.push({ steps: [], event })
  const asked = new Set()
  for (const read of random.shuffle(steps.filter((step) => !isWrite(step)))) {
    if (asked.size === readBack || asked.has(read.asked)) continue
    asked.add(read.asked)
    add(repeat(read))
  }
  return moments
}

/**
 * The steps so far, and the ways to draw another one.
 *
 * @param {object} given
 * @param {Record<string, Operation>} given.operations
 * @param {any} given.data
 * @param {Random} given.random
 */
function createDrawing ({ operations, data, random }) {
  /** @type {Step[]} */
  const steps = []
  /** What is asked at the same moment is no past: its answer may not be there yet. @type {Step | null} */
  let now = null
  /** @param {string} name */
  const past = (name) => steps.filter((step) => step.name === name && step !== now)
  /** @param {Pick<Step, 'name' | 'asked'>} what @returns {Step} */
  const repeat = ({ name, asked }) => {
    const transport = { fresh: random.next() < 0.3, chunked: random.next() < inParts }
    const step = { id: steps.length + 1, name, operation: operations[name], asked, transport }
    steps.push(step)
    return step
  }
  /** @param {string} name @param {Step} [about] */
  const draw = (name, about) => {
    const asked = operations[name].draw({ random, data, past, about })
    return asked === null ? null : repeat({ name, asked })
  }
  const again = () => {
    const reads = steps.filter((step) => !isWrite(step))
    return reads.length === 0 ? null : repeat(random.pick(reads))
  }
  /** @param {Step} write */
  const alongside = (write) => {
    if (random.next() < duplicates) return repeat(write)
    now = write
    const other = draw(random.pick(namesOfWrites(operations)))
    now = null
    return other
  }
  return { steps, repeat, draw, again, alongside }
}

/** @param {Step} step */
function isWrite ({ operation }) {
  return operation.touches !== undefined
}

/** @param {Record<string, Operation>} operations */
function namesOfWrites (operations) {
  return Object.keys(operations).filter((name) => operations[name].touches !== undefined)
}

/** @param {string[]} names @param {number[]} weights @param {Random} random */
function weighted (names, weights, random) {
  let at = random.next() * weights.reduce((sum, weight) => sum + weight, 0)
  return names.find((_, i) => (at -= weights[i]) < 0) ?? names[names.length - 1]
}
