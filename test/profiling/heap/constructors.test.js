import assert from 'node:assert/strict'
import test from 'node:test'
import { byConstructor, constructorGrowth } from '../../../runner/profiling/heap/holders.js'
import { dominatorsOf, retainedSizes } from '../../../runner/profiling/heap/heap-graph.js'
import { makeHeap } from './graph.js'

/** @param {ReturnType<typeof makeHeap>} heap */
function aggregate ({ graph }) {
  const dominators = dominatorsOf(graph)
  return byConstructor(graph, dominators, retainedSizes(graph, dominators))
}

test('constructors are named as DevTools names them', () => {
  const types = {
    text: 'string', list: 'array', act: 'closure', code: 'code', shape: 'object shape', map: 'hidden', own: 'native'
  }
  const kinds = aggregate(
    makeHeap(
      { root: Object.keys(types) },
      Object.fromEntries(Object.entries(types).map(([key, type]) => [key, { type }]))
    )
  )
  assert.deepEqual([...kinds.keys()].sort(), [
    '(array)', '(closure)', '(compiled code)', '(object shape)', '(string)', '(synthetic)', '(system)', 'own'
  ])
  assert.deepEqual(
    [...kinds.values()].filter(({ isInternal }) => !isInternal).map(({ name }) => name).sort(),
    ['(array)', '(closure)', '(string)', 'own']
  )
})

test('an object below another of its constructor counts once in the retained size', () => {
  const node = { name: 'Node' }
  const kinds = aggregate(
    makeHeap(
      { root: ['a', 'x'], a: ['b'], b: ['text'], x: ['c'] },
      { a: node, b: node, c: node, x: { name: 'Other' }, text: { type: 'string', size: 100 } }
    )
  )
  assert.deepEqual(kinds.get('Node'), { name: 'Node', isInternal: false, count: 3, selfBytes: 30, retainedBytes: 130 })
  assert.deepEqual(kinds.get('Other'), { name: 'Other', isInternal: false, count: 1, selfBytes: 10, retainedBytes: 20 })
})

test('growth: more, fewer, new, gone; what did not change is left out', () => {
  const kind = (/** @type {string} */ name, /** @type {number} */ count) => ({
    name,
    isInternal: false,
    count,
    selfBytes: 10 * count,
    retainedBytes: 100 * count
  })
  const map = (/** @type {ReturnType<typeof kind>[]} */ ...kinds) => new Map(kinds.map((one) => [one.name, one]))
  const growth = constructorGrowth(
    map(kind('Same', 5), kind('More', 1), kind('Gone', 2)),
    map(kind('Same', 5), kind('More', 4), kind('New', 1))
  )
  assert.deepEqual(
    growth.map(({ name, count, selfBytes, retainedBytes }) => [name, count, selfBytes, retainedBytes]),
    [['More', 3, 30, 300], ['New', 1, 10, 100], ['Gone', -2, -20, -200]]
  )
})
