import assert from 'node:assert/strict'
import test from 'node:test'
import { growingHolders, sharedWithOthers } from '../../../runner/profiling/heap/holders.js'
import { pathTo, shortestPaths } from '../../../runner/profiling/heap/retainers.js'
import { dominatorsOf } from '../../../runner/profiling/heap/heap-graph.js'
import { makeHeap } from './graph.js'

/** @param {ReturnType<typeof makeHeap>} heap */
const withPaths = ({ graph }) => ({ graph, paths: shortestPaths(graph) })

/**
 * A root that holds a Map with a table, in which entries lie.
 *
 * @param {number[]} ids of the entries
 * @param {number} table its id
 */
function mapOf (ids, table) {
  const entries = ids.map((id) => `entry ${id}`)
  return makeHeap(
    {
      root: ['map', 'other'],
      map: [{ to: 'table', type: 'internal' }],
      table: entries.map((to, at) => ({ to, type: 'internal', name: String(at) }))
    },
    {
      map: { name: 'Map', id: 3 },
      other: { id: 5 },
      table: { type: 'array', id: table, size: 50 },
      ...Object.fromEntries(entries.map((key, at) => [key, { name: 'Entry', id: ids[at], size: 100 }]))
    }
  )
}

test('new entries are charged to the Map, though V8 renewed its table', () => {
  const after = mapOf([101, 103, 105], 99)
  const [holder, ...others] = growingHolders(withPaths(mapOf([101], 97)), withPaths(after))
  assert.equal(holder.node, after.at('map'))
  assert.equal(holder.bytes, 200)
  assert.equal(holder.items, 2)
  assert.equal(holder.typicalBytes, 100)
  assert.equal(holder.sort, 'Entry')
  assert.equal(holder.isNative, false)
  assert.ok([after.at('entry 103'), after.at('entry 105')].includes(holder.typical))
  assert.deepEqual(holder.made, [{ name: 'Entry', count: 2, bytes: 200 }, { name: '(array)', count: 1, bytes: 50 }])
  assert.deepEqual(others, [])
})

test('a cache that replaces its entries does not grow', () => {
  assert.deepEqual(growingHolders(withPaths(mapOf([101, 103], 97)), withPaths(mapOf([105, 107], 97))), [])
})

test('V8’s own code that came meanwhile is no growth', () => {
  const code = { type: 'code', size: 1000 }
  const before = makeHeap({ root: ['f'] }, { f: { type: 'closure', id: 3 } })
  const after = makeHeap(
    { root: ['f'], f: [{ to: 'code', type: 'internal' }], code: ['text'] },
    { f: { type: 'closure', id: 3 }, code: { ...code, id: 101 }, text: { type: 'string', size: 500, id: 103 } }
  )
  assert.deepEqual(growingHolders(withPaths(before), withPaths(after)), [])
})

test('where many old objects gather a little each, the one that holds them is named', () => {
  const users = Array.from({ length: 40 }, (_, at) => `user ${at}`)
  const made = (/** @type {boolean} */ isLater) =>
    makeHeap(
      {
        root: ['users'],
        users,
        ...Object.fromEntries(users.map((user, at) => [user, isLater ? [`visit ${at}`] : []]))
      },
      Object.fromEntries([
        ...users.map((user, at) => [user, { id: 11 + 2 * at }]),
        ['users', { id: 3 }],
        ...(isLater ? users.map((_, at) => [`visit ${at}`, { name: 'Visit', id: 301 + 2 * at }]) : [])
      ])
    )
  const after = made(true)
  const holders = growingHolders(withPaths(made(false)), withPaths(after))
  assert.deepEqual(
    holders.map(({ node, bytes, items }) => ({ node, bytes, items })),
    [{ node: after.at('users'), bytes: 400, items: 40 }]
  )
})

test('a list whose head is always new holds what is behind it, as the value of its variable', () => {
  const links = Array.from({ length: 30 }, (_, at) => `link ${at}`)
  const before = makeHeap({ root: ['scope'] }, { scope: { id: 3, name: 'system / Context' } })
  const after = makeHeap(
    {
      root: ['scope'],
      scope: [{ to: 'link 0', type: 'context', name: 'head' }],
      ...Object.fromEntries(links.slice(1).map((link, at) => [links[at], [link]]))
    },
    {
      scope: { id: 3, name: 'system / Context' },
      ...Object.fromEntries(links.map((link, at) => [link, { name: 'Link', id: 101 + 2 * at }]))
    }
  )
  const [holder, ...others] = growingHolders(withPaths(before), withPaths(after))
  assert.equal(holder.node, after.at('link 0'))
  assert.equal(holder.bytes, 300)
  assert.deepEqual(others, [])
})

test('a variable that gets a new value holds as much more as the new value is larger', () => {
  const made = (/** @type {string} */ value, /** @type {number} */ id, /** @type {number} */ size) =>
    makeHeap(
      {
        root: ['scope'],
        scope: [{ to: value, type: 'context', name: 'buffer' }],
        [value]: [{ to: `${value} data`, type: 'internal' }]
      },
      {
        scope: { id: 3, name: 'system / Context' },
        [value]: { name: 'Buffer', id },
        [`${value} data`]: { type: 'native', id: id + 2, size }
      }
    )
  const after = made('large', 201, 5000)
  const [holder] = growingHolders(withPaths(made('small', 101, 700)), withPaths(after))
  assert.deepEqual([holder.node, holder.bytes, holder.items, holder.typicalCount], [after.at('large'), 4300, 0, 0])
  assert.deepEqual(growingHolders(withPaths(made('one', 101, 700)), withPaths(made('other', 201, 700))), [])
})

test('what others hold as well would stay', () => {
  const heap = makeHeap({ root: ['a', 'b'], a: ['own', 'shared'], b: ['shared'] }, { shared: { size: 70 } })
  const [own, shared] = ['own', 'shared'].map(heap.at)
  assert.deepEqual(
    sharedWithOthers(heap.graph, dominatorsOf(heap.graph), { node: heap.at('a'), fresh: [own, shared] }),
    { bytes: 70, largest: shared }
  )
  assert.deepEqual(sharedWithOthers(heap.graph, dominatorsOf(heap.graph), { node: heap.at('a'), fresh: [own] }), {
    bytes: 0,
    largest: -1
  })
})

test('paths: the shortest over edges that hold, through V8’s own objects only where there is no other', () => {
  const heap = makeHeap(
    {
      root: [{ to: 'near', type: 'weak' }, 'code', 'a'],
      code: ['target'],
      a: ['b'],
      b: ['target', 'near'],
      target: []
    },
    { code: { type: 'code' } }
  )
  const names = (/** @type {string} */ key, options = {}) =>
    pathTo(shortestPaths(heap.graph, options), heap.at(key)).map(({ node }) => heap.keys[node])
  assert.deepEqual(names('target'), ['root', 'a', 'b', 'target'])
  assert.deepEqual(names('near'), ['root', 'a', 'b', 'near'])
  assert.deepEqual(names('target', { without: heap.at('b') }), ['root', 'code', 'target'])
})
