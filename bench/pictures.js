import fs from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { findLessons, loadLesson, resolveLesson } from '../runner/lesson/index.js'
import { newSeed } from '../runner/random.js'
import { runProfile } from '../runner/profiling/index.js'
import { makeTemporary } from '../runner/system/index.js'
import { openChromium } from '../test/web/chromium.js'

/**
 * Makes the pictures of the lessons' texts again, from runs on this machine: `npm run measure pictures -- [lesson …]`.
 * What there is to make stands in `lessons/NN-slug/pictures.json`. It needs Chromium (MAKE_IT_FAST_CHROMIUM names one
 * elsewhere). Measure alone.
 *
 * @import { LoadedLesson } from '../runner/lesson/load.js'
 *
 * @typedef {{ file: string, server: 'slow' | 'solution', tool: string, width?: number, height?: number, load?: string
 *   }} Picture
 */

const names = process.argv.slice(2)
const entries = names.length === 0 ? await findLessons() : await Promise.all(names.map((name) => resolveLesson(name)))
const browser = await openChromium()
for (const found of entries) {
  const list = path.join(found.dir, 'pictures.json')
  if (!fs.existsSync(list)) continue
  const entry = await loadLesson(found)
  for (const picture of /** @type {Picture[]} */ (JSON.parse(fs.readFileSync(list, 'utf8')))) await make(entry, picture)
}
await browser.close()

/** @param {LoadedLesson} entry @param {Picture} picture */
async function make (entry, { file, server, tool, width = 1000, height = 560, load }) {
  const { dir: scratch, remove } = await makeTemporary()
  try {
    const { report } = await runProfile({
      tool,
      entry,
      dir: server === 'slow' ? entry.slowDir : entry.solutionDir,
      which: server === 'slow' ? 'the slow server' : 'the solution',
      stem: server,
      folder: scratch,
      loadName: load,
      compare: false,
      seconds: 3,
      seed: newSeed(),
      signal: new AbortController().signal,
      say: () => {}
    })
    if (report === null) throw new Error(`The tool ${tool} makes no page.`)
    const target = path.join(entry.dir, 'pictures', file)
    fs.mkdirSync(path.dirname(target), { recursive: true })
    // Without its own theme the picture would follow this machine's.
    const page = await browser.newPage({ colorScheme: 'light', viewport: { width, height } })
    await page.goto(pathToFileURL(report).href)
    await page.waitForTimeout(1000)
    await page.screenshot({ path: target })
    await page.close()
    process.stdout.write(`${path.relative(process.cwd(), target)}: ${Math.round(fs.statSync(target).size / 1000)} kB\n`)
  } finally {
    await remove()
  }
}
