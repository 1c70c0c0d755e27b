import assert from 'node:assert/strict'
import test from 'node:test'
import { generateCommands, isAnyOrder } from '../../../runner/contract/operation.js'
import { createRandom } from '../../../runner/shared/random.js'
import { fc } from '../../properties.js'

/** @import { Operation } from '../../../runner/contract/index.js' */

/** @type {Record<string, Operation>} */
const operations = {
  read: { rule: 'reads', draw: ({ random }) => ({ path: `/${random.int(1, 5)}` }) },
  after: {
    rule: 'reads what was answered',
    draw: ({ past, random }) => {
      const reads = past('read')
      if (reads.length === 0) return null
      const step = random.pick(reads)
      return (answerOf) => ({ path: `/after/${answerOf(step).status}` })
    }
  },
  write: {
    rule: 'takes what is written',
    effect: 'shows it',
    touches: ['one'],
    draw: ({ random }) => ({ method: 'POST', path: '/', json: random.word(3) })
  },
  one: {
    rule: 'shows one',
    draw: ({ about }) => about ? (answerOf) => ({ path: answerOf(about).text }) : { path: '/1' }
  }
}
const draw = (/** @type {string} */ seed, more = {}) =>
  generateCommands({ operations, data: {}, random: createRandom(seed), count: 40, ...more })

test('the same seed draws the same sequence', () => {
  const shape = (/** @type {string} */ seed) => draw(seed).map(({ steps }) => steps.map(({ name }) => name))
  assert.deepEqual(shape('a'), shape('a'))
  assert.notDeepEqual(shape('a'), shape('b'))
})

test('every step has its own number, and rests on earlier ones only', () => {
  fc.assert(fc.property(fc.string(), (seed) => {
    const steps = draw(seed).flatMap(({ steps }) => steps)
    assert.ok(steps.length >= 40)
    assert.deepEqual(steps.map(({ id }) => id).sort((a, b) => a - b), steps.map((_, at) => at + 1))
    for (const { asked, id } of steps) {
      if (typeof asked === 'function') {
        asked((earlier) => {
          assert.ok(earlier.id < id)
          return /** @type {any} */ ({ status: 200, text: '/x' })
        })
      }
    }
  }))
})

test('after a write follows what it touches, and some writes have a concurrent one', () => {
  const moments = Array.from({ length: 10 }, (_, seed) => draw(String(seed))).flat()
  const writes = moments.flatMap(({ steps }, at) => steps.some(({ name }) => name === 'write') ? [at] : [])
  for (const at of writes) assert.equal(moments[at + 1].steps[0].name, 'one')
  assert.ok(moments.some(({ steps }) => steps.length === 2))
  assert.ok(writes.some((at) => moments[at].steps.length === 1))
})

test('some writes come while what they touch is being read, and it’s read again', () => {
  const moments = Array.from({ length: 10 }, (_, seed) => draw(String(seed))).flat()
  const overtaken = moments.flatMap(({ steps }, at) => steps.some(({ inFlight }) => inFlight) ? [at] : [])
  assert.ok(overtaken.length > 0)
  for (const at of overtaken) {
    const { steps: [read, write] } = moments[at]
    assert.deepEqual([read.name, write.name, isAnyOrder(moments[at])], ['one', 'write', false])
    const [{ asked, inFlight }] = moments[at + 1].steps
    assert.deepEqual([asked, inFlight], [read.asked, undefined])
  }
})

test('nothing rests on a read that was overtaken by a write', () => {
  /** @type {Set<import('../../../runner/contract/index.js').Step>} */
  const known = new Set()
  /** @type {Set<import('../../../runner/contract/index.js').Step>} */
  const sentAtAll = new Set()
  /** @type {Operation} */
  const copies = {
    rule: 'rests on what was shown',
    draw: ({ past, sent = past }) => {
      for (const step of past('one')) known.add(step)
      for (const step of sent('one')) sentAtAll.add(step)
      return { path: '/copies' }
    }
  }
  const moments = Array.from({ length: 10 }, (_, seed) => generateCommands({
    operations: { ...operations, copies }, data: {}, random: createRandom(`copies ${seed}`), count: 40
  })).flat()
  assert.ok(moments.some(({ steps }) => steps.some(({ inFlight }) => inFlight)))
  assert.ok(known.size > 0)
  assert.deepEqual([...known].filter(({ inFlight }) => inFlight), [])
  // What only counts requests, such as a look at a log, is told of it all the same.
  assert.ok([...sentAtAll].some(({ inFlight }) => inFlight))
})

test('events come in their order, also those that are due at the end', () => {
  const events = /** @type {const} */ ([
    { at: 10, event: 'load' },
    { at: 20, event: 'rest' },
    { at: 999, event: 'restart' }
  ])
  const moments = draw('x', { events })
  assert.deepEqual(moments.flatMap(({ event }) => event ?? []), ['load', 'rest', 'restart'])
  // Everything is read once more behind the last of them.
  assert.ok(moments.findIndex(({ event }) => event === 'restart') < moments.length - 1)
})

test('some writes are sent twice at once', () => {
  const moments = Array.from({ length: 20 }, (_, seed) => draw(String(seed))).flat()
  const isTwin = moments.map(({ steps: [one, other] }) => other !== undefined && one.asked === other.asked)
  assert.ok(isTwin.includes(true))
  const isOther = moments.map(({ steps: [one, other] }) => other !== undefined && one.asked !== other.asked)
  assert.ok(isOther.includes(true))
})

test('what is asked at the same moment rests on no answer of that moment', () => {
  /** @type {Map<object, any[]>} what a write was told of the past, by its request */
  const known = new Map()
  const write = {
    rule: 'writes',
    touches: [],
    draw: (/** @type {any} */ { past }) => {
      const asked = { method: 'POST', path: `/${known.size}` }
      known.set(asked, past('write'))
      return asked
    }
  }
  for (let seed = 0; seed < 30; seed++) {
    const moments = generateCommands({
      operations: { write }, data: {}, random: createRandom(`now ${seed}`), count: 40
    })
    for (const { steps } of moments) {
      for (const { asked } of steps) {
        const past = known.get(/** @type {object} */ (asked)) ?? []
        assert.ok(steps.every((step) => step.asked === asked || !past.includes(step)))
      }
    }
  }
  assert.ok(known.size > 100)
})

test('the first body with letters that can be torn comes in parts, and so does every other one', () => {
  const torn = { ...operations, write: { ...operations.write, weight: 9, draw: () => ({ path: '/', json: 'Zoë' }) } }
  for (const seed of ['a', 'b', 'c']) {
    const moments = generateCommands({ operations: torn, data: {}, random: createRandom(seed), count: 40 })
    const alone = moments.filter((moment) => !isAnyOrder(moment)).flatMap(({ steps }) => steps)
    const first = alone.find(({ name }) => name === 'write')
    assert.equal(first?.transport.chunked, true)
  }
})
