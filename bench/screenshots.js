import fs from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { withWeb } from './web/open.js'
import { takeSheet } from './web/sheet.js'

/**
 * Takes docs/commands.md's pictures of `npm start`, from real checks on this machine, and docs/web/pages.webp: every
 * page and state in four widths, light and dark. `npm run measure screenshots`.
 *
 * @import { Page } from 'playwright-core'
 */

const folder = fileURLToPath(new URL('../docs/web/', import.meta.url))
const root = fileURLToPath(new URL('..', import.meta.url))
const longestMs = 300_000
const passedFirst = [['sync-login', '01-sync-login'], ['leaking-listeners', '02-leaking-listeners']]
const [slug, name] = ['in-memory-json', '03-in-memory-json']
/** @type {[string, string][]} */
const places = [
  ['First page', ''],
  ['A lesson, nothing done yet', 'lessons/waterfall'],
  ['A verdict', `lessons/${slug}#panel-result`],
  ['Not yet', 'lessons/the-fix-that-lied#panel-result'],
  ['A syntax error', 'lessons/regex-in-loop#panel-result'],
  ['Code, with the heat of a profile', `lessons/${slug}#panel-code`],
  ['Benchmark and profile', `lessons/${slug}#panel-profile`],
  ['Prediction, answered, and hints', `lessons/${slug}#panel-help`],
  ['Profile of the slow server', `lessons/${slug}/profile?server=slow&tool=cpu`],
  ['Profile, compared', `lessons/${slug}/profile?tool=cpu`],
  ['Over time', `lessons/${slug}/profile?tool=trace`],
  ['Comparison', `lessons/${slug}/diff`],
  ['The solution', `lessons/${slug}/diff?with=solution`],
  ['Glossary', 'docs/glossary'],
  ['Which tool when', 'docs/which-tool'],
  ['Not found', 'lessons/none']
]

await withWeb(async ({ url, workspace, browser, options }) => {
  // Paths are shown relative to the reader's folder.
  process.chdir(path.dirname(workspace))
  // A change of colour scheme would be caught halfway.
  const still = /** @type {const} */ ({ reducedMotion: 'reduce', viewport: { width: 1280, height: 820 } })
  const page = await (await browser.newContext({ ...options, ...still })).newPage()
  page.setDefaultTimeout(longestMs)
  // A quick look at each file that's copied would come between.
  await page.addInitScript(() => localStorage.setItem('look at saves', 'no'))
  const take = async (/** @type {string} */ lesson, /** @type {string} */ dir) => {
    await page.goto(`${url}lessons/${lesson}`)
    await page.locator('#open').click()
    await page.getByRole('button', { name: 'Copy path' }).waitFor({ state: 'attached' })
    if (dir !== '') fs.cpSync(path.join(root, 'solutions', dir), path.join(workspace, dir), { recursive: true })
  }
  for (const [lesson, dir] of passedFirst) {
    await take(lesson, dir)
    await check(page)
    await sayUnlessPassed(page, lesson)
  }
  await take(slug, name)
  await page.goto(url)
  await shoot(page, 'home')
  await page.goto(`${url}lessons/${slug}`)
  await page.getByRole('tab', { name: 'Help' }).click()
  await page.locator('#predict textarea').first().fill('res.json')
  await page.getByRole('button', { name: 'Save prediction' }).click()
  await page.getByText('Prediction saved.').waitFor()
  await page.reload()
  await check(page)
  // Enough rounds to see an interval close in.
  await page.locator('.status-bar').getByText('round 4').or(page.locator('#result .verdict')).waitFor()
  await page.evaluate(() => window.scrollTo(0, 0))
  await shoot(page, 'check')
  await ended(page)
  await sayUnlessPassed(page, slug)
  for (const what of ['Benchmark of yours', 'Profile of yours', 'Over time of yours', 'Profile of slow']) {
    await page.locator('#measure summary').click()
    await press(page, what)
  }
  await takeFaults(page)
  await takeSheet({ browser, options, url, places, file: path.join(folder, 'pages.webp') })

  /** The slow server as it is, and a syntax error. @param {Page} page */
  async function takeFaults (page) {
    await take('the-fix-that-lied', '')
    await press(page, 'Check')
    await take('regex-in-loop', '')
    fs.appendFileSync(path.join(workspace, '04-regex-in-loop', 'server.js'), '\nconst broken = (\n')
    await press(page, 'Check')
  }
})

/** @param {Page} page */
async function check (page) {
  await page.getByRole('button', { name: 'Check', exact: true }).click()
  await page.locator('#live .phases').waitFor()
}

/** On a busy machine, a picture may be of little use. @param {Page} page @param {string} lesson */
async function sayUnlessPassed (page, lesson) {
  const verdict = await page.locator('#result .verdict').innerText()
  if (!verdict.includes('Passed')) console.log(`${lesson}: the pictures show “${verdict}”`)
}

/** @param {Page} page @param {string} name of a button that starts a job */
async function press (page, name) {
  const former = await page.locator('#job').getAttribute('data-id')
  await page.getByRole('button', { name, exact: true }).click()
  // It may be over before it's seen to run.
  await page.locator(`#job[data-id]:not([data-id="${former}"])`).waitFor({ state: 'attached' })
  await ended(page)
}

/** @param {Page} page */
async function ended (page) {
  await page.locator('#cancel').waitFor({ state: 'detached' })
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
