import { median } from '../runner/judge/statistics.js'
import { aboutRun } from './about.js'
import { withWeb } from './web/open.js'

/**
 * What a page of `npm start` costs a browser that has seen none before, and one that comes back: bytes, requests, first
 * and largest contentful paint (FCP, LCP), layout shift. `npm run measure web -- [loads]`. Measure alone.
 */

const loads = Number(process.argv[2] ?? 7)
const places = { Home: '', 'Lesson 3': 'lessons/in-memory-json', 'Its diff': 'lessons/in-memory-json/diff' }

const rows = await withWeb(async ({ url, browser, options }) => {
  /** @type {(string | number)[][]} */
  const found = []
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
    found.push([
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
  return found
})
console.log(`${aboutRun()}, median of ${loads} loads\n
| page | bytes | requests | FCP | LCP | bytes, again | FCP, again | LCP, again | largest layout shift |
|---|---|---|---|---|---|---|---|---|
${rows.map((/** @type {(string | number)[]} */ cells) => `| ${cells.join(' | ')} |`).join('\n')}`)

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
