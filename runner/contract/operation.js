import { isDeepStrictEqual } from 'node:util'
import { bodyOf } from './client.js'

/**
 * Operations: what can be asked of a lesson's servers, how a sequence is drawn of them, and what of an answer has to be
 * the slow server's.
 *
 * @import { Fault, Upstream } from '../process/index.js'
 * @import { Random } from '../shared/random.js'
 * @import { Answer } from './answer.js'
 * @import { Request } from './client.js'
 *
 * @typedef {object} Operation
 * @property {string} rule what its answer must be, as in “your server …”: `sends one film`
 * @property {string} [effect] of one that writes: what later answers must show: `shows a new film in the next list`
 * @property {string[]} [touches] of one that writes: the operations that are drawn next, `about` it
 * @property {number} [weight] how often it is drawn, default 1
 * @property {number} [least] so often in every sequence, whatever its weight, on top of the others, default 1
 * @property {(given: DrawGiven) => Asked | null} draw null: there is nothing to ask yet
 * @property {(answer: Answer, given: { data: any }) => unknown} [meaning] what of the body must be equal; by default
 *   the value of JSON, the bytes of anything else
 * @property {(string | HeaderReading)[]} [headers] that must be equal in addition to those of every answer
 * @property {boolean} [tagged] its answer has an ETag, since the text promises one
 * @property {boolean} [loose] the text promises a refusal (4xx), and no more
 * @property {boolean} [odd] its values are odd: if the slow server doesn't refuse one (4xx), no text speaks of it, and
 *   any answer will do
 * @property {(step: Step, answer: Answer, given: ExpectsGiven) => string | null} [expects] what is wrong with the slow
 *   server's answer by the lesson's own model; null: nothing
 * @property {(answer: Answer) => boolean} [notNow] an answer that says “not now”, and that the text allows: it is asked
 *   again after a pause
 *
 * A header of which not everything has to be equal.
 * @typedef {object} HeaderReading
 * @property {string} name in lower case
 * @property {(value: string | undefined, answer: Answer) => unknown} read what of it has to be
 *
 * @typedef {object} ExpectsGiven
 * @property {any} data of the lesson
 * @property {readonly Step[]} accepted the steps before it that were answered with less than 400
 *
 * @typedef {object} DrawGiven
 * @property {Random} random
 * @property {any} data of the lesson
 * @property {(name: string) => Step[]} past the steps of an operation so far
 * @property {(name: string) => Step[]} [sent] the same, and reads that a write overtook
 * @property {Step} [about] the write that this one is to look at
 *
 * The deed of a step, or a function that finds it from earlier answers of the same server.
 * @typedef {Plain | FromAnswers} Asked
 *
 * A request, something that happens to the server's surroundings, or a look at them.
 * @typedef {Request | Perturbation | Observation} Plain
 *
 * @typedef {(answerOf: (step: Step) => Answer) => Plain | null} FromAnswers null: the answers give nothing to ask
 *
 * @typedef {{ origin: string, dataDir: string, patience?: number, upstream: Upstream | null }} Surroundings
 *
 * @typedef {object} Perturbation
 * @property {(server: Surroundings) => unknown} act
 * @property {string} says what happens, for the learner: `the file 7.png is replaced`
 * @property {readonly Fault[]} [faults] what it has set with the service, noted once it is done
 *
 * @typedef {object} Observation
 * @property {(server: Surroundings) => unknown} look what is seen; it has to be the same with the slow server. A
 *   ContractError says what is wrong with it by itself
 * @property {string} says where it looks: `the lines in access.log`
 *
 * @typedef {object} Step
 * @property {number} id
 * @property {string} name of the operation
 * @property {Operation} operation
 * @property {Asked} asked
 * @property {Transport} transport
 * @property {boolean} [inFlight] of a read that’s sent with a write: it may show either state, and isn’t compared
 *
 * How a request travels: no right server answers differently.
 * @typedef {object} Transport
 * @property {boolean} fresh on a new connection
 * @property {boolean} chunked a body without a length
 * @property {boolean} [spaced] JSON with blanks
 * @property {string} [accepts] the Accept-Encoding of a client that decodes its answer
 *
 * Steps that are sent at once, mostly one; or an event.
 * @typedef {{ steps: Step[], event?: Event }} Moment
 *
 * restart: on the same data; load: from here on many others ask, too; rest: they have all been answered; pause: the
 * rounds of load are measured on other servers.
 * @typedef {'restart' | 'load' | 'rest' | 'pause'} Event
 *
 * The outcome of a step: an answer, what was seen, none and why, or nothing where there was nothing to ask.
 * @typedef {{ answer: Answer } | { seen: unknown, says: string } | { failure: string, isLate?: boolean } | null}
 *   Outcome
 *
 * @typedef {{ what: string, expected: string, got: string }} Difference what: `the status`
 */

