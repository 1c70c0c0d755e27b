import path from 'node:path'
import { readAllocations } from '../heap/allocations.js'
import { compareFiles } from '../heap/compare-snapshots.js'
import { heapPage } from '../heap/heap-page.js'
import { recordHeap } from '../heap/record-heap.js'
import { heapSections } from '../heap/heap-sections.js'
import { sourceOf } from '../record-cpu.js'

/** @import { ToolGiven, ToolResult } from './tool.js' */

/**
 * @param {ToolGiven} given
 * @returns {Promise<ToolResult>}
 */
export async function run ({ target, which, title, seconds, files, say }) {
  say(`Recording the heap of ${which} for ${seconds} s …`)
  const { dir, before, after, allocations: raw, seen, missing } = await recordHeap(target, { seconds, files, say })
  const profile = await files.write('.heapprofile', JSON.stringify(raw))
  say('Comparing the snapshots …')
  // The server may have been a copy, which is gone by now.
  const comparison = await compareFiles({
    before,
    after,
    answers: seen.answers,
    dir,
    sourceOf: (file) => sourceOf(path.join(target.dir, file))
  })
  target.signal.throwIfAborted()
  const found = { comparison, allocations: readAllocations(raw, { dir }), missing, problems: seen.problems }
  const report = await files.write('.html', heapPage({ title, found }))
  return { sections: heapSections(found), report, kept: [profile, before, after] }
}
