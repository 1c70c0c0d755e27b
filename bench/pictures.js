import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { calledName, mergeTrees, readLoop } from '../runner/inside/index.js'
import { loadLesson, resolveLesson } from '../runner/lesson/index.js'
import { makeTemporary } from '../runner/process/index.js'
import { recordCpu } from '../runner/profiling/record-cpu.js'
import { recordUnderLoad } from '../runner/profiling/tools/loop.js'
import { recordTrace } from '../runner/profiling/tools/trace.js'
import { summariseTrace } from '../runner/profiling/trace/over-time.js'
import { routesIn } from '../runner/profiling/under-load.js'
import { newSeed } from '../runner/shared/random.js'
import { workshopRoot } from '../runner/shared/workshop.js'
import { readMarkdown } from '../test/content/markdown.js'
import { readRight, writeCase } from '../test/submissions/apply.js'
import { svgFile } from './drawings/svg.js'
import { flamePieces, flameStyles } from './pictures/flame.js'
import { pictures } from './pictures/list.js'
import { loopPieces, loopStyles } from './pictures/loop.js'
import { snippetPieces, snippetStyles, summaryLines, tableLines } from './pictures/snippet.js'
import { timelinePieces, timelineStyles } from './pictures/timeline.js'

/**
 * Makes the pictures of the texts again that come from runs, on this machine: `npm run measure pictures -- [part of a
 * path …]`, such as `gallery/1.` or `sync-login`. `pictures/list.js` has them all. Measure alone.
 *
 * @import { Frame } from '../runner/inside/index.js'
 * @import { Target } from '../runner/profiling/under-load.js'
 * @import { Picture } from './pictures/list.js'
 */

const seconds = 3
/** As wide as a phone shows. */
const columns = 44
const wanted = process.argv.slice(2)
const { dir: scratch, remove } = await makeTemporary()
try {
  for (const [at, picture] of pictures.entries()) {
    const place = path.posix.join(path.posix.dirname(picture.text), picture.src)
    if (wanted.length > 0 && !wanted.some((part) => place.includes(part))) continue
    const text = fs.readFileSync(path.join(workshopRoot, picture.text), 'utf8')
    const alt = readMarkdown(text).pictures.find(({ src }) => src === picture.src)?.alt
    if (alt === undefined) throw new Error(`${picture.text} doesn’t show ${picture.src}.`)
    const drawn = await draw(picture, path.join(scratch, String(at)))
    const svg = svgFile({ title: path.basename(place, '.svg'), alt: alt.replace(/\s+/g, ' '), ...drawn })
    fs.mkdirSync(path.dirname(path.join(workshopRoot, place)), { recursive: true })
    fs.writeFileSync(path.join(workshopRoot, place), svg)
    process.stdout.write(`${place}: ${(svg.length / 1000).toFixed(1)} kB\n`)
  }
} finally {
  await remove()
}

/** @param {Picture} picture @param {string} dir for a server that is made for it */
async function draw (picture, dir) {
  const { tool, lesson } = picture
  if (tool === 'bench') return snippet(tableLines(run('bench', lesson)))
  if (tool === 'summary') return snippet(summaryLines(run('profile', lesson, { COLUMNS: String(columns) })))
  const target = await targetOf(picture, dir)
  if (tool === 'loop') return drawLoop(target)
  return tool === 'cpu' ? drawFlame(target, picture) : drawTimeline(target, picture)
}

/** @param {string} command @param {string} lesson @param {NodeJS.ProcessEnv} [env] */
function run (command, lesson, env) {
  const own = { ...process.env, COLUMNS: '100', MAKE_IT_FAST_WORKSPACE: scratch, ...env }
  return execFileSync(process.execPath, [path.join(workshopRoot, 'runner/cli.js'), command, lesson, 'slow'],
    { env: own, encoding: 'utf8' })
}

/** @param {Parameters<typeof snippetPieces>[0]} lines */
function snippet (lines) {
  return { ...snippetPieces(lines), styles: snippetStyles }
}

/** @param {Picture} picture @param {string} dir @returns {Promise<Target>} */
async function targetOf ({ lesson: folder, on, change }, dir) {
  const entry = await loadLesson(await resolveLesson(folder))
  if (on) writeCase({ folder, name: 'picture', why: '', right: await readRight({ folder }), on, change }, dir)
  return {
    entry,
    dir: on ? dir : entry.slowDir,
    loadName: entry.lesson.mechanism.load,
    seed: newSeed(),
    signal: new AbortController().signal
  }
}

/** @param {Target} target @param {Picture} picture */
async function drawFlame (target, { whole = false }) {
  const { threads: [{ profile }] } = await recordCpu(target, { seconds })
  const routeAt = routesIn(target.dir)
  const nameOf = (/** @type {Frame} */ frame) => calledName(frame, routeAt)
  return { ...flamePieces(mergeTrees([profile.root]), { nameOf, folds: !whole }), styles: flameStyles }
}

/** @param {Target} target */
async function drawLoop (target) {
  const [slow, fixed] = [await recordUnderLoad(target),
    await recordUnderLoad({ ...target, dir: target.entry.solutionDir })].map((one) => readLoop(one))
  const about = `Node.js ${process.versions.node}, ${os.cpus().length} cores, ${new Date().toISOString().slice(0, 10)}`
  return { ...loopPieces([slow, fixed], about), styles: loopStyles }
}

/** @param {Target} target @param {Picture} picture */
async function drawTimeline (target, { charts, numbered }) {
  const { recording, seen, spareCores } = await recordTrace(target, { seconds })
  const { connections, arrivals } = target.entry.lesson.loads[target.loadName]
  const closed = arrivals === undefined ? connections : null
  const summary = summariseTrace(recording, { ...seen, connections: closed, spareCores })
  return { ...timelinePieces(recording, summary, { charts, numbered }), styles: timelineStyles }
}