/**
 * How bodies are sent, in turn for each operation, so that few of them are enough: in parts, cut within a letter where
 * one takes several bytes, and with blanks around and within the JSON (RFC 8259, section 2).
 */
const manners = [
  { chunked: true, spaced: false }, { chunked: false, spaced: true }, { chunked: true, spaced: true },
  { chunked: false, spaced: false }
]
/** So many clients take compressed answers, and say so as browsers do, or in another way (RFC 9110, 12.5.3). */
const decoding = 0.5
export const usualCodings = 'gzip, deflate, br'
const codings = [
  ...Array(4).fill(usualCodings), 'gzip;q=0, identity', 'identity, gzip;q=0.0, br;q=0', 'GZIP;q=0.5',
  'br;q=0,gzip ; q=0', 'identity;q=1, *;q=0', 'deflate;q=0.1 , gzip;q=0.000'
]
/** Every so many-th read is one that was asked before. */
const repeated = 0.15
/** … and every so many-th write has a concurrent one: … */
const concurrent = 0.3
/** … so many of them the very same once more. */
const duplicates = 0.35
/** … and so many, but each kind once, come while what they touch is being read, and is read again. */
const overtaking = 0.2
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
  const { steps, repeat, draw, again, alongside, reading } = createDrawing({ operations, data, random })
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
  let enough = count + still.length - names.length
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
    const early = reading(first)
    const other = early ? draw(name) : random.next() < concurrent ? alongside(first) : null
    const writes = other ? [first, other] : [first]
    if (early) {
      // What was kept before the first, which no one has read, is no help with the read that the other one overtakes.
      if (other) {
        add(first)
        enough += 1 + (other.operation.touches ?? []).length
      }
      add(early, other ?? first)
      add(repeat(early))
    } else add(...writes)
    for (const write of writes) {
      for (const name of random.shuffle(write.operation.touches ?? [])) add(draw(name, write))
    }
    if (!early) add(again())
  }
  for (const { event } of due) moments.push({ steps: [], event })
  for (const read of lastReads(steps, random)) add(repeat(read))
  return moments
}

/** Each request once. @param {Step[]} steps @param {Random} random @returns {Step[]} */
function lastReads (steps, random) {
  const reads = random.shuffle(steps.filter((step) => !isWrite(step)))
  return [...new Map(reads.map((step) => [step.asked, step])).values()].slice(0, readBack)
}

/**
 * The steps so far, and the ways to draw another one.
 *
 * @param {{ operations: Record<string, Operation>, data: any, random: Random }} given
 */
