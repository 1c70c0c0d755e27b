import assert from 'node:assert/strict'
import test from 'node:test'
import { stripVTControlCharacters } from 'node:util'
import { afterEvent, createWatchScreen, emptyWatch, noProgress } from '../../runner/report/index.js'
import { createTheme, textWidth } from '../../runner/report/theme.js'
import { layoutWatch } from '../../runner/report/watch-screen.js'
import { assertPages } from './expected.js'
import { broken, failed, hostile } from './records.js'

/** @import { WatchState } from '../../runner/report/index.js' */

const at = '2026-11-21T10:33:05.000Z'

/** @type {WatchState} */
const begun = {
  ...emptyWatch,
  lesson: { number: 3, title: 'In-memory JSON' },
  file: 'workspace/03-in-memory-json/server.js',
  link: 'file:///home/ada/workspace/03-in-memory-json/server.js',
  targets: failed().gates,
  hints: { shown: 1, total: 3 }
}
/** @type {WatchState} */
const looked = {
  ...begun,
  previews: 3,
  preview: { number: 3, at, durationMs: 1840, record: { ...failed(), verdict: 'inconclusive' }, isUnchanged: false },
  last: { at, verdict: 'fail', ratio: 1.234 },
  history: [{ ratio: 1.02, isPreview: false }, { ratio: 1.234, isPreview: false }, { ratio: 4.32, isPreview: true }]
}
const preview = /** @type {import('../../runner/report/watch-screen.js').Preview} */ (looked.preview)
/** @type {import('../../runner/judge/index.js').ResultRecord} */
const crashed = {
  ...broken(),
  submission: 'workspace/03-in-memory-json',
  output: [{
    server: 'yours',
    text: [
      'workspace/03-in-memory-json/server.js:12',
      "    throw new Error('out of luck')",
      '    ^',
      'Error: out of luck',
      '    at handler (workspace/03-in-memory-json/server.js:12:11)'
    ].join('\n')
  }]
}
/** @type {Record<string, WatchState>} */
const states = {
  'at the start': begun,
  'while it looks': {
    ...begun,
    activity: 'busy',
    previews: 1,
    progress: [
      { type: /** @type {const} */ ('phase'), phase: /** @type {const} */ ('rounds'), text: 'A quick look' },
      { type: /** @type {const} */ ('round'), round: failed().rounds[0], gates: failed().gates, elapsedMs: 900 }
    ].reduce(afterEvent, noProgress)
  },
  'after a look': looked,
  'after a wrong answer': { ...looked, preview: { ...preview, durationMs: 2210, record: broken() } },
  'after a look at the unchanged server': {
    ...looked,
    preview: {
      ...preview,
      record: { ...preview.record, gates: [{ ...failed().gates[0], ratio: 1.94 }] },
      isUnchanged: true
    }
  },
  'after a look that is as rough': {
    ...looked,
    preview: { ...preview, record: { ...preview.record, rounds: [] } },
    roughness: 1.94,
    history: [{ ratio: 1.94, isPreview: true, isRough: true }, { ratio: 4.32, isPreview: true, isRough: true }]
  },
  'after a crash': { ...looked, preview: { ...preview, record: crashed } },
  'while it waits': {
    ...looked,
    activity: 'waiting',
    waiting: { what: 'Check', sentence: 'Waiting for a check of lesson 3 in another terminal.', since: Infinity }
  },
  'after an inconclusive check': { ...looked, last: { at, verdict: 'inconclusive', ratio: 2.5 }, canGoOn: true },
  'after a pass': {
    ...looked,
    isPassed: true,
    hints: { shown: 3, total: 3 },
    last: { at, verdict: 'pass', ratio: 6.2 }
  }
}

test('shows every state, narrow and wide', () => {
  for (const columns of [40, 80]) {
    const theme = createTheme({ columns })
    // When the test runs, and where, is no part of it.
    const lines = (/** @type {WatchState} */ state) => layoutWatch(state, theme)
      .map((line) => line.replace(/(on 2026-11-2\d )?at \d\d:\d\d/, 'at 10:33'))
    const pages = Object.entries(states).map(([name, state]) => [name, lines(state)])
    assertPages(`watch-${columns}`, Object.fromEntries(pages))
  }
})

test('no line is wider than the window, whatever is in it', () => {
  const record = hostile()
  const shown = { ...preview, durationMs: 1, record }
  const wild = { ...looked, file: record.submission, preview: shown, notes: [record.reason] }
  for (const columns of [40, 41, 57, 64, 80, 120]) {
    for (const state of [...Object.values(states), wild]) {
      for (const line of layoutWatch(state, createTheme({ columns, unicode: columns !== 57 }))) {
        assert.ok(textWidth(line) <= columns, `${columns}: ${line}`)
      }
    }
  }
})

test('colours and links take no room', () => {
  const plain = layoutWatch(looked, createTheme({ columns: 80 }))
  const painted = layoutWatch(looked, createTheme({ columns: 80, colour: true, links: true }))
  assert.deepEqual(painted.map((line) => stripVTControlCharacters(line)), plain)
  assert.ok(painted.some((line) => line.includes('\u001b]8;;file:///home/ada/')))
})

test('a low window keeps the keys', () => {
  const lines = layoutWatch(looked, createTheme({ columns: 80 }), { height: 6 })
  assert.equal(lines.length, 6)
  assert.match(lines.join('\n'), /q quit/)
})

test('where nothing can be redrawn only what stays is written, and no key is offered', () => {
  let text = ''
  const screen = createWatchScreen({ stream: { write: (more) => { text += more } }, keys: false })
  assert.equal(screen.isLive, false)
  screen.wipe()
  screen.show(states['while it looks'])
  assert.equal(text, '')
  screen.settled(looked)
  screen.leave()
  assert.match(text, /Lesson 3 .* In-memory JSON\n/)
  assert.doesNotMatch(text, /q quit/)
  assert.equal(text.includes('\u001b'), false)
})
