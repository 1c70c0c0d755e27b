import fs from 'node:fs'
import path from 'node:path'
import { loadLesson, resolveLesson } from '../runner/lesson/index.js'
import { makeTemporary } from '../runner/process/index.js'
import { recordCpu } from '../runner/profiling/record-cpu.js'
import { newSeed } from '../runner/shared/random.js'
import { workshopRoot } from '../runner/shared/workshop.js'
import { openChromium } from '../test/web/chromium.js'

/**
 * Takes lesson 1's picture of Chrome DevTools, which this Chromium brings along, with a profile of the slow server:
 * `npm run measure devtools`.
 */

const entry = await loadLesson(await resolveLesson('01-sync-login'))
const { dir, remove } = await makeTemporary()
const browser = await openChromium()
try {
  const { threads: [{ raw }] } = await recordCpu({
    entry,
    dir: entry.slowDir,
    loadName: entry.lesson.mechanism.load,
    seed: newSeed(),
    signal: new AbortController().signal
  }, { seconds: 3 })
  const profile = path.join(dir, 'slow.cpuprofile')
  // Without this machine’s folders.
  fs.writeFileSync(profile, JSON.stringify(raw).replaceAll(workshopRoot, '/make-it-fast'))

  const page = await browser.newPage({ colorScheme: 'light', viewport: { width: 540, height: 560 } })
  await page.goto('devtools://devtools/bundled/js_app.html')
  await page.getByRole('tab', { name: 'Performance' }).click()
  await page.locator('input[type=file]').first().setInputFiles(profile)
  await page.getByRole('button', { name: 'Close' }).first().click()
  await page.getByRole('button', { name: 'Hide sidebar' }).click()
  await page.getByRole('tab', { name: 'Bottom-up' }).click()
  const hash = page.getByRole('row').filter({ hasText: 'run' }).first()
  await hash.click()
  for (const key of ['ArrowRight', 'ArrowDown', 'ArrowRight']) await page.keyboard.press(key)
  await page.waitForTimeout(1000)
  const target = path.join(entry.dir, 'pictures', 'devtools.png')
  await page.screenshot({ path: target })
  console.log(`${path.relative(process.cwd(), target)}: ${Math.round(fs.statSync(target).size / 1000)} kB`)
} finally {
  await browser.close()
  await remove()
}