function createDrawing ({ operations, data, random }) {
  /** @type {Step[]} */
  const steps = []
  /** Of the manners. @type {Map<string, number>} */
  const turns = new Map()
  /** Writes, with what was being read when one came. @type {Set<string>} */
  const overtaken = new Set()
  /**
   * A step of the same moment is no past: its answer may not be there yet. Nor is a read that was overtaken: it may
   * show either state.
   *
   * @type {Step | null}
   */
  let now = null
  /** @param {string} name */
  const sent = (name) => steps.filter((step) => step.name === name && step !== now)
  const past = (/** @type {string} */ name) => sent(name).filter(({ inFlight }) => !inFlight)
  /** @param {Pick<Step, 'name' | 'asked'>} what @returns {Step} */
  const repeat = ({ name, asked }) => {
    const accepts = random.next() < decoding ? random.pick(codings) : undefined
    const manner = mannerOf({ name, asked }, { turns, random })
    // Only what's sent in the same manner arrives at the same moment.
    const { chunked, spaced } = now?.transport ?? manner
    const transport = { fresh: random.next() < 0.3, chunked, spaced, accepts }
    const step = { id: steps.length + 1, name, operation: operations[name], asked, transport }
    steps.push(step)
    return step
  }
  /** @param {string} name @param {Step} [about] */
  const draw = (name, about) => {
    const asked = operations[name].draw({ random, data, past, sent, about })
    return asked === null ? null : repeat({ name, asked })
  }
  const again = () => {
    const reads = steps.filter((step) => !isWrite(step))
    return reads.length === 0 ? null : repeat(random.pick(reads))
  }
  /** @param {Step} write */
  const alongside = (write) => {
    now = write
    const names = Object.keys(operations).filter((name) => operations[name].touches !== undefined)
    const other = random.next() < duplicates ? repeat(write) : draw(random.pick(names))
    now = null
    return other
  }
  /** A read of what a write touches, on the way when that comes. @param {Step} write */
  const reading = (write) => {
    const names = (write.operation.touches ?? []).filter((name) => operations[name].touches === undefined)
    const due = names.filter((name) => !overtaken.has(`${write.name} ${name}`))
    if (names.length === 0 || (due.length === 0 && random.next() > overtaking)) return null
    const name = random.pick(due.length > 0 ? due : names)
    overtaken.add(`${write.name} ${name}`)
    now = write
    const asked = operations[name].draw({ random, data, past })
    now = null
    if (asked === null || !('path' in asked)) return null
    return Object.assign(repeat({ name, asked }), { inFlight: true })
  }
  return { steps, repeat, draw, again, alongside, reading }
}

/**
 * The next one. The first body with letters that can be torn comes in parts, and so does every other one after it.
 *
 * @param {Pick<Step, 'name' | 'asked'>} what @param {{ turns: Map<string, number>, random: Random }} drawing
 */
function mannerOf ({ name, asked }, { turns, random }) {
  const canBeTorn = 'path' in asked && /[^\0-\x7f]/.test(String(bodyOf(asked) ?? ''))
  const kind = canBeTorn ? `${name}, torn` : name
  const turn = turns.get(kind) ?? (canBeTorn ? 2 * random.int(1, 2) : random.int(1, manners.length))
  turns.set(kind, turn + 1)
  return manners[turn % manners.length]
}

/** Have steps of it been taken at once, whose answers tell their order? @param {Moment} moment */
export function isAnyOrder ({ steps }) {
  return steps.filter(({ inFlight }) => !inFlight).length > 1
}

/** @param {Pick<Step, 'operation'>} step */
export function isWrite ({ operation }) {
  return operation.touches !== undefined
}

/** @param {string[]} names @param {number[]} weights @param {Random} random */
function weighted (names, weights, random) {
  let at = random.next() * weights.reduce((sum, weight) => sum + weight, 0)
  return names.find((_, i) => (at -= weights[i]) < 0) ?? names[names.length - 1]
}

/**
 * How an answer differs from the slow server's in what it means: other frameworks order headers and close connections
 * in their own way. Pure.
 *
 * @param {Operation} operation
 * @param {any} data
 * @param {Outcome} expected
 * @param {Outcome} got
 * @returns {Difference | null}
 */
