import fs from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { after } from 'node:test'
import { chromium } from 'playwright-core'
import { unlessSkipped } from '../unless-skipped.js'

/** @import { Browser, BrowserContextOptions, Page } from 'playwright-core' */

const names = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome']
const executablePath = process.env.MAKE_IT_FAST_CHROMIUM ?? (process.env.PATH ?? '').split(path.delimiter)
  .flatMap((dir) => names.map((name) => path.join(dir, name))).find((file) => fs.existsSync(file))

const missing = 'There is no Chromium here (MAKE_IT_FAST_CHROMIUM names one elsewhere)'

/** Why tests in a browser are skipped here, for node:test's `skip`. */
export const skip = unlessSkipped(executablePath !== undefined,
  `${missing}: no page was tried in a browser.`)

const axeSource = fs.readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/** A busy machine takes its time. */
const mostMs = 180_000

/** @param {string[]} [more] arguments @returns {Promise<Browser>} @throws {Error} not installed */
export async function openChromium (more = []) {
  if (executablePath === undefined) throw new Error(`${missing}.`)
  return chromium.launch({ executablePath, args: ['--headless', '--no-sandbox', '--disable-gpu', ...more] })
}

/** One for all tests of a file. @type {Promise<Browser> | undefined} */
let shared

// The measurements of bench/ use this file, too, and have no tests.
if (process.argv[1]?.endsWith('.test.js')) after(async () => { await (await shared)?.close() })

/**
 * @param {import('node:test').TestContext} t
 * @returns {Promise<(options?: BrowserContextOptions) => Promise<Opened>>} opens a window, closed after the test
 *
 * @typedef {{ page: Page, faults: string[] }} Opened faults: what the page has complained about
 */
export async function openBrowser (t) {
  shared ??= openChromium()
  const browser = await shared
  return async (options = {}) => {
    const context = await browser.newContext({ reducedMotion: 'reduce', ...options })
    t.after(() => context.close())
    context.setDefaultTimeout(mostMs)
    const page = await context.newPage()
    /** @type {string[]} */
    const faults = []
    page.on('pageerror', ({ message }) => faults.push(message))
    page.on('console', (message) => { if (message.type() === 'error') faults.push(message.text()) })
    return { page, faults }
  }
}

/**
 * What axe finds, level A and AA. The page's own policy allows no script of ours, so that it is evaluated.
 *
 * @param {Page} page
 * @returns {Promise<string[]>} rule and place
 */
export async function violationsIn (page) {
  await page.evaluate(axeSource)
  return page.evaluate(async (runOnly) => {
    const rules = { 'empty-table-header': { enabled: true } }
    const { violations } = await /** @type {any} */ (globalThis).axe.run({ runOnly, rules })
    return violations.flatMap((/** @type {any} */ { id, nodes }) => nodes.map((/** @type {any} */ { target }) =>
      `${id}: ${target}`))
  }, rules)
}

/** By how many pixels a page is wider than its window. @param {Page} page @returns {Promise<number>} */
export function overflowOf (page) {
  return page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
}

/** As the browser tells a tab. @param {Page} page @param {boolean} isSeen */
export function showTab (page, isSeen) {
  return page.evaluate((isSeen) => {
    Object.defineProperty(document, 'hidden', { value: !isSeen, configurable: true })
    document.dispatchEvent(new Event('visibilitychange'))
  }, isSeen)
}
