import fs from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { median } from '../runner/judge/statistics.js'
import { aboutRun } from './about.js'
import { withWeb } from './web/open.js'

/**
 * What a page of `npm start` costs a browser that has seen none before, and one that comes back: bytes, requests, first
 * and largest contentful paint (FCP, LCP), layout shift; and what shifts during a check of lesson 2's solution.
 * `npm run measure web -- [loads]`. Measure alone; with 0 loads only the shift during a check, which needs no quiet.
 */

const loads = Number(process.argv[2] ?? 7)
const widths = [1280, 390]
const places = { Home: '', 'Lesson 3': 'lessons/in-memory-json', 'Its diff': 'lessons/in-memory-json/diff' }

await withWeb(async (web) => {
  if (loads > 0) await measureLoads(web)
  for (const width of widths) {
    const shifts = await shiftsOfCheck(web, width)
    const sum = shifts.reduce((sum, { value }) => sum + value, 0)
    console.log(`\nA check at ${width} pixels: layout shift ${sum.toFixed(3)} in ${shifts.length} shifts`)
    for (const { value, moved } of shifts) console.log(`  ${value.toFixed(4)}  ${moved}`)
  }
})

/** @param {import('./web/open.js').Opened} web */
async function measureLoads ({ url, browser, options }) {
  /** @type {(string | number)[][]} */
  const rows = []
  for (const [name, place] of Object.entries(places)) {
    /** @type {{ first: Visit, again: Visit }[]} */
    const visits = []
    for (let i = 0; i < loads; i++) {
      const context = await browser.newContext(options)
      const page = await context.newPage()
      const visit = async () => {
        await page.goto(url + place, { waitUntil: 'load' })
        return page.evaluate(readVisit)
      }
      visits.push({ first: await visit(), again: await visit() })
      await context.close()
    }
    const middle = (/** @type {(one: { first: Visit, again: Visit }) => number} */ read) => median(visits.map(read))
    const shift = Math.max(...visits.flatMap(({ first, again }) => [first.shift, again.shift]))
    rows.push([
      name,
      kilobytes(middle(({ first }) => first.bytes)),
      middle(({ first }) => first.requests),
      milliseconds(middle(({ first }) => first.firstPaintMs)),
      milliseconds(middle(({ first }) => first.largestPaintMs)),
      kilobytes(middle(({ again }) => again.bytes)),
      milliseconds(middle(({ again }) => again.firstPaintMs)),
      milliseconds(middle(({ again }) => again.largestPaintMs)),
      Number(shift.toFixed(3))
    ])
  }
  console.log(`${aboutRun()}, median of ${loads} loads\n
| page | bytes | requests | FCP | LCP | bytes, again | FCP, again | LCP, again | largest layout shift |
|---|---|---|---|---|---|---|---|---|
${rows.map((cells) => `| ${cells.join(' | ')} |`).join('\n')}`)
}

/**
 * What moved, without anyone touching the page, from the press of Check to the end of it.
 *
 * @param {import('./web/open.js').Opened} web
 * @param {number} width of the window, pixels
 * @returns {Promise<{ value: number, moved: string }[]>} each shift by its size
 */
async function shiftsOfCheck ({ url, workspace, browser, options }, width) {
  const solution = fileURLToPath(new URL('../solutions/02-leaking-listeners', import.meta.url))
  fs.cpSync(solution, path.join(workspace, '02-leaking-listeners'), { recursive: true })
  const context = await browser.newContext({ ...options, viewport: { width, height: 900 } })
  const page = await context.newPage()
  await page.goto(`${url}lessons/leaking-listeners`, { waitUntil: 'load' })
  await page.evaluate(() => {
    const shifts = /** @type {any} */ (globalThis).shifts = /** @type {object[]} */ ([])
    const nameOf = (/** @type {any} */ node) =>
      [node?.nodeName, node?.id, node?.className].filter((part) => typeof part === 'string' && part !== '').join('.')
    new PerformanceObserver((list) => list.getEntries().forEach((/** @type {any} */ entry) => {
      if (entry.hadRecentInput) return
      const moved = entry.sources.map((/** @type {any} */ { node }) => nameOf(node)).join(' ')
      shifts.push({ value: entry.value, moved })
    })).observe({ type: 'layout-shift' })
  })
  await page.getByRole('button', { name: /^Check/ }).first().click()
  await page.locator('#job[data-state=done]').waitFor({ state: 'attached', timeout: 300_000 })
  await page.waitForTimeout(1000)
  const shifts = await page.evaluate(() => /** @type {any} */ (globalThis).shifts)
  await context.close()
  return shifts
}

/** @param {number} bytes */
function kilobytes (bytes) {
  return `${Number((bytes / 1000).toPrecision(3))} kB`
}

/** @param {number} ms */
function milliseconds (ms) {
  return `${Math.round(ms)} ms`
}

/**
 * Runs in the page.
 *
 * @typedef {{ bytes: number, requests: number, firstPaintMs: number, largestPaintMs: number,
 *   shift: number }} Visit
 * @returns {Promise<Visit>}
 */
async function readVisit () {
  const { performance, PerformanceObserver, scrollTo, document } = /** @type {any} */ (globalThis)
  let [shift, largestPaintMs] = [0, 0]
  const observe = (/** @type {string} */ type, /** @type {(entry: any) => void} */ see) =>
    new PerformanceObserver((/** @type {any} */ list) => list.getEntries().forEach(see))
      .observe({ type, buffered: true })
  observe('layout-shift', ({ value }) => { shift += value })
  observe('largest-contentful-paint', ({ startTime }) => { largestPaintMs = startTime })
  const settle = () => new Promise((resolve) => setTimeout(resolve, 500))
  // Pictures further down are loaded when they come near.
  const files = () => [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
  const seen = files()
  await settle()
  const largestAtTheTop = largestPaintMs
  scrollTo(0, document.body.scrollHeight)
  await settle()
  return {
    bytes: seen.reduce((sum, { transferSize }) => sum + transferSize, 0),
    requests: seen.length,
    firstPaintMs: performance.getEntriesByName('first-contentful-paint')[0].startTime,
    largestPaintMs: largestAtTheTop,
    shift
  }
}