export function difference (operation, data, expected, got) {
  if (expected === null || got === null) return null
  if ('failure' in expected) return null
  if ('failure' in got) {
    const wanted = 'seen' in expected ? brief(show(expected.seen)) : `status ${expected.answer.status}`
    return { what: 'seen' in expected ? expected.says : 'the answer', expected: wanted, got: got.failure }
  }
  if ('seen' in expected) return 'seen' in got ? differentSight(expected, got) : null
  if ('seen' in got) return null
  const [baseline, yours] = [expected.answer, got.answer]
  if (operation.odd && (baseline.status < 400 || baseline.status >= 500)) return null
  if (operation.loose && baseline.status >= 400) {
    const isSameClass = Math.floor(baseline.status / 100) === Math.floor(yours.status / 100)
    return isSameClass ? null : unequal('the status', baseline, yours)
  }
  if (baseline.status !== yours.status) return unequal('the status', baseline, yours)
  return differentHeader(operation, baseline, yours) ?? differentBody(operation, data, baseline, yours)
}

/** @param {{ seen: unknown, says: string }} baseline @param {{ seen: unknown }} yours @returns {Difference | null} */
function differentSight ({ seen: wanted, says }, { seen }) {
  if (isDeepStrictEqual(wanted, seen)) return null
  const { place, expected, got } = firstDifference(wanted, seen)
  return { what: place === '' ? says : `${says}, at ${place}`, expected, got }
}

/** @param {string} what @param {Answer} baseline @param {Answer} yours @returns {Difference} */
function unequal (what, baseline, yours) {
  const [expected, got] = [baseline, yours].map(({ status, text }) => `${status} ${brief(text)}`.trim())
  return { what, expected, got }
}

/**
 * The meaning of headers: a media type in any case, lists in any order.
 *
 * @type {Record<string, (value: string | undefined, answer: Answer) => unknown>}
 */
const readings = {
  'content-type': mediaType,
  allow: (value) => value?.toUpperCase().split(/\s*,\s*/).sort(),
  location: (value) => value === undefined ? undefined : new URL(value, 'http://127.0.0.1').pathname,
  'content-encoding': (value) => value?.toLowerCase() ?? 'identity',
  // The client has compared it with the body.
  'content-length': (value) => value !== undefined,
  'set-cookie': (_, answer) => answer.cookies.map(({ name, attributes }) => {
    const { expires, ...rest } = attributes
    return { name, expires: expires !== undefined, ...rest }
  }).sort((a, b) => a.name < b.name ? -1 : 1)
}

/** Headers that say nothing of an answer without a body: a 304 may leave it out (RFC 9110, 15.4.5). */
const ofBody = ['content-type', 'content-encoding']

const always = ['content-type', 'allow', 'location', 'content-encoding', 'set-cookie']

const itself = (/** @type {string | undefined} */ value) => value

/** @param {Operation} operation @param {Answer} baseline @param {Answer} yours @returns {Difference | null} */
function differentHeader ({ headers = [], tagged = false }, baseline, yours) {
  // An operation that reads a header in its own way replaces our reading.
  const usual = always.filter((name) => !headers.some((header) => typeof header !== 'string' && header.name === name))
  for (const header of new Set([...usual, ...headers])) {
    const { name, read = readings[name] ?? itself } = typeof header === 'string' ? { name: header } : header
    if (ofBody.includes(name) && baseline.body.length === 0) continue
    // A server that names more methods is right, too.
    if (name === 'allow' && baseline.headers.allow === undefined) continue
    if (isDeepStrictEqual(read(baseline.headers[name], baseline), read(yours.headers[name], yours))) continue
    const [expected, got] = [baseline, yours].map(({ headers }) => headers[name] ?? 'none')
    return { what: `the header ${name}`, expected, got }
  }
  return differentVary(baseline, yours) ?? differentCaching(baseline, yours) ??
    (tagged && baseline.status < 400 && baseline.headers.etag !== undefined && yours.headers.etag === undefined
      ? { what: 'the header etag', expected: 'a quoted ETag', got: 'none' }
      : null)
}

/**
 * A server that names more headers loses hits of a cache, and is right.
 *
 * @param {Answer} baseline @param {Answer} yours
 */
