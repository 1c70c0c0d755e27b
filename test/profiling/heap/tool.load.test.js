import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import test from 'node:test'
import { loadLesson, resolveLesson } from '../../../runner/lesson/index.js'
import { reportFiles } from '../../../runner/profiling/report-files.js'
import { run } from '../../../runner/profiling/tools/heap.js'
import { sectionsText } from '../../../runner/report/index.js'
import { makeFolder } from '../../temporary.js'

/**
 * @import { ToolGiven, ToolResult } from '../../../runner/profiling/tools/tool.js'
 *
 * @typedef {(further?: Partial<ToolGiven>, signal?: AbortSignal) => Promise<ToolResult>} Profile
 */

/**
 * The slow server of lesson 2, in which listeners pile up.
 *
 * @param {(given: { folder: string, profile: Profile }) => Promise<void>} use
 */
async function withLesson (use) {
  const { dir: folder, remove } = makeFolder('mif heap é ')
  try {
    const entry = await loadLesson(await resolveLesson('2', { env: {} }))
    const files = reportFiles({ folder, stem: 'slow-heap' })
    await use({
      folder,
      profile: (further, signal = new AbortController().signal) =>
        run({
          target: { entry, dir: entry.slowDir, loadName: 'seed', seed: 'heap', signal },
          which: 'the slow server',
          title: 'Lesson 2',
          compareWith: null,
          seconds: 1,
          files,
          say: () => {},
          ...further
        })
    })
  } finally {
    remove()
  }
}

test('the tool names the listeners that pile up, and keeps what DevTools opens', async () => {
  await withLesson(async ({ folder, profile }) => {
    const { sections, report, kept } = await profile()
    const text = sectionsText(sections, { columns: 100, colour: false, unicode: true }).replace(/\s+/g, ' ')
    assert.match(text, /`server\._events\.after` \(Array\), server\.js:14/)
    assert.match(
      text,
      /server\.js → server \(Server\) → \._events \(Object\) → \.after \(Array\) → \[\d+\] function at server\.js:40/
    )
    assert.deepEqual(
      kept.map((file) => path.basename(file)),
      ['slow-heap.heapprofile', 'slow-heap.before.heapsnapshot', 'slow-heap.after.heapsnapshot']
    )
    for (const file of kept) JSON.parse(fs.readFileSync(file, 'utf8'))
    assert.equal(report, path.join(folder, 'slow-heap.html'))
    assert.match(fs.readFileSync(report, 'utf8'), /Who holds it/)
  })
})

test('a snapshot that cannot be written, and a run that is stopped, leave nothing', async () => {
  await withLesson(async ({ folder, profile }) => {
    const files = {
      dir: folder,
      name: (/** @type {string} */ ending) => path.join(folder, 'missing', `x${ending}`),
      write: async () => ''
    }
    await assert.rejects(profile({ files }), {
      name: 'WorkshopError',
      message: /^The first heap snapshot was not written to .* is there room/
    })
    const stop = new AbortController()
    await assert.rejects(profile({ say: (text) => { if (text.startsWith('Second')) stop.abort() } }, stop.signal))
    assert.deepEqual(fs.readdirSync(folder), [])
  })
})
