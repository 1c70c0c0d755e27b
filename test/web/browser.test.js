import assert from 'node:assert/strict'
import fs from 'node:fs'
import test from 'node:test'
import { resolveLesson } from '../../runner/lesson/index.js'
import { handlers } from '../../runner/web/job-handlers.js'
import { keepOrDrop, saveResult } from '../../runner/workspace/index.js'
import { root } from '../check/mini.js'
import { failed, inconclusive, passed } from '../report/records.js'
import { openBrowser, overflowOf, showTab, skip, violationsIn } from './chromium.js'
import { keptPass, openWeb, playedJob, roundEvent, takeSolution } from './open.js'

const pages = [
  '', 'lessons/mini', 'lessons/mini/diff', 'lessons/mini/diff?with=solution', 'lessons/mini/profile',
  'docs/glossary', 'docs/cheat-sheet', 'docs/which-tool'
]

const looks = /** @type {const} */ ([
  { width: 1280, colorScheme: 'light', forcedColors: 'none' },
  { width: 360, colorScheme: 'dark', forcedColors: 'none' },
  { width: 1280, colorScheme: 'light', forcedColors: 'active' }
])

test('every page, light and dark, from a phone’s width: no fault, none that axe knows, nothing cut', { skip },
  async (t) => {
    const web = await openWeb(t)
    await takeSolution(web)
    const { page, faults } = await (await openBrowser(t))(web.signedIn)
    // The docs show pictures of lessons that this workshop doesn't have.
    await page.route('**/lessons/capstone/files/**', (route) => route.fulfill({ contentType: 'image/svg+xml' }))
    for (const place of pages) {
      await page.goto(web.url + place)
      assert.ok((await page.locator('h1').textContent())?.length, place)
      for (const { width, ...media } of looks) {
        await page.emulateMedia(media)
        await page.setViewportSize({ width, height: 800 })
        assert.deepEqual(await violationsIn(page), [], `${place}, ${JSON.stringify(media)}`)
        assert.ok(await overflowOf(page) <= 0, `${place} is wider than ${width} pixels`)
      }
    }
    assert.deepEqual(faults, [])
  })

test('a failure with the requests that prove it, an open verdict with the way on, and a field with its error', { skip },
  async (t) => {
    const web = await openWeb(t)
    await takeSolution(web)
    const entry = await resolveLesson('mini', { env: web.env })
    const { page, faults } = await (await openBrowser(t))(web.signedIn)
    const [check] = failed().contract
    const requests = ['curl http://127.0.0.1:$PORT/1']
    const promised = 'Every answer adds one.'
    const wrong = { ...check, message: 'expected 2, got 3', requests, promised }
    await saveResult(entry, { ...failed(), contract: [{ ...wrong, status: 'fail' }] })
    await page.goto(`${web.url}lessons/mini`)
    assert.match(String(await page.locator('.stale > summary').textContent()), /an earlier version.*not yet/)
    await page.getByRole('tab', { name: 'Result' }).click()
    await page.locator('.stale > summary').click()
    assert.match(String(await page.locator('.verdict').textContent()), /Not yet/)
    assert.match(String(await page.locator('.difference').textContent()), /expected\s*2\s*got\s*3/)
    await page.getByText('Requests that show it').click()
    assert.equal(await page.locator('.failures pre code').innerText(), requests[0])
    await page.getByRole('link', { name: promised }).click()
    assert.equal(await page.locator('.text .promised').textContent(), promised)
    assert.deepEqual(await violationsIn(page), [])

    await saveResult(entry, { ...inconclusive(), startedAt: new Date().toISOString() })
    await keepOrDrop(entry, entry.workspaceDir, { rounds: [] })
    await page.goto(`${web.url}lessons/mini`)
    assert.match(String(await page.locator('.verdict').textContent()), /Too close to call: 1 of 2 targets met/)
    assert.match(String(await page.locator('#result').textContent()), /About 31 more seconds would settle it/)
    assert.deepEqual(await violationsIn(page), [])
    await page.route('**/api/jobs', (route) => route.fulfill({ status: 409, json: { error: 'Not in this test.' } }))
    const asked = page.waitForRequest('**/api/jobs')
    await page.getByText('It adds 40 s of rounds.').waitFor()
    await page.getByRole('button', { name: 'Measure longer' }).click()
    assert.deepEqual((await asked).postDataJSON(), { kind: 'check', lesson: 'mini', more: true })
    await page.getByText('Not in this test.').waitFor()
    await page.goto(web.url)
    assert.match(String(await page.locator('.next').textContent()), /The last check: too close to call/)
    assert.ok(faults.every((fault) => /409/.test(fault)), faults.join())

    await page.getByRole('link', { name: 'Class' }).click()
    const address = page.getByLabel(/^Address/)
    await address.fill('nonsense')
    await page.getByLabel(/^Your name/).fill('Ada')
    await page.getByRole('button', { name: 'Join', exact: true }).click()
    await page.getByText('“nonsense” isn’t the address of a room').waitFor()
    assert.equal(await address.getAttribute('aria-invalid'), 'true')
    assert.equal(await address.evaluate((field) => field === document.activeElement), true)
  })

