import assert from 'node:assert/strict'
import test from 'node:test'
import { dominatorsOf, retainedSizes } from '../../../runner/profiling/heap/heap-graph.js'
import { makeHeap } from './graph.js'

/** @param {ReturnType<typeof makeHeap>} heap */
function solve ({ graph, at, keys }) {
  const dominators = dominatorsOf(graph)
  const retained = retainedSizes(graph, dominators)
  return {
    of: (/** @type {string} */ key) => keys[dominators.dominator[at(key)]],
    retained: (/** @type {string} */ key) => retained[at(key)],
    order: [...dominators.order].map((node) => keys[node])
  }
}

test('an unreachable object has no dominator, and counts for none', () => {
  const { of, retained, order } = solve(makeHeap({ root: ['a'], lost: ['a', 'other'], other: ['lost'] }))
  assert.equal(of('lost'), undefined)
  assert.equal(of('a'), 'root')
  assert.equal(retained('root'), 20)
  assert.equal(retained('lost'), 10)
  assert.deepEqual(order, ['a', 'root'])
})

test('a weak edge does not hold, nor a shortcut that is not the root’s, nor a WeakMap its values', () => {
  const { of } = solve(
    makeHeap(
      {
        root: [{ to: 'global', type: 'shortcut' }, 'key', 'map'],
        global: [{ to: 'weakly', type: 'weak' }, { to: 'again', type: 'shortcut' }],
        map: [
          {
            to: 'value',
            type: 'internal',
            name: '2 / part of key (Object @5) -> value (Object @9) pair in WeakMap (table @71)'
          }
        ],
        key: [
          {
            to: 'value',
            type: 'internal',
            name: '2 / part of key (Object @5) -> value (Object @9) pair in WeakMap (table @71)'
          }
        ]
      },
      { map: { id: 71, type: 'array' } }
    )
  )
  assert.equal(of('global'), 'root')
  assert.equal(of('weakly'), undefined)
  assert.equal(of('again'), undefined)
  assert.equal(of('value'), 'key')
})

test('the same as the definition says, for graphs at random', () => {
  let seed = 7
  const random = (/** @type {number} */ below) => (seed = seed * 48271 % 2147483647) % below
  for (let round = 0; round < 60; round++) {
    const keys = Array.from({ length: 9 }, (_, at) => `n${at}`)
    /** @type {Record<string, string[]>} */
    const edges = Object.fromEntries(keys.map((key) => [key, []]))
    for (let i = 0; i < 14; i++) edges[keys[random(9)]].push(keys[random(9)])
    const reached = (/** @type {string} */ without) => {
      const seen = new Set(['n0'].filter((key) => key !== without))
      for (const key of seen) for (const to of edges[key]) if (to !== without) seen.add(to)
      return seen
    }
    const all = reached('')
    const { retained } = solve(makeHeap(edges))
    // Retained is what cannot be reached any more without it.
    for (const key of all) {
      assert.equal(retained(key), 10 * (all.size - reached(key).size), JSON.stringify({ key, edges }))
    }
  }
})
