import fs from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { withWeb } from './web/open.js'

/**
 * Takes docs/commands.md's pictures of `npm start`, from real checks on this machine: `npm run measure screenshots`.
 *
 * @import { Page } from 'playwright-core'
 */

const folder = fileURLToPath(new URL('../docs/web/', import.meta.url))
const root = fileURLToPath(new URL('..', import.meta.url))
const longestMs = 120_000
const passedFirst = [['sync-login', '01-sync-login'], ['leaking-listeners', '02-leaking-listeners']]
const [slug, name] = ['in-memory-json', '03-in-memory-json']

await withWeb(async ({ url, workspace, browser, options }) => {
  // Paths are shown relative to the reader's folder.
  process.chdir(path.dirname(workspace))
  const page = await (await browser.newContext({ ...options, viewport: { width: 1280, height: 820 } })).newPage()
  page.setDefaultTimeout(longestMs)
  const take = async (/** @type {string} */ lesson, /** @type {string} */ dir) => {
    await page.goto(`${url}lessons/${lesson}`)
    await page.getByRole('button', { name: 'Open in my editor' }).click()
    await page.getByRole('link', { name: 'VS Code' }).waitFor()
    fs.cpSync(path.join(root, 'solutions', dir), path.join(workspace, dir), { recursive: true, force: true })
  }
  for (const [lesson, dir] of passedFirst) {
    await take(lesson, dir)
    await check(page)
    await page.locator('#result .verdict').waitFor()
  }
  await take(slug, name)
  await page.goto(url)
  await shoot(page, 'home')
  await page.goto(`${url}lessons/${slug}`)
  await page.getByLabel(/the same result for every request/).fill('res.json')
  await page.getByRole('button', { name: 'Save prediction' }).click()
  await page.getByText('Prediction saved.').waitFor()
  await page.reload()
  await check(page)
  // Enough rounds to see an interval close in.
  await page.locator('#charts [data-figure^=ratio] circle').nth(3).waitFor({ state: 'attached' })
  await page.locator('#live').evaluate((live) => live.scrollIntoView())
  await shoot(page, 'check')
})

/** @param {Page} page */
async function check (page) {
  await page.getByRole('button', { name: 'Check', exact: true }).click()
  await page.locator('body.busy').waitFor()
}

/** @param {Page} page @param {string} title */
async function shoot (page, title) {
  fs.mkdirSync(folder, { recursive: true })
  for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
    await page.emulateMedia({ colorScheme })
    const file = path.join(folder, `${title}-${colorScheme}.png`)
    await page.screenshot({ path: file })
    console.log(`${path.relative(process.cwd(), file)}: ${Math.round(fs.statSync(file).size / 1000)} kB`)
  }
}
