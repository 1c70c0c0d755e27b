import assert from 'node:assert/strict'
import path from 'node:path'
import test from 'node:test'
import { pathToFileURL } from 'node:url'
import { readAllocations } from '../../../runner/profiling/heap/heap-messages.js'
import { heapPage, heapSections } from '../../../runner/profiling/heap/heap-report.js'
import { sectionsText } from '../../../runner/report/index.js'

const dir = path.resolve('server')
const url = (/** @type {string} */ file) => pathToFileURL(path.join(dir, file)).href
/** @param {number} id @param {[string, string, number]} frame @param {number} selfSize @param {any[]} [children] */
const node = (id, [functionName, place, line], selfSize, children = []) => ({
  id,
  callFrame: { functionName, scriptId: '1', url: place, lineNumber: line - 1, columnNumber: 0 },
  selfSize,
  children
})
const profile = {
  head: node(1, ['(root)', '', 0], 0, [
    node(2, ['onrequest', 'node:http', 9], 200, [
      node(3, ['route', url('server.js'), 12], 1000, [
        node(4, ['join', '', 0], 5000),
        node(5, ['parse', url('node_modules/qs/lib/parse.js'), 7], 300)
      ]),
      node(6, ['', url('lib/<b>.js'), 3], 10)
    ])
  ]),
  samples: []
}

test('allocations: yours first, charged with what foreign code allocated for them', () => {
  const { wholeBytes, functions } = readAllocations(profile, { dir })
  assert.equal(wholeBytes, 6510)
  assert.deepEqual(
    functions.map(({ name, place, owner, bytes, withOthers }) => [name, place, owner, bytes, withOthers]),
    [
      ['route', 'server.js:12', 'yours', 1000, 6300],
      ['function at lib/<b>.js:3', 'lib/<b>.js:3', 'yours', 10, 10],
      ['join', '', 'native', 5000, 5000],
      ['parse', 'qs/lib/parse.js:7', 'package', 300, 300],
      ['onrequest', 'node:http:9', 'node', 200, 200]
    ]
  )
})

test('an empty profile, and an invalid one', () => {
  assert.deepEqual(readAllocations({ head: node(1, ['(root)', '', 0], 0), samples: [] }, { dir }), {
    wholeBytes: 0,
    functions: []
  })
  assert.throws(() => readAllocations({ nodes: [] }, { dir }), TypeError)
})

const found = {
  comparison: {
    answers: 100,
    beforeBytes: 9e6,
    afterBytes: 10e6,
    ownBytes: -300,
    constructors: [
      { name: '<Page>', isInternal: false, count: 100, selfBytes: 5000, retainedBytes: 900_000 },
      { name: '(system)', isInternal: true, count: 3, selfBytes: 99, retainedBytes: 99 },
      { name: 'Fewer', isInternal: false, count: -3, selfBytes: -9, retainedBytes: -9 }
    ],
    native: { bytes: 36_000, sort: 'HTTPParser' },
    holders: [
      {
        name: 'cache',
        kind: 'Map',
        place: 'server.js:12',
        event: null,
        bytes: 900_000,
        items: 100,
        typical: '<Page>',
        typicalCount: 100,
        typicalBytes: 9000,
        chain: ['server.js', 'cache (Map)', 'an entry: "<script> → "'],
        shared: null,
        made: [{ name: '<Page>', count: 100, bytes: 900_000 }]
      }
    ]
  },
  allocations: readAllocations(profile, { dir }),
  missing: 'Only the main thread was looked at.',
  problems: ['a wrong answer']
}

test('sections say what grew, who holds it, who allocated it, and what was not seen', () => {
  const text = sectionsText(heapSections(found), { columns: 100, colour: false, unicode: true })
  for (const part of [
    'Each request leaves 9.0 kB behind',
    '`cache` (Map), server.js:12',
    '+900 kB',
    'server.js → cache (Map) → an entry',
    'Held by cache (Map), server.js:12',
    'route',
    'HTTPParser',
    'Only the main thread',
    'a wrong answer'
  ]) {
    assert.ok(text.includes(part), part)
  }
  for (const part of ['(system)', 'Fewer']) assert.ok(!text.includes(part), part)
})

test('a heap that is too large is said to be so', () => {
  const text = sectionsText(heapSections({ ...found, comparison: null }), {
    columns: 200,
    colour: false,
    unicode: true
  })
  assert.match(text, /larger than 500 MB/)
  assert.doesNotMatch(text, /What grew/)
})

test('where nothing grows, the allocations get no sentence', () => {
  const [{ text }] = heapSections({ ...found, comparison: { ...found.comparison, holders: [] } })
  assert.equal(text?.length, 1)
  assert.match(text[0], /^Nothing grows/)
})

test('the page holds the same, and what a program named cannot break it', () => {
  const html = heapPage('Lesson <1>', heapSections(found))
  for (const part of [
    'Lesson &#60;1&#62;',
    '&#60;Page&#62;',
    '<code>cache</code> (Map), server.js:12',
    '<li><code>an entry: &#34;&#60;script&#62; → &#34;</code></li>',
    'server.js:12',
    'Only the main thread',
    '300 bytes less'
  ]) {
    assert.ok(html.includes(part), part)
  }
  assert.ok(!html.includes('<Page>') && !html.includes('"<script> →'))
  assert.match(heapPage('x', heapSections({ ...found, comparison: null })), /larger than 500 MB/)
})