test('a prediction and a hint; a check is cancelled; and the solution is shown on request', { skip }, async (t) => {
  const played = playedJob()
  const web = await openWeb(t, root, { handlers: { ...handlers, check: played.handler } })
  await takeSolution(web)
  const { page } = await (await openBrowser(t))(web.signedIn)
  await page.goto(`${web.url}lessons/mini`)
  const tab = (/** @type {string} */ name) => page.getByRole('tab', { name })
  await tab('Help').click()
  await page.getByLabel(/takes the time/).fill('not yet')
  await page.reload()
  assert.equal(await page.getByLabel(/takes the time/).inputValue(), 'not yet', 'a draft survives')
  await page.getByLabel(/takes the time/).fill('<b>the loop</b>')
  await page.getByRole('button', { name: 'Save prediction' }).click()
  await page.getByText('Prediction saved.').waitFor()
  await page.getByText('“<b>the loop</b>”').waitFor()
  assert.equal(await page.locator('#predict[open]').count(), 0, 'it isn’t shown twice')
  await page.getByRole('button', { name: /Show hint 1/ }).click()
  await page.locator('#shown-hints li').waitFor()
  assert.equal(await page.locator('#shown-hints li:focus').count(), 1)

  await page.locator('#measure summary').click()
  await page.getByRole('checkbox').uncheck()
  await page.getByRole('button', { name: 'Check', exact: true }).click()
  const { onProgress } = await played.begun
  onProgress({ type: 'phase', phase: 'rounds', text: '' })
  await page.locator('#live .phases').waitFor()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByText('Nothing is left running').waitFor()
  assert.equal(await page.getByRole('button', { name: 'Cancel' }).count(), 0, 'there is nothing to cancel')
  await page.reload()
  assert.equal(await page.locator('#preview-saves').isChecked(), false)
  await tab('Help').click()
  assert.equal(await page.locator('#predict textarea').first().inputValue(), '<b>the loop</b>')
  assert.equal(await page.locator('#shown-hints li').count(), 1)

  await page.goto(`${web.url}lessons/mini/diff?with=solution`)
  await page.getByRole('button', { name: 'Show the solution anyway' }).click()
  await page.getByText('Both are the same').or(page.locator('.diff')).first().waitFor()
})

test('a save is looked at, wrong or right', { skip }, async (t) => {
  /** @type {NodeJS.Timeout | undefined} */
  let saving
  /** @type {typeof handlers.preview} */
  const preview = async (given) => {
    clearInterval(saving)
    const isWrong = fs.readFileSync(copy, 'utf8').includes('broken')
    return isWrong ? handlers.preview(given) : { message: '', record: passed() }
  }
  const web = await openWeb(t, root, { handlers: { ...handlers, preview } })
  const copy = await takeSolution(web)
  const { page } = await (await openBrowser(t))(web.signedIn)
  await page.goto(`${web.url}lessons/mini`)
  t.after(() => clearInterval(saving))
  // Saved again until it's noticed: the watch may only now begin.
  const save = (/** @type {string} */ text) => {
    saving = setInterval(() => { fs.writeFileSync(copy, text += '\n') }, 1000)
  }
  const right = fs.readFileSync(copy, 'utf8')
  save(`const broken = (\n${right}`)
  await page.locator('#tab-result.news').waitFor()
  await page.getByRole('tab', { name: 'Result' }).click()
  await page.locator('.frame .wrong').waitFor()
  assert.match(String(await page.locator('.problem').textContent()), /SyntaxError/)
  assert.deepEqual(await violationsIn(page), [], 'with a code frame')
  save(right)
  await page.locator('#result').getByText(/Answers: 3 of 3 checks passed/).waitFor()
  await page.locator('#status').getByText(/^✓ Answers: 3 of 3 checks passed, about [\d.,]+×$/).waitFor()
  await page.getByRole('tab', { name: 'Code' }).click()
  const shown = (await page.locator('[data-part=code] pre').first().locator('.words').allTextContents()).join('\n')
  assert.equal(shown.trim(), right.trim(), 'highlighted, and otherwise as it is')
  await page.reload()
  assert.match(String(await page.locator('#result .look').textContent()), /Answers: 3 of 3 checks passed/)
})

