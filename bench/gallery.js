import fs from 'node:fs'
import path from 'node:path'
import { mergeTrees } from '../runner/inside/index.js'
import { loadLesson, resolveLesson } from '../runner/lesson/index.js'
import { recordCpu, sourceOf } from '../runner/profiling/record-cpu.js'
import { recordTrace } from '../runner/profiling/trace/record-trace.js'
import { summarise } from '../runner/profiling/trace/summarise.js'
import { newSeed } from '../runner/random.js'
import { routeIn } from '../runner/route-name.js'
import { makeTemporary } from '../runner/system/index.js'
import { workshopRoot } from '../runner/workshop.js'
import { readRight, writeCase } from '../test/submissions/apply.js'
import { svgFile } from './drawings/svg.js'
import { flamePieces, flameStyles } from './gallery/flame.js'
import { shapes } from './gallery/shapes.js'
import { timelinePieces, timelineStyles } from './gallery/timeline.js'

/**
 * Makes the pictures of docs/gallery.md again, from runs on this machine: `npm run measure gallery -- [number …]`. What
 * they show is in `gallery/shapes.js`.
 *
 * @import { Target } from '../runner/profiling/under-load.js'
 * @import { Frame } from '../runner/inside/index.js'
 * @import { Shape } from './gallery/shapes.js'
 */

const seconds = 3
const wanted = process.argv.slice(2).map(Number)
const { dir: scratch, remove } = await makeTemporary()
try {
  for (const [at, shape] of shapes.entries()) {
    if (wanted.length > 0 && !wanted.includes(at + 1)) continue
    const title = `Shape ${at + 1}`
    const target = await targetOf(shape, path.join(scratch, String(at)))
    const drawn = shape.tool === 'cpu' ? await drawFlame(target, shape) : await drawTimeline(target)
    const place = `docs/gallery/${at + 1}.svg`
    const file = path.join(workshopRoot, place)
    fs.mkdirSync(path.dirname(file), { recursive: true })
    fs.writeFileSync(file, svgFile({ title, alt: shape.alt, ...drawn }))
    process.stdout.write(`${place}: ${(fs.statSync(file).size / 1000).toFixed(1)} kB\n`)
  }
} finally {
  await remove()
}

/** @param {Shape} shape @param {string} dir for a server that is made for it @returns {Promise<Target>} */
async function targetOf ({ lesson: folder, on, change }, dir) {
  const entry = await loadLesson(await resolveLesson(folder))
  if (on) writeCase({ folder, name: 'gallery', why: '', right: await readRight({ folder }), on, change }, dir)
  return {
    entry,
    dir: on ? dir : entry.slowDir,
    loadName: entry.lesson.mechanism.load,
    seed: newSeed(),
    signal: new AbortController().signal
  }
}

/** @param {Target} target @param {Shape} shape */
async function drawFlame (target, { whole = false }) {
  const { threads: [{ profile }] } = await recordCpu(target, { seconds })
  const nameOf = (/** @type {Frame} */ { name, place, url, line }) => name === `function at ${place}`
    ? routeIn(sourceOf(url)?.split('\n')[line - 1]) ?? `(${place})`
    : name
  return { ...flamePieces(mergeTrees([profile.root]), { nameOf, folds: !whole }), styles: flameStyles }
}

/** @param {Target} target */
async function drawTimeline (target) {
  const { recording, seen, spareCores } = await recordTrace(target, { seconds })
  const { connections, arrivals } = target.entry.lesson.loads[target.loadName]
  const closed = arrivals === undefined ? connections : null
  const summary = summarise(recording, { ...seen, connections: closed, spareCores })
  return { ...timelinePieces(recording, summary), styles: timelineStyles }
}
