import assert from 'node:assert/strict'
import test from 'node:test'
import {
  alikeKeys, inQuery, oddHeader, oddKeys, oddNumbers, oddText, refusesAll, takesMany, withMore,
  wrongBodies
} from '../../lessons/form/kinds.js'
import { ContractError } from '../../runner/contract/index.js'
import { createRandom } from '../../runner/shared/random.js'
import { fc } from '../properties.js'

const randoms = fc.string().map(createRandom)
/** Ways to read a number, each of which takes more than a whole number from 1 on. */
const careless = {
  Number: (/** @type {string} */ text) => Number.isInteger(Number(text)) && Number(text) > 0,
  parseInt: (/** @type {string} */ text) => Number.parseInt(text) > 0,
  pattern: (/** @type {string} */ text) => /\d+/.test(text),
  line: (/** @type {string} */ text) => /^[1-9]\d*$/m.test(text),
  least: (/** @type {string} */ text) => !(Number(text) < 0),
  object: (/** @type {string} */ text) => text in []
}

test('of the odd numbers none is a whole number from 1 on, and they mislead every careless way to read one', () => {
  const misled = new Set()
  fc.assert(fc.property(randoms, fc.integer({ min: 1, max: 99_999 }), (random, good) => {
    const texts = oddNumbers(random, good).map(decodeURIComponent)
    for (const text of texts) assert.doesNotMatch(text, /^[1-9]\d*$/)
    assert.ok(texts.some(careless.Number), `${texts}`)
    assert.ok(texts.some(careless.parseInt), `${texts}`)
    for (const [name, reads] of Object.entries(careless)) if (texts.some(reads)) misled.add(name)
  }))
  assert.deepEqual([...misled].sort(), Object.keys(careless).sort())
})

test('of the odd keys none is the good one, and one belongs to every object', () => {
  fc.assert(fc.property(randoms, (random) => {
    const keys = oddKeys(random, 'lamp')
    assert.ok(!keys.includes('lamp'))
    assert.ok(keys.some((key) => key in {}))
  }))
})

test('keys that are alike are other keys, and mislead every careless way to read one', () => {
  for (const good of ['lamp', 'EN-107', 'u-Abc']) {
    const keys = alikeKeys(good)
    assert.ok(!keys.includes(good))
    for (const read of [(/** @type {string} */ key) => key.toLowerCase(), decodeURIComponent]) {
      assert.ok(keys.some((key) => read(key) === read(good)), `${keys}`)
    }
    assert.ok(keys.some((key) => key.trim() === good))
  }
})

test('a body is wrong in one field at a time, in every way of its kind', () => {
  const good = { product: 'lamp', count: 3, note: 'x' }
  const all = wrongBodies(createRandom('x'), good, { product: 'key', count: 'number', note: 'text' })
  assert.deepEqual(all.slice(-2), [{}, undefined])
  const bodies = /** @type {any[]} */ (all.slice(0, -2))
  for (const body of bodies) {
    const changed = Object.keys(good).filter((key) => body[key] !== /** @type {any} */ (good)[key])
    assert.equal(changed.length, 1, JSON.stringify(body))
  }
  const products = bodies.map(({ product }) => product)
  for (const name of ['constructor', '__proto__', null, undefined]) assert.ok(products.includes(name))
})

test('a text comes back from a query string, however it’s written', () => {
  fc.assert(fc.property(randoms, (random) => {
    const text = oddText(random)
    const query = `text=${inQuery(random, text)}`
    assert.equal(new URLSearchParams(query).get('text'), text)
  }))
})

test('a header begins with its word, and takes a byte for each letter', () => {
  fc.assert(fc.property(randoms, (random) => {
    const value = oddHeader(random, 'word')
    assert.ok(value.startsWith('word') && value.length > 4)
    assert.equal(Buffer.from(value, 'latin1').toString('latin1'), value)
  }))
})

test('every wrong body has to get 400, and none may change anything', async () => {
  let count = 0
  const check = refusesAll({
    name: 'refuses', path: '/orders', bodies: () => [{ count: 0 }, { count: '1' }], sees: async () => `${count} orders`
  })
  const run = (/** @type {(json: any) => number} */ statusOf) => check.run(/** @type {any} */ ({
    post: async (/** @type {string} */ _, /** @type {any} */ { json }) => ({ status: statusOf(json) }),
    fail: (/** @type {string} */ message) => { throw new ContractError(message) }
  }))
  await run(() => 400)
  const takesTexts = run((json) => json?.count === '1' ? 201 : 400)
  await assert.rejects(takesTexts, /^Error: POST \/orders {"count":"1"}: .* got 201$/)
  await assert.rejects(run((json) => json === null ? 500 : 400), /^Error: POST \/orders null: .* got 500$/)
  await assert.rejects(run((json) => Array.isArray(json) ? 201 : 400), /^Error: POST \/orders \[\]: .* got 201$/)
  await assert.rejects(run(() => { count++; return 400 }), /^Error: 0 orders before .*, and 8 orders afterwards$/)
})

test('further fields leave the good ones as they are, and some of them are those of an answer', () => {
  fc.assert(fc.property(randoms, (random) => {
    const body = withMore(random, { product: 'lamp', number: 3 }, ['number', 'seal'])
    assert.deepEqual([body.product, body.number, 'seal' in body], ['lamp', 3, true])
    assert.ok(Object.keys(body).length > 3)
  }))
})

test('what is made up never comes again, even after a restart, and each of many counts', async () => {
  let runs = 0
  /** @param {(count: number) => string} idOf of a request of one run @param {(count: number) => number} [counts] */
  const run = (idOf, counts) => takesMany({
    draw: () => ({ path: '/' }),
    makes: ({ text }) => ({ id: text }),
    isSecret: counts === undefined,
    counted: counts && (async ({ get }) => counts(Number((await get('/count')).text)))
  })(/** @type {any} */ ({
    another: async () => {
      runs++
      let count = 0
      const fail = (/** @type {string} */ message) => { throw new ContractError(message) }
      return { send: async () => ({ text: idOf(++count), fail }), get: async () => ({ text: count }) }
    },
    fail: (/** @type {string} */ message) => { throw new ContractError(message) }
  }))
  const random = createRandom('ids')
  await run(() => random.word(20))
  assert.equal(runs, 2)
  await run(() => random.word(20), (count) => count)
  assert.equal(runs, 3)
  const numbered = (/** @type {number} */ count) => random.fork(`${count}`).word(20)
  await assert.rejects(run(numbered), /^Error: one of 50 got the same id as an earlier one/)
  await assert.rejects(run((count) => numbered(count % 512)), /^Error: one of 1100 got the same id/)
  await assert.rejects(run((count) => `0000000000000${runs}${count}`), /can the next one be guessed\?$/)
  const lost = run(() => random.word(20), (count) => Math.min(count, 900))
  await assert.rejects(lost, /^Error: 1100 more than 0, and 900 count$/)
})
