import assert from 'node:assert/strict'
import test from 'node:test'
import { numberUpTo, oneOf, textUpTo } from '../../runner/http/index.js'

const refused = { status: 400, message: 'Why.' }

test('what fits a rule is given back', () => {
  assert.equal(oneOf('b', ['a', 'b'], 'Why.'), 'b')
  assert.equal(textUpTo('abc', 3, 'Why.'), 'abc')
  assert.equal(numberUpTo(3, 3, 'Why.'), 3)
})

test('anything else is refused with its sentence', () => {
  for (const given of [undefined, 'c', ['a'], 'toString']) assert.throws(() => oneOf(given, ['a'], 'Why.'), refused)
  for (const given of [undefined, null, 7, ['a'], 'abcd']) assert.throws(() => textUpTo(given, 3, 'Why.'), refused)
  for (const given of [undefined, '1', 0, 1.5, 4, NaN]) assert.throws(() => numberUpTo(given, 3, 'Why.'), refused)
})
