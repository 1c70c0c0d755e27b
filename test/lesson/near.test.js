import assert from 'node:assert/strict'
import test from 'node:test'
import { distance, nearest } from '../../runner/shared/rules.js'
import { fc } from '../properties.js'

test('the distance counts added, dropped, replaced and swapped letters', () => {
  assert.equal(distance('check', 'check'), 0)
  assert.equal(distance('chek', 'check'), 1)
  assert.equal(distance('checkk', 'check'), 1)
  assert.equal(distance('chack', 'check'), 1)
  assert.equal(distance('chekc', 'check'), 1)
  assert.equal(distance('', 'check'), 5)
  assert.equal(distance('kitten', 'sitting'), 3)
})

test('the distance is symmetric, zero only between equals, and never more than the longer word', () => {
  fc.assert(fc.property(fc.string(), fc.string(), (a, b) => {
    const slips = distance(a, b)
    assert.equal(slips, distance(b, a))
    assert.equal(slips === 0, a === b)
    assert.ok(slips <= Math.max(a.length, b.length))
  }))
})

test('the nearest name comes first, and what resembles nothing gets none', () => {
  const known = ['bench', 'check', 'doctor', 'hint', 'list', 'reset', 'serve']
  assert.deepEqual(nearest('chek', known), ['check'])
  assert.deepEqual(nearest('lsit', known), ['list'])
  assert.deepEqual(nearest('DOC', known), ['doctor'])
  assert.deepEqual(nearest('banana', known), [])
  assert.deepEqual(nearest('', known), [])
})