test('nothing moves during a check, and its verdict is a card at once', { skip }, async (t) => {
  const played = playedJob()
  const web = await openWeb(t, root, { handlers: { ...handlers, check: played.handler } })
  await takeSolution(web)
  const { page } = await (await openBrowser(t))({ ...web.signedIn, viewport: { width: 1280, height: 800 } })
  await page.goto(`${web.url}lessons/mini`)
  await page.getByRole('button', { name: 'Check', exact: true }).click()
  const { onProgress, end, entry } = await played.begun
  await page.locator('#live .phases').waitFor()
  await page.evaluate(() => {
    const shifts = /** @type {any} */ (globalThis).shifts = /** @type {string[]} */ ([])
    new PerformanceObserver((list) => list.getEntries().forEach((/** @type {any} */ { sources }) =>
      shifts.push(sources.map((/** @type {any} */ { node }) => node?.outerHTML ?? node?.data).join())))
      .observe({ type: 'layout-shift' })
  })
  const bar = page.locator('.status-bar')
  onProgress({ type: 'phase', phase: 'contract', text: '' })
  await bar.getByText('Checking answers').waitFor()
  onProgress({ type: 'phase', phase: 'rounds', text: 'Measuring in rounds' })
  for (const number of [1, 2]) {
    onProgress(roundEvent(number))
    await bar.getByText(`round ${number}`).waitFor()
  }
  onProgress({ type: 'verdict', record: passed() })
  onProgress({ type: 'phase', phase: 'inside', text: '' })
  await bar.getByText('Check: passed. Looking inside both servers').waitFor()
  await page.locator('#live .result-card').waitFor()
  end(await keptPass({ entry }))
  await page.locator('#result .result-card').waitFor()
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))
  assert.deepEqual(await page.evaluate(() => /** @type {any} */ (globalThis).shifts), [])
})

test('what a text has one send by hand is sent to the server that was started, whose port it names', { skip },
  async (t) => {
    const web = await openWeb(t)
    const { page, faults } = await (await openBrowser(t))(web.signedIn)
    await page.goto(`${web.url}lessons/mini`)
    const command = (/** @type {string} */ text) => page.locator('.command', { hasText: text })
    await command('curl').getByRole('button', { name: /^Send/ }).click()
    await command('curl').getByText('No server of this lesson is running: start it first.').waitFor()
    await command('npm run serve').getByRole('button', { name: /^Run/ }).click()
    await command('npm run serve').getByRole('button', { name: 'Stop' }).waitFor()
    const port = new URL(String(await page.locator('#served a').getAttribute('href'))).port
    assert.equal(await command('curl').locator('code').textContent(), `curl http://127.0.0.1:${port}/1`)
    await command('curl').getByRole('button', { name: /^Send/ }).click()
    await command('curl').getByText(/It responded with 200 after [\d.,]+ ms: /).waitFor()
    for (const count of ['1st', '2nd']) {
      await command('autocannon').getByRole('button', { name: /^Load/ }).click()
      await command('autocannon').getByText(new RegExp(`${count}: mean [\\d.,]+ ms, p99 `)).waitFor()
    }
    assert.deepEqual(await violationsIn(page), [])
    await command('npm run serve').getByRole('button', { name: 'Stop' }).click()
    await command('npm run serve').getByRole('button', { name: /^Run/ }).waitFor()
    assert.equal(await command('curl').locator('code').textContent(), 'curl http://127.0.0.1:PORT/1')
    assert.ok(faults.every((fault) => /409/.test(fault)), faults.join())
  })

test('a command of the text runs, its outcome stays, and Check is near', { skip }, async (t) => {
  const message = '99 requests/s, p99 9 ms. All 9 answers were right.'
  const bench = async () => ({ message, result: { table: 'Req/Sec', counts: '' } })
  const web = await openWeb(t, root, { handlers: { ...handlers, bench } })
  const { page, faults } = await (await openBrowser(t))(web.signedIn)
  await page.goto(`${web.url}lessons/mini`)
  const check = page.getByRole('button', { name: 'Check', exact: true })
  for (const key of ['Tab', 'Tab', 'Enter', 'Tab']) await page.keyboard.press(key)
  assert.equal(await check.evaluate((button) => button === document.activeElement), true, 'four keys to Check')
  const command = page.locator('.command', { hasText: 'npm run bench mini slow' })
  await command.getByRole('button', { name: /^Run/ }).click()
  await command.getByText(message).waitFor()
  await page.locator('#tab-profile.news').waitFor()
  // Another start of the workshop refuses this page, which loads itself again.
  const loaded = page.waitForEvent('load')
  await showTab(page, false)
  await page.route(/api\/parts/, (route) => route.fulfill({ status: 403, json: { error: 'Reload it.' } }), { times: 1 })
  await showTab(page, true)
  await loaded
  assert.match(String(await command.locator('.outcome').textContent()), /^See it 99 requests\/s, p99 /)
  await page.getByRole('tab', { name: 'Profile' }).click()
  assert.match(String(await page.locator('#panel-profile').textContent()), /Benchmark of slow.*Req\/Sec/s)
  assert.deepEqual(await violationsIn(page), [])
  assert.deepEqual(faults.filter((fault) => !fault.includes('403')), [])
})

