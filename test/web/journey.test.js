import assert from 'node:assert/strict'
import test from 'node:test'
import { handlers } from '../../runner/web/job-handlers.js'
import { sayVerdict } from '../../runner/web/pages/live.js'
import { root } from '../check/mini.js'
import { openBrowser, overflowOf, showTab, skip, violationsIn } from './chromium.js'
import { openWeb, playedJob, roundEvent, takeSolution } from './open.js'

/** @import { Locator, Page } from 'playwright-core' */

test('from home to a verdict of a real check, by keyboard, in the dark, on a phone', { skip }, async (t) => {
  /** @type {typeof handlers.check} */
  const check = (given) => handlers.check({ ...given, seconds: 0.3 })
  const web = await openWeb(t, root, { handlers: { ...handlers, check } })
  await takeSolution(web)
  const open = await openBrowser(t)
  const { page, faults } = await open({ ...web.signedIn, colorScheme: 'dark', viewport: { width: 360, height: 740 } })
  await page.goto(web.url)
  await press(page, page.getByRole('link', { name: /1 · Mini/ }))
  await page.waitForURL('**/lessons/mini')
  const button = page.getByRole('button', { name: 'Check', exact: true })
  await press(page, button)
  await page.locator('#live .phases').waitFor()
  assert.ok(await overflowOf(page) <= 0, 'while it runs')
  await page.locator('#result .verdict').waitFor()
  assert.equal(await isFocused(button), true)

  const { last } = (await web.ask('GET', '/api/lessons/mini')).json()
  // What it decides in a moment is this machine's affair; what it asked isn't.
  assert.deepEqual(last.contract.map((/** @type {any} */ { status }) => status), Array(5).fill('pass'))
  const word = sayVerdict(last.verdict, last.gates)
  assert.ok(String(await page.locator('.verdict').textContent()).toLowerCase().includes(word))
  assert.ok(String(await page.locator('#status').textContent()).includes(`Check: ${word}.`))

  await page.reload()
  await press(page, page.getByRole('button', { name: 'Workbench' }))
  await press(page, page.getByText('All measurements'))
  assert.ok(await page.locator('#result .charts tbody tr').count() > 0)
  assert.deepEqual(await violationsIn(page), [], 'with a verdict')
  assert.ok(await overflowOf(page) <= 0)
  await press(page, page.getByRole('link', { name: 'Make It Fast' }))
  assert.ok(String(await page.locator('.card').first().textContent()).includes(word))
  assert.deepEqual(faults, [])
})

test('a hidden tab holds no connection; seen again it shows what it missed', { skip }, async (t) => {
  const played = playedJob()
  const web = await openWeb(t, root, { handlers: { ...handlers, check: played.handler } })
  const { page, faults } = await (await openBrowser(t))(web.signedIn)
  await page.goto(`${web.url}lessons/mini`)
  await page.getByRole('button', { name: 'Check', exact: true }).click()
  const { onProgress } = await played.begun
  onProgress(roundEvent(1))
  await page.locator('.status-bar').getByText('round 1').waitFor()
  const closed = page.waitForEvent('requestfailed', (request) => request.url().includes('/api/parts'))
  await showTab(page, false)
  await closed
  onProgress(roundEvent(2))
  await showTab(page, true)
  await page.locator('.status-bar').getByText('round 2').waitFor()
  assert.deepEqual(faults, [])
})

/** As a user without a mouse. @param {Page} page @param {Locator} locator @param {string} [key] */
async function press (page, locator, key = 'Enter') {
  await locator.waitFor()
  for (let count = 0; count < 200 && !await isFocused(locator); count++) await page.keyboard.press('Tab')
  assert.equal(await isFocused(locator), true, String(locator))
  await page.keyboard.press(key)
}

/** @param {Locator} locator */
function isFocused (locator) {
  return locator.evaluate((element) => element === element.ownerDocument.activeElement)
}
