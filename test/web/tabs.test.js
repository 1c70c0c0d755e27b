import assert from 'node:assert/strict'
import test from 'node:test'
import { openBrowser, showTab, skip } from './chromium.js'
import { openWeb, takeSolution } from './open.js'

for (const isKnown of [true, false]) {
  const what = isKnown ? 'it goes on where it was' : 'it starts over if the server no longer knows'
  test(`a hidden tab holds no connection; visible again, ${what}; no round twice`, { skip }, async (t) => {
    const web = await openWeb(t)
    await takeSolution(web)
    const { page, faults } = await (await openBrowser(t))(web.signedIn)
    await page.goto(`${web.url}lessons/mini`)
    await page.getByRole('button', { name: 'Check', exact: true }).click()
    await page.locator('#charts svg').first().waitFor()

    const closed = page.waitForEvent('requestfailed', isForEvents)
    await showTab(page, false)
    await closed
    await page.route(/after=/, (route) => {
      const url = route.request().url()
      return route.continue({ url: isKnown ? url : url.replace(/after=.*/, 'after=another-7') })
    })
    const again = page.waitForRequest(isForEvents)
    await showTab(page, true)
    assert.match((await again).url(), /\?after=[a-z0-9]+-\d+$/)

    await page.locator('#charts [data-figure^=rounds] circle.yours').nth(2).waitFor({ state: 'attached' })
    const [numbers, count] = await page.locator('#charts [data-figure^=rounds]').first().evaluate((figure) =>
      [[...figure.querySelectorAll('[text-anchor=middle]')].map((text) => text.textContent),
        figure.querySelectorAll('circle.yours').length])
    assert.deepEqual([numbers.at(0), numbers.at(-1)], ['1', String(count)])
    assert.deepEqual(faults, [])
  })
}

/** @param {{ url: () => string }} request */
function isForEvents (request) {
  return request.url().includes('/api/events')
}
