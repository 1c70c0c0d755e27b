import assert from 'node:assert/strict'
import test from 'node:test'
import {
  allocationSentence, bytesText, byWeight, growsWithRequests, growthSentences
} from '../../../runner/profiling/heap/heap-messages.js'
import { declarationLine } from '../../../runner/profiling/heap/retainers.js'
import { sayNotLookedAt, notWritten } from '../../../runner/profiling/tools/heap.js'

const cache = {
  name: 'cache',
  kind: 'Map',
  place: 'server.js:12',
  event: null,
  bytes: 5_900_000,
  items: 1000,
  typical: 'Page',
  typicalCount: 1000,
  typicalBytes: 5900,
  chain: ['server.js', 'cache (Map)'],
  shared: null
}

test('what grows with the requests, and what does not', () => {
  assert.equal(growsWithRequests({ bytes: 60_000, items: 1000 }, 1000), true)
  // One for every twentieth answer.
  assert.equal(growsWithRequests({ bytes: 60_000, items: 50 }, 1000), true)
  assert.equal(growsWithRequests({ bytes: 5_000, items: 49 }, 1000), false)
  // A dozen sockets after a dozen answers.
  assert.equal(growsWithRequests({ bytes: 5_000, items: 12 }, 12), false)
  // A few pages of megabytes after a few slow answers; the same few in a cache that changes all the time.
  assert.equal(growsWithRequests({ bytes: 9e6, items: 9 }, 12), true)
  assert.equal(growsWithRequests({ bytes: 9e6, items: 9 }, 2000), false)
  // A log that gets longer and longer.
  assert.equal(growsWithRequests({ bytes: 100_000, items: 0 }, 1000), true)
  assert.equal(growsWithRequests({ bytes: 100_000, items: 0 }, 100_000), false)
  // A variable whose new value is so much larger, of few parts.
  assert.equal(growsWithRequests({ bytes: 100_000, items: 3, isValue: true }, 1000), true)
  assert.equal(growsWithRequests({ bytes: 100_000, items: 3 }, 1000), false)
  assert.equal(growsWithRequests({ bytes: -100_000, items: -1000 }, 1000), false)
})

test('what comes with every request goes before a little more that comes with some', () => {
  const every = { bytes: 60, items: 100 }
  const some = { bytes: 70, items: 20 }
  const few = { bytes: 10_000, items: 0 }
  assert.deepEqual([some, every, few].sort(byWeight(100)), [few, every, some])
})

test('one holder', () => {
  const [what, who, caveat] = growthSentences({ answers: 1000, heapBytes: 6e6, ownBytes: 1000, holders: [cache] })
  assert.equal(
    what,
    'Each request leaves 5.9 kB behind, held by `cache` (Map), server.js:12: 1,000 more than before (one per ' +
      'request), each of the kind Page, with 5.9 kB.'
  )
  assert.equal(who, 'What removes entries from `cache`, and when?')
  assert.match(caveat, /--seconds/)
})

test('two holders, of which one holds what the other holds, and listeners', () => {
  const after = {
    ...cache,
    name: 'server._events.after',
    kind: 'Array',
    event: 'after',
    typical: 'function at server.js:40',
    bytes: 60_000,
    typicalBytes: 60
  }
  const held = { ...cache, shared: { bytes: 5_000_000, chain: ['metrics.js', 'pending (Array)'] } }
  const sentences = growthSentences({ answers: 1000, heapBytes: 6e6, ownBytes: 0, holders: [after, held] })
  assert.equal(
    sentences[0],
    'Each request leaves 6.0 kB behind. 60 bytes of it are held by `server._events.after` (Array), server.js:12: ' +
      '1,000 more than before (one per request), each the function at server.js:40, with 60 bytes.'
  )
  assert.match(sentences[1], /^5\.9 kB of it are held by `cache`/)
  assert.equal(
    sentences[2],
    'If `cache` let go, 5.0 MB of its 5.9 MB would stay: they are held elsewhere as well, for instance by ' +
      'metrics.js → pending (Array).'
  )
  assert.match(sentences[3], /listeners for the event `after`/)
})

