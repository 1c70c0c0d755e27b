import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import vm from 'node:vm'
import test from 'node:test'
import { loopPage } from '../../runner/profiling/pages/loop-page.js'
import { loopSections } from '../../runner/profiling/tools/loop.js'
import { sectionsText } from '../../runner/report/index.js'
import { root as miniRoot } from '../check/mini.js'
import { runCommand } from '../cli/run.js'
import { temporaryFolder } from '../temporary.js'
import { openBrowser, skip } from '../web/chromium.js'

/** @import { ShownSide } from '../../runner/profiling/pages/loop-page.js' */

const evil = '</script><script>alert(1)</script>'
const hash = 'isRight › pbkdf2Sync'

/** Hashes of 36 ms, one after the other. @param {Partial<ShownSide>} [changes] @returns {ShownSide} */
const slow = (changes) => ({
  name: 'slow',
  title: 'The slow server',
  ms: 300,
  poolSize: 4,
  threads: [{
    title: 'main thread',
    blocks: Array.from({ length: 8 }, (_, at) => {
      const name = at === 7 ? evil : hash
      return { from: at * 37, to: at * 37 + 36, name, request: at, pale: at === 2 ? [[74, 110]] : [] }
    }),
    gcs: [],
    fullAt: null
  }],
  requests: Array.from({ length: 8 }, (_, at) => ({
    route: '/login',
    lane: at,
    sent: -5,
    read: at * 37,
    done: at * 37 + 36,
    received: at * 37 + 36.5,
    work: [[at * 37, at * 37 + 36]],
    pool: []
  })),
  ...changes
})

test('a terminal shows blocks in turn, those without a core, and how many requests wait', () => {
  const text = sectionsText(loopSections([slow()], '█▓░·'), { columns: 80 })
  assert.match(text, /The slow server {5}█████▓▓▓▓▓░░░░░▓▓▓▓▓█████▓▓▓▓▓████▓▓▓▓▓▓/)
  assert.match(text, /requests that wait {2}7777766666555554444433333222221111100000/)
  assert.match(text.replace(/\s+/g, ' '),
    /Reading The slow server at \d+ ms: The main thread is in `isRight › pbkdf2Sync` for a request/)
  assert.match(text, /96 % +36 ms +3\.5/)
})

test('the page is one file: its scripts parse, no name breaks out, and a table says what the picture shows', () => {
  const page = loopPage({ title: `Lesson 1 ${evil}`, sides: [slow()] })
  assert.ok(!page.includes(evil))
  const scripts = [...page.matchAll(/<script>\n(.*?)\n<\/script>/gs)].map(([, script]) => script)
  assert.equal(scripts.length, 2)
  for (const script of scripts) assert.doesNotThrow(() => new vm.Script(script))
  assert.match(page, /<td class="number">37\.0<\/td><td class="number">36<\/td>/)
  assert.equal([...page.matchAll(/<tr><td class="number">/g)].length, 8)
})

test('in a browser, the keys move the line and zoom, and a sentence says what happens there', { skip }, async (t) => {
  const { page, faults } = await (await openBrowser(t))({ viewport: { width: 390, height: 700 } })
  const sides = [slow(), slow({ name: 'yours', title: 'Yours', threads: [], requests: [] })]
  await page.setContent(loopPage({ title: 'Lesson 1', sides, asks: 'How many wait at the line?' }))
  const figure = page.locator('#figure')
  // The question comes first: no line of a request, no second server.
  assert.equal(await page.locator('#said').innerText(), '')
  assert.equal(await figure.locator('.thread').count(), 1)
  await page.locator('#guess').fill('3')
  await page.locator('#ask button').click()
  assert.match(await page.locator('#answer').innerText(), /^You said 3\. \d waits? at the line\.$/)
  await figure.press('Home')
  assert.match(await figure.getAttribute('aria-valuetext') ?? '',
    /^The slow server: The main thread is in `isRight › pbkdf2Sync` .* 7 requests to \/login wait .* Yours: .*idle/)
  const widthOf = () => figure.locator('.block').first().evaluate((block) => Number(block.getAttribute('width')))
  const before = await widthOf()
  await figure.press('+')
  assert.ok(await widthOf() > before)
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390)
  assert.deepEqual(faults, [])
})

test('its question is answered in a sandboxed frame, too, as the workshop shows it', { skip }, async (t) => {
  const { page } = await (await openBrowser(t))({ viewport: { width: 900, height: 700 } })
  await page.setContent('<iframe sandbox="allow-scripts" width="800" height="600"></iframe>')
  await page.locator('iframe').evaluate((frame, html) => { frame.setAttribute('srcdoc', html) },
    loopPage({ title: 'Lesson 1', sides: [slow()], asks: 'How many wait at the line?' }))
  const framed = page.frameLocator('iframe')
  await framed.locator('#guess').fill('3')
  await framed.locator('#guess').press('Enter')
  await framed.getByText('You said 3.').waitFor()
})

test('--tool loop records both servers, and keeps a page', async (t) => {
  const workspace = temporaryFolder(t, 'mif workspace ')
  const env = { ...process.env, MAKE_IT_FAST_LESSONS: miniRoot, MAKE_IT_FAST_WORKSPACE: workspace, NO_COLOR: '1' }
  const { code, stdout, stderr } = await runCommand(['profile', 'mini', 'solution', '--tool', 'loop'], { env })
  assert.equal(code, 0, stderr)
  for (const title of ['Reading', 'Event loop', 'Figures']) assert.ok(stdout.includes(`\n${title} `), title)
  const [folder] = fs.readdirSync(path.join(workspace, 'profiles'))
  const page = fs.readFileSync(path.join(workspace, 'profiles', folder, 'solution-loop.html'), 'utf8')
  const { sides } = JSON.parse(/<script type="application\/json" id="data">(.*?)<\/script>/.exec(page)?.[1] ?? '')
  assert.deepEqual(sides.map((/** @type {ShownSide} */ { title }) => title), ['The slow server', 'Yours'])
  for (const { requests, threads } of sides) assert.ok(requests.length > 0 && threads.length > 0)
})