function differentVary (baseline, yours) {
  const [wanted, named] = [baseline, yours].map(({ headers }) => (headers.vary ?? '').toLowerCase().split(/\s*,\s*/))
  return wanted.every((name) => name === '' || named.includes(name) || named.includes('*'))
    ? null
    : { what: 'the header vary', expected: baseline.headers.vary, got: yours.headers.vary ?? 'none' }
}

/** Where nothing is said of caching, a server must not allow it. @param {Answer} baseline @param {Answer} yours */
function differentCaching (baseline, yours) {
  const [wanted, said] = [baseline, yours].map(({ headers }) => {
    return (headers['cache-control'] ?? '').toLowerCase().split(/\s*,\s*/).filter((part) => part !== '').sort()
  })
  const isSame = wanted.length > 0
    ? isDeepStrictEqual(wanted, said)
    : !said.some((part) => part === 'immutable' || /^(s-)?max-?age=0*[1-9]/.test(part))
  if (isSame) return null
  const name = 'cache-control'
  return { what: `the header ${name}`, expected: baseline.headers[name] ?? 'none', got: yours.headers[name] ?? 'none' }
}

/**
 * @param {Operation} operation
 * @param {any} data
 * @param {Answer} baseline
 * @param {Answer} yours
 * @returns {Difference | null}
 */
function differentBody ({ meaning = meaningOf }, data, baseline, yours) {
  if (baseline.body.equals(yours.body)) return null
  const wanted = meaning(baseline, { data })
  /** @type {unknown} */
  let seen
  try {
    seen = meaning(yours, { data })
  } catch (error) {
    return { what: 'the body', expected: brief(baseline.text), got: `${brief(yours.text)} (${error.message})` }
  }
  if (isDeepStrictEqual(wanted, seen)) return null
  const { place, expected, got } = firstDifference(wanted, seen)
  return { what: place === '' ? 'the body' : `the body at ${place}`, expected, got }
}

/** @param {Answer} answer */
function meaningOf (answer) {
  return mediaType(answer.headers['content-type']) === 'application/json' ? answer.json() : answer.body
}

/**
 * Case and spaces of a media type do not matter, nor does the charset of JSON, which has only one.
 *
 * @param {string | undefined} value
 */
function mediaType (value) {
  return value?.toLowerCase().replaceAll(' ', '').replace(/^(application\/json);charset=utf-8$/, '$1')
}

/**
 * Where two values differ first.
 *
 * @param {unknown} wanted
 * @param {unknown} seen
 * @param {string} [place]
 * @returns {{ place: string, expected: string, got: string }}
 */
function firstDifference (wanted, seen, place = '') {
  if (isPlain(wanted) && isPlain(seen) && Array.isArray(wanted) === Array.isArray(seen)) {
    for (const key of new Set([...Object.keys(wanted), ...Object.keys(seen)])) {
      const [a, b] = [wanted[key], seen[key]]
      if (isDeepStrictEqual(a, b)) continue
      return firstDifference(a, b, Array.isArray(wanted) ? `${place}[${key}]` : place === '' ? key : `${place}.${key}`)
    }
  }
  if (typeof wanted === 'string' && typeof seen === 'string') {
    let at = 0
    while (at < wanted.length && wanted[at] === seen[at]) at++
    const from = Math.max(0, at - 20)
    return { place, expected: brief(show(wanted.slice(from))), got: brief(show(seen.slice(from))) }
  }
  return { place, expected: brief(show(wanted)), got: brief(show(seen)) }
}

/** @param {unknown} value @returns {value is Record<string, unknown>} */
function isPlain (value) {
  return typeof value === 'object' && value !== null && !Buffer.isBuffer(value)
}

/** @param {unknown} value */
function show (value) {
  if (value === undefined) return 'nothing'
  return Buffer.isBuffer(value) ? `${value.length} bytes, ${value.toString('hex', 0, 24)}…` : JSON.stringify(value)
}

/** @param {string} text */
export function brief (text) {
  return text.length > 120 ? `${text.slice(0, 117)}…` : text
}