test('a profile: tables that lead to lines, the report speaks of them, and the prediction is answered', { skip },
  async (t) => {
    /** @type {typeof handlers.profile} */
    const profile = (given) => handlers.profile({ ...given, seconds: 0.3 })
    const web = await openWeb(t, root, { handlers: { ...handlers, profile } })
    const copy = await takeSolution(web)
    // A word that is recorded, and a line that is found again.
    const burn = 'function burn () { for (const until = performance.now() + 3; performance.now() < until;); }'
    fs.writeFileSync(copy, `${fs.readFileSync(copy, 'utf8')}\n${burn}\n`
      .replace('(req, res) => {', '(req, res) => {\n  burn()'))
    const line = fs.readFileSync(copy, 'utf8').split('\n').findIndex((text) => text.startsWith('function burn')) + 1
    await web.ask('POST', '/api/lessons/mini/prediction', { body: { answers: ['burn', ''] } })
    const { page, faults } = await (await openBrowser(t))({ ...web.signedIn, viewport: { width: 1440, height: 900 } })
    await page.goto(`${web.url}lessons/mini/profile`)
    await page.getByRole('button', { name: 'Profile', exact: true }).click()
    await page.getByText(/You named burn .*not seen in the slow server, [\d.]+ % of the main thread in yours/)
      .waitFor()
    await page.getByRole('heading', { name: 'A request' }).waitFor()

    const marked = page.locator('.marked')
    assert.match(String(await marked.textContent()), /function burn/, 'the hottest line')
    await page.getByRole('link', { name: `server.js:${line}` }).first().press('Enter')
    assert.match(String(await marked.textContent()), new RegExp(`${line}function burn`))
    assert.match(page.url(), new RegExp(`#L${line}$`))
    assert.deepEqual(await violationsIn(page), [])
    await page.reload()
    assert.match(String(await marked.textContent()), /function burn/)

    assert.match(String(await marked.textContent()), /^[\d.]+[\d.]{3,}/, 'its shares stand at the line')
    const frame = page.frameLocator('iframe')
    const reached = frame.locator('g.frame.reached')
    assert.equal(await reached.getAttribute('name'), 'burn')
    await frame.locator('#graph').press('ArrowDown')
    assert.notEqual(await reached.getAttribute('name'), 'burn')
    await frame.getByRole('button', { name: 'Node.js' }).click()
    assert.equal(await frame.locator('[data-owner=node]').getAttribute('aria-pressed'), 'false')
    await frame.locator('#view').selectOption({ label: 'yours' })
    await frame.locator('g.frame[name="server.js:7"]').first().dispatchEvent('click')
    await page.getByText('Marked: line 7 of server.js.').waitFor()
    assert.match(String(await marked.textContent()), /createServer/)
    assert.deepEqual(faults, [])

    await page.setViewportSize({ width: 360, height: 740 })
    assert.ok(await overflowOf(page) <= 0)
    assert.deepEqual(await violationsIn(page), [])
    const report = await web.ask('GET', '/lessons/mini/profile/report', { headers: { 'Accept-Encoding': 'gzip' } })
    assert.equal(report.headers['content-encoding'], 'gzip')
    assert.match(String(report.headers['content-security-policy']), /^default-src 'none'.*sandbox allow-scripts$/)
  })

test('without JavaScript a page can be read, and says what to do instead', { skip }, async (t) => {
  const web = await openWeb(t)
  const { page } = await (await openBrowser(t))({ ...web.signedIn, javaScriptEnabled: false })
  await page.goto(web.url)
  await page.getByRole('link', { name: 'Begin' }).click()
  assert.match(String(await page.locator('main').textContent()), /npm run check mini/)
})

test('a lesson with all that it loads is light, and explains its terms in place', { skip }, async (t) => {
  const web = await openWeb(t, process.cwd())
  const { page } = await (await openBrowser(t))(web.signedIn)
  await page.goto(`${web.url}lessons/in-memory-json`, { waitUntil: 'load' })
  const bytes = await page.evaluate(() => [...performance.getEntriesByType('navigation'),
    ...performance.getEntriesByType('resource')]
    .reduce((sum, entry) => sum + /** @type {PerformanceResourceTiming} */ (entry).transferSize, 0))
  assert.ok(bytes > 50_000 && bytes < 200_000, `${bytes} bytes`)

  await page.locator('article a[href^="/docs/glossary#"]').first().click()
  const term = page.locator('.term:popover-open')
  assert.match(String(await term.textContent()), /In the glossary$/)
  assert.deepEqual(await violationsIn(page), [])
  await page.keyboard.press('Escape')
  await term.waitFor({ state: 'hidden' })
})