test('something without a name that gets larger', () => {
  const [what] = growthSentences({
    answers: 1000,
    heapBytes: 6e6,
    ownBytes: 0,
    holders: [
      { ...cache, name: '', kind: 'Buffer', place: '', items: 0, typical: '', typicalCount: 0, typicalBytes: 0 }
    ]
  })
  assert.equal(what, 'Each request leaves 5.9 kB behind, held by Buffer: 5.9 MB more than before.')
})

test('nothing grows', () => {
  assert.deepEqual(growthSentences({ answers: 12_400, heapBytes: 40_000, ownBytes: 39_000, holders: [] }), [
    'Nothing grows with the requests: after 12,400 answers the heap holds 40 kB more than before (most of it V8’s ' +
      'own: compiled code and the like), and no object has gathered others.'
  ])
  assert.match(
    growthSentences({ answers: 5, heapBytes: -40_000, ownBytes: 300, holders: [] })[0],
    /holds 40 kB less than before, and/
  )
})

test('who allocated it', () => {
  /** @type {Parameters<typeof allocationSentence>[0]['functions']} */
  const [frame, join] = [
    { name: 'frame', place: 'pages.js:52', owner: 'yours', bytes: 100, withOthers: 6000 },
    { name: 'join', place: '', owner: 'native', bytes: 5900, withOthers: 5900 }
  ]
  assert.equal(
    allocationSentence({ wholeBytes: 10_000, functions: [frame, join] }),
    '60 % of what was allocated under load and is still held was allocated by frame (pages.js:52), most of it by ' +
      'what it called.'
  )
  assert.match(
    allocationSentence({ wholeBytes: 10_000, functions: [join] }) ?? '',
    /^Your functions allocated nothing .* from join\.$/
  )
  assert.equal(allocationSentence({ wholeBytes: 0, functions: [] }), null)
})

test('bytes', () => {
  assert.deepEqual([0, 0.126, 340, 999.6, 5900, 12_345, 999_600, 12_345_678, 4.5e9].map(bytesText), [
    '0 bytes', '0.13 bytes', '340 bytes', '1.0 kB', '5.9 kB', '12 kB', '1.0 MB', '12 MB', '4,500 MB'
  ])
})

test('the line of a declaration, where there is one only', () => {
  const source =
    'import a from "a"\nconst cache = new Map()\nlet { x, pending } = y\nexport const [first, list] = z\n' +
      'function f (cache) {}\nlet twice\n{ let twice }\n  let twice = 1\nconst cached = cache\n'
  assert.deepEqual(
    ['cache', 'pending', 'list', 'x', 'a', 'twice', 'a.b', 'f('].map((name) => declarationLine(source, name)),
    [2, 3, 4, 3, null, null, null, null]
  )
  assert.equal(declarationLine(null, 'cache'), null)
})

test('what was not looked at', () => {
  assert.equal(sayNotLookedAt({ pid: 1, others: [] }), null)
  assert.equal(
    sayNotLookedAt({ pid: 1, others: [{ pid: 1, threadId: 2 }, { pid: 7, threadId: 0 }, { pid: 7, threadId: 3 }] }),
    'Only the main thread of the server’s first process (1) was looked at. Not looked at, each with a heap of its ' +
      'own: worker thread 2, main thread of process 7, worker thread 3 of process 7.'
  )
})

test('a snapshot that was not written', () => {
  assert.match(notWritten('first', 'it ended', '/x'), /the server ended first/)
  assert.match(notWritten('second', 'it did not answer within 120 s', '/x'), /blocked/)
  assert.match(notWritten('second', 'ENOSPC', '/x'), /to \/x \(ENOSPC\): is there room/)
})
