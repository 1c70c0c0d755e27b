import fs from 'node:fs'

/**
 * Many pages on one picture, each in every width, light and dark.
 *
 * @import { Browser, BrowserContextOptions } from 'playwright-core'
 */

const sizes = [[1440, 900], [1280, 800], [768, 1024], [390, 844]]
const themes = /** @type {const} */ (['light', 'dark'])
/** How high a page is on the sheet, pixels. */
const height = 170
const gap = 8

/**
 * @param {object} given
 * @param {Browser} given.browser
 * @param {BrowserContextOptions} given.options of a window that is signed in
 * @param {string} given.url of the workshop
 * @param {[string, string][]} given.places what each shows, and its path
 * @param {string} given.file WebP
 */
export async function takeSheet ({ browser, options, url, places, file }) {
  const context = await browser.newContext({ reducedMotion: 'reduce', ...options })
  const page = await context.newPage()
  let rows = ''
  for (const [title, place] of places) {
    rows += `<h2>${title}</h2><p>`
    for (const colorScheme of themes) {
      await page.emulateMedia({ colorScheme })
      for (const [width, height] of sizes) {
        await page.setViewportSize({ width, height })
        await page.goto('about:blank')
        await page.goto(url + place, { waitUntil: 'load' })
        // A report in a frame draws itself.
        if (await page.locator('iframe').count() > 0) {
          await page.frameLocator('iframe').locator('svg, canvas').first().waitFor()
        }
        const shot = await page.screenshot({ type: 'jpeg', quality: 90 })
        rows += `<img src="data:image/jpeg;base64,${shot.toString('base64')}">`
      }
    }
    rows += '</p>'
  }
  await page.goto('about:blank')
  await page.emulateMedia({ colorScheme: 'light' })
  const widths = sizes.map(([width, high]) => width * height / high + gap)
  const width = Math.ceil(2 * widths.reduce((sum, one) => sum + one) + gap)
  await page.setViewportSize({ width, height: 1000 })
  await page.setContent(`<style>body { margin: ${gap}px; font: 15px system-ui; background: #8b949e }
h2 { font-size: 15px; margin: 10px 0 4px } p { display: flex; gap: ${gap}px; margin: 0 } img { height: ${height}px }
</style>${rows}`)
  const devtools = await context.newCDPSession(page)
  const { data } = await devtools.send('Page.captureScreenshot', {
    format: 'webp',
    quality: 50,
    captureBeyondViewport: true,
    clip: { x: 0, y: 0, width, height: await page.evaluate('document.body.scrollHeight + 32'), scale: 1 }
  })
  fs.writeFileSync(file, Buffer.from(data, 'base64'))
  await context.close()
}
