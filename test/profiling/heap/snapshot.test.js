import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import test from 'node:test'
import { compareFiles } from '../../../runner/profiling/heap/heap-report.js'
import { byConstructor } from '../../../runner/profiling/heap/holders.js'
import {
  dominatorsOf, parseSnapshot, readSnapshot, retainedSizes, SnapshotError
} from '../../../runner/profiling/heap/heap-graph.js'
import { makeFolder } from '../../temporary.js'
import { asFile, makeHeap } from './graph.js'

const esm = `import v8 from 'node:v8'
class Thing {
  constructor (at) { this.at = at; this.text = 'thing ' + at }
}
const kept = new Map()
let acts = []
const tags = { byUrl: {} }
let bounded = []
function fill (from, count) {
  for (let at = from; at < from + count; at++) {
    kept.set(at, new Thing(at))
    acts.push(() => kept.get(at))
    tags.byUrl['/' + at] = { at, tag: 'tag ' + at, more: [at] }
  }
  bounded = Array.from({ length: 300 }, (_, at) => ({ at, from }))
}
fill(0, 50)
v8.writeHeapSnapshot('a.heapsnapshot')
fill(50, 1000)
v8.writeHeapSnapshot('b.heapsnapshot')
export { fill }
setTimeout(() => fill, 1)
`

/** @param {string} source @param {string} name @param {(dir: string) => void | Promise<void>} use */
async function withSnapshots (source, name, use) {
  const { dir, remove } = makeFolder('mif heap é ')
  try {
    fs.writeFileSync(path.join(dir, name), source)
    execFileSync(process.execPath, [name], { cwd: dir, stdio: 'inherit' })
    await use(dir)
  } finally {
    remove()
  }
}

/** @param {string} dir */
const given = (dir) => ({
  before: path.join(dir, 'a.heapsnapshot'),
  after: path.join(dir, 'b.heapsnapshot'),
  answers: 1000,
  dir,
  sourceOf: (/** @type {string} */ file) => fs.readFileSync(path.join(dir, file), 'utf8')
})

test('two snapshots of V8: what grew, who holds it, where that is declared', async () => {
  await withSnapshots(esm, 'server.mjs', async (dir) => {
    const graph = await readSnapshot(path.join(dir, 'b.heapsnapshot'))
    assert.ok(graph)
    const dominators = dominatorsOf(graph)
    const things = byConstructor(graph, dominators, retainedSizes(graph, dominators)).get('Thing')
    assert.equal(things?.count, 1050)

    const found = await compareFiles(given(dir))
    assert.ok(found)
    assert.equal(found.constructors.find(({ name }) => name === 'Thing')?.count, 1000)
    const holders = Object.fromEntries(found.holders.map((holder) => [holder.name, holder]))
    assert.deepEqual(Object.keys(holders).sort(), ['acts', 'kept', 'tags.byUrl'])
    assert.equal(holders.kept.kind, 'Map')
    assert.equal(holders.kept.place, 'server.mjs:5')
    assert.equal(holders.kept.typical, 'Thing')
    assert.equal(holders.kept.typicalCount, 1000)
    assert.deepEqual(holders.kept.chain, ['server.mjs', 'kept (Map)', 'an entry: Thing'])
    assert.equal(holders.acts.place, 'server.mjs:6')
    assert.equal(holders.acts.items, 1000)
    assert.equal(holders.acts.typical, 'function at server.mjs:12')
    assert.equal(holders['tags.byUrl'].place, 'server.mjs:7')
    assert.match(
      holders['tags.byUrl'].chain.join(' → '),
      /^server\.mjs → tags \(Object\) → \.byUrl \(Object\) → \[\/\d+\] \(Object\)$/
    )
  })
})

test('CommonJS, an event that gathers listeners, and a variable whose whole value is new', async () => {
  const source = `'use strict'
const v8 = require('node:v8')
const { EventEmitter } = require('node:events')
const emitter = new EventEmitter()
emitter.setMaxListeners(0)
let newest = null
exports.grow = function grow (count) {
  for (let i = 0; i < count; i++) {
    emitter.on('after', function remember () {})
    newest = { before: newest, text: ['a' + i] }
  }
}
exports.grow(5)
v8.writeHeapSnapshot('a.heapsnapshot')
exports.grow(1000)
v8.writeHeapSnapshot('b.heapsnapshot')
`
  await withSnapshots(source, 'server.cjs', async (dir) => {
    const found = await compareFiles(given(dir))
    const holders = found?.holders ?? []
    const listeners = holders.find(({ event }) => event === 'after')
    assert.equal(listeners?.name, 'emitter._events.after')
    assert.equal(listeners?.place, 'server.cjs:4')
    assert.equal(listeners?.items, 1000)
    assert.equal(listeners?.typical, 'function remember (server.cjs:9)')
    const list = holders.find(({ name }) => name === 'newest')
    assert.equal(list?.place, 'server.cjs:6')
    assert.ok(list.bytes > 1000 * 50)
    assert.deepEqual(list.chain.slice(0, 2), ['server.cjs', 'newest (Object)'])
  })
})

test('every number of a file is read', () => {
  const { graph } = makeHeap(
    { root: ['a', { to: 'b', type: 'element', name: 4711 }], a: ['b'] },
    { a: { size: 5_000_000_000, id: 2 ** 33 + 1 }, b: { name: 'ü "quoted" ✓' } }
  )
  const { line, column, ...read } = parseSnapshot(Buffer.from(asFile(graph)))
  const { line: _, column: __, ...expected } = graph
  assert.deepEqual(read, expected)
  assert.deepEqual([[...line], [...column]], [[0, 12, 0], [0, 5, 0]])
})

test('half a file, another file, no file: one sentence', async () => {
  const whole = asFile(makeHeap({ root: ['a', 'b'], a: ['b'] }).graph)
  for (let length = 0; length < whole.length; length += 17) {
    assert.throws(() => parseSnapshot(Buffer.from(whole.slice(0, length))), SnapshotError, `at ${length}`)
  }
  assert.throws(() => parseSnapshot(Buffer.from(whole.slice(0, -1))), SnapshotError)
  assert.throws(() => parseSnapshot(Buffer.from('{"nodes":[1,2]}')), SnapshotError)
  const { dir, remove } = makeFolder('mif-heap-')
  try {
    await assert.rejects(compareFiles(given(dir)), /A heap snapshot was not written to its end/)
    fs.writeFileSync(path.join(dir, 'a.heapsnapshot'), whole.slice(0, 300))
    await assert.rejects(compareFiles(given(dir)), /not written to its end.*disk full/)
    fs.truncateSync(path.join(dir, 'a.heapsnapshot'), 501e6)
    assert.equal(await compareFiles(given(dir)), null)
  } finally {
    remove()
  }
})
