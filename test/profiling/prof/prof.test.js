import assert from 'node:assert/strict'
import fs from 'node:fs'
import { describe, it } from 'node:test'
import { whoseLog } from '../../../runner/profiling/prof/logs.js'
import { readName } from '../../../runner/profiling/prof/name.js'
import { parseProf } from '../../../runner/profiling/prof/parse.js'
import { readHeavy } from '../../../runner/profiling/prof/read-prof.js'
import { profSections, sentences } from '../../../runner/profiling/prof/prof-sections.js'

// Trimmed texts of lesson 2's slow server.
const dir = '/home/ada/make-it-fast/slow-servers/02-leaking-listeners'
/** @param {number} version */
const fixture = (version) => {
  const parsed = parseProf(fs.readFileSync(new URL(`fixtures/node-${version}.txt`, import.meta.url), 'utf8'))
  assert.ok(parsed)
  return parsed
}
const posix = { skip: process.platform === 'win32' ? 'paths of another platform' : false }

describe('the text of --prof-process', () => {
  it('is read section by section, as Node.js 20 writes it', () => {
    const { ticks, unaccounted, libraries, javascript, cpp, summary, entries } = fixture(20)
    assert.deepEqual([ticks, unaccounted], [1916, 1570])
    assert.deepEqual(libraries[0], { ticks: 143, share: 0.075, name: '/usr/lib/x86_64-linux-gnu/libc.so.6' })
    assert.deepEqual(javascript[1], {
      ticks: 13,
      share: 0.006999999999999999,
      name: `JS: *sha512 file://${dir}/server.js:48:17`
    })
    assert.equal(cpp[0].name, 'epoll_pwait@@GLIBC_2.6')
    assert.deepEqual(
      summary.map(({ name, ticks }) => [name, ticks]),
      [['JavaScript', 57], ['C++', 144], ['GC', 168], ['Shared libraries', 145], ['Unaccounted', 1570]]
    )
    assert.deepEqual(entries[0], { ticks: 27, share: 0.355, name: '__libc_malloc@@GLIBC_2.2.5' })
  })

  it('is read as a tree of callers, bottom up', () => {
    const [unknown] = fixture(20).heavy
    assert.deepEqual([unknown.name, unknown.ticks], ['UNKNOWN', 1570])
    assert.deepEqual(unknown.callers.slice(0, 2).map(({ ticks }) => ticks), [568, 392])
    assert.equal(unknown.callers[0].callers[0].callers.length, 2)
  })

  it('is told from any other text', () => {
    assert.equal(parseProf('Usage: node --prof-process'), null)
    assert.equal(parseProf(''), null)
  })

  it('may hold no tick at all', () => {
    const text = parseProf(
      'Statistical profiling result from a.log, (0 ticks, 0 unaccounted, 0 excluded).\n\n [Shared libraries]:\n' +
        '   ticks  total  nonlib   name\n'
    )
    assert.ok(text)
    assert.deepEqual([text.ticks, text.heavy], [0, []])
    const [{ text: said }] = profSections(text, {
      dir,
      idle: 0,
      whose: 'main thread',
      others: [],
      notes: [],
      problems: []
    })
    assert.match(String(said), /no sample/)
  })
})

describe('a name in it', posix, () => {
  /** @param {string} text */
  const read = (text) => readName(text, { dir })
  it('says whose it is and where it is', () => {
    assert.deepEqual(read(`JS: *sha512 file://${dir}/server.js:48:17`), {
      name: 'sha512',
      place: 'server.js:48',
      owner: 'yours',
      isJavaScript: true
    })
    assert.deepEqual(read('JS: ^__send /home/ada/make-it-fast/node_modules/restify/lib/response.js:374:48'), {
      name: '__send',
      place: 'restify/lib/response.js:374',
      owner: 'package',
      isJavaScript: true
    })
    assert.deepEqual(read('JS: ^get protocol node:internal/url:970:15'), {
      name: 'get protocol',
      place: 'node:internal/url:970',
      owner: 'node',
      isJavaScript: true
    })
    assert.deepEqual(read('LazyCompile: ~ file:///x/a%20b/lib.js:3:1'), {
      name: 'function at /x/a b/lib.js:3',
      place: '/x/a b/lib.js:3',
      owner: 'yours',
      isJavaScript: true
    })
  })
  it('names native code without folder and version', () => {
    assert.equal(read('/usr/lib/x86_64-linux-gnu/libc.so.6').name, 'libc.so.6')
    assert.equal(read('C:\\Program Files\\nodejs\\node.exe').name, 'node.exe')
    assert.equal(read('__libc_malloc@@GLIBC_2.2.5').name, '__libc_malloc')
    assert.equal(read('Builtin: ArrayMap').isJavaScript, true)
  })
})

describe('the reading', posix, () => {
  it('finds the function of the learner’s nearest to the hottest line, its tiers and paths added up', () => {
    const read = readHeavy(fixture(20).heavy, { dir })
    assert.equal(read?.hottest.name, 'native code (UNKNOWN)')
    assert.deepEqual([read?.yours?.place, read?.yoursTicks], ['server.js:48', 568])
    // Some of these ticks came through other native code and Node.js’ own Hash.
    const newer = readHeavy(fixture(26).heavy, { dir })
    assert.equal(newer?.hottest.name, 'node')
    assert.equal(newer?.yours?.place, 'server.js:40')
    assert.ok(Number(newer?.yoursTicks) > 772)
  })

  it('ignores what no JavaScript caused', () => {
    const wait = { ticks: 900, share: 0.9, name: 'epoll_pwait', callers: [] }
    const own = { ticks: 100, share: 0.1, name: `JS: *work file://${dir}/server.js:5:1`, callers: [] }
    assert.equal(readHeavy([wait, own], { dir })?.hottest.name, 'work')
    assert.equal(readHeavy([wait], { dir }), null)
    assert.match(
      sentences(
        {
          ticks: 1000,
          unaccounted: 0,
          libraries: [],
          javascript: [],
          cpp: [],
          summary: [],
          entries: [],
          heavy: [wait, own]
        },
        { dir, idle: 900, whose: 'main thread' }
      ).join(' '),
      /In 90\.0 % .* your own work \(server\.js:5\), with 10\.0 %/
    )
  })

  it('names all six sections, and the other logs', () => {
    const sections = profSections(fixture(26), {
      dir,
      idle: 0,
      whose: 'main thread',
      others: [{ file: 'a', whose: 'worker thread', ticks: 9, idle: 4 }],
      notes: [],
      problems: []
    })
    assert.deepEqual(
      sections.map(({ title }) => title),
      ['Libraries', 'JavaScript', 'C++', 'Summary', 'Entries', 'Bottom up', 'Reading', 'Other logs']
    )
    assert.deepEqual(sections.at(-1)?.rows, [['worker thread', '5 busy ticks']])
  })
})

describe('a log', () => {
  it('tells by its name whose it is', () => {
    assert.deepEqual(whoseLog('isolate-0x2b1c00-4711-main.log', 4711), { whose: 'main thread', isFirst: true })
    assert.deepEqual(whoseLog('isolate-0x2b1c00-4711-thread.log', 4711), { whose: 'worker thread', isFirst: false })
    assert.deepEqual(whoseLog('isolate-00000123-4712-main.log', 4711), {
      whose: 'main thread of process 4712',
      isFirst: false
    })
    assert.equal(whoseLog('notes.log', 4711), null)
  })
})
