import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import test from 'node:test'
import { openBrowser, overflowOf, skip, violationsIn } from '../web/chromium.js'
import { openWeb } from '../web/open.js'
import { failed, gate } from '../report/records.js'
import { envFor, makeRepository } from '../lesson/fixture.js'
import { openTestRoom, report, withTiers } from './open.js'

/**
 * @import { TestContext } from 'node:test'
 * @import { BrowserContextOptions, Page } from 'playwright-core'
 * @import { Opened as OpenWindow } from '../web/chromium.js'
 * @import { Opened } from './open.js'
 *
 * @typedef {(options?: BrowserContextOptions) => Promise<OpenWindow>} Open
 * @typedef {(t: TestContext, open: Open) => Promise<void>} Scene
 */

const evil = '<img src=x onerror=alert(1)>'
const { lesson } = report().record
const link = (/** @type {{ url: string, secret: string }} */ { url, secret }) => `${url}class#${secret}`
const rowOf = (/** @type {Page} */ page, /** @type {string} */ name) => page.locator('#seats tr', { hasText: name })
const desk = { viewport: { width: 1280, height: 900 } }

/** @type {Record<string, Scene>} */
const scenes = {
  'instructor, wall and a learner at once: a message, a lock, a solution, the lobby, a new code': classAtWork,
  'a hand, a message to one learner and a break, on a lesson’s page': handAndBreak,
  'a seat is renamed and removed; names run nothing; files': seatsAndFiles,
  'the server starts again in mid-class: the pages come back by themselves': restart,
  'every page, light and dark, from a phone’s width: no fault, none that axe knows, nothing cut': everyPage
}

for (const [name, scene] of Object.entries(scenes)) {
  test(name, { skip }, async (t) => scene(t, await openBrowser(t)))
}

/** @type {Scene} */
async function classAtWork (t, open) {
  const room = await openTestRoom(t)
  const { page, faults } = await open(desk)
  await page.goto(link(room))
  await page.getByText('No one is here yet').waitFor()
  assert.doesNotMatch(page.url(), /#/)
  const wall = await open({ viewport: { width: 1920, height: 1080 } })
  await wall.page.goto(`${room.url}${room.code}/projector`)
  const web = await openWeb(t, await makeRepository(t))
  const learner = await open(web.signedIn)
  await joinAsGrace(learner.page, web.url, `${room.url}${room.code}`)
  await arrive(room)
  await rowOf(page, 'Linus').getByText(/Lesson 3, 3 times/).waitFor()
  await page.getByText('3 learners').waitFor()
  assert.match(String(await page.locator('#seats tr').first().textContent()), /Linus/)
  assert.match(String(await rowOf(page, 'Ada').locator('td.pass').textContent()), /✓ 6\.1×/)
  await page.getByRole('radio', { name: 'stuck' }).check()
  assert.equal(await page.locator('#seats tr:visible').count(), 1)
  await page.getByRole('radio', { name: 'all' }).check()

  await page.getByRole('textbox', { name: 'Message' }).fill('Look at `this`')
  await page.getByRole('button', { name: 'Send' }).click()
  await page.getByRole('button', { name: 'Lock lesson 12' }).click()
  await page.getByRole('button', { name: 'Show to all… lesson 1', exact: true }).click()
  await page.getByRole('button', { name: 'No, leave it' }).click()
  await page.getByRole('button', { name: 'Show to all… lesson 3' }).press('Enter')
  await page.getByRole('button', { name: 'Show it to all' }).click()
  await page.getByRole('button', { name: 'Close the lobby' }).click()
  await page.getByText('the lobby is closed').waitFor()
  await page.getByRole('button', { name: 'Hide again lesson 3' }).waitFor()
  assert.equal(await page.getByRole('button', { name: /Hide again/ }).count(), 1)

  await wall.page.getByText('Look at this').waitFor()
  await wall.page.getByText('3 learners. The lobby is closed.').waitFor()
  assert.match(String(await wall.page.locator('.bars').textContent()), /not open yet/)
  assert.doesNotMatch(await wall.page.content(), /Ada|Linus|Grace/)

  // Sooner than its next look.
  await learner.page.reload()
  await learner.page.getByText(/The instructor says \(\d\d:\d\d\): Look at this/).waitFor()
  await learner.page.getByText('not opened by the instructor yet').waitFor()
  await learner.page.getByRole('link', { name: 'now for all: the solution' }).waitFor()
  await learner.page.getByText('Leave this room').click()
  await learner.page.getByRole('button', { name: /^Leave, and delete/ }).click()
  await learner.page.getByText('Join a class').waitFor()
  await page.getByText('2 learners').waitFor()
  assert.deepEqual([...faults, ...wall.faults, ...learner.faults], [])

  await changeCode(page, room.code)
  await wall.page.getByText('The instructor has changed the join code').waitFor()
}

/** One has passed, one is stuck. @param {Opened} room */
async function arrive (room) {
  const [{ token: ada }, { token: linus }] = await Promise.all([room.join('Ada'), room.join('Linus')])
  await room.ask('POST', '/api/seat/reports', report(), ada)
  for (let at = 0; at < 3; at++) {
    await room.ask('POST', '/api/seat/reports', report({ ...failed(), lesson }), linus)
  }
}

/** @param {Page} page @param {string} url of the workshop @param {string} address of the room */
async function joinAsGrace (page, url, address) {
  await page.goto(url)
  await page.getByText('Join a class').click()
  await page.getByLabel(/^Address/).fill(address)
  await page.getByLabel(/^Your name/).fill('Grace')
  await page.getByText(/Your source code is not sent/).waitFor()
  await page.getByRole('button', { name: 'Join' }).click()
  await page.getByText(/You are in the room at .* as Grace, not on the board/).waitFor()
  assert.deepEqual(await violationsIn(page), [])
}

/** @param {Page} page @param {string} code the one that's no longer valid then */
async function changeCode (page, code) {
  await page.getByRole('button', { name: 'New code…' }).click()
  await page.getByRole('button', { name: 'Use a new code' }).click()
  await page.locator(`#code:not(:text("${code}"))`).waitFor()
  assert.match(String(await page.getByRole('link', { name: 'Projector' }).getAttribute('href')),
    new RegExp(`^/${await page.locator('#code').textContent()}/projector`))
}

/** @type {Scene} */
async function handAndBreak (t, open) {
  const room = await openTestRoom(t)
  const root = await makeRepository(t)
  for (const name of ['README.md', 'hints.md']) {
    fs.writeFileSync(path.join(root, 'lessons', '03-in-memory-json', name), '## 1\n\nA text.')
  }
  const web = await openWeb(t, root)
  await web.ask('POST', '/api/class/join', { body: { address: `${room.url}${room.code}`, name: 'Grace' } })
  await room.join('Ada')
  await room.ask('PATCH', '/api/class', { current: { lesson: lesson.id, minutes: 40 } }, room.secret)
  const learner = await open(web.signedIn)
  await learner.page.goto(`${web.url}lessons/in-memory-json`)
  const { page, faults } = await open(desk)
  await page.goto(link(room))
  await rowOf(page, 'Grace').getByText('reading lesson 3').waitFor()
  await learner.page.getByRole('spinbutton', { name: /^By what factor/ }).fill('4.5')
  await learner.page.getByRole('button', { name: 'Send to the room' }).click()
  await learner.page.getByRole('button', { name: 'Change it' }).waitFor()
  await learner.page.getByRole('button', { name: 'Raise my hand' }).press('Enter')
  await learner.page.getByText('Your hand is up.').waitFor()
  // Whoever works with keys stays where they were.
  assert.equal(await learner.page.evaluate(() => document.activeElement?.id), 'hand')
  await page.getByRole('listitem').filter({ hasText: 'Grace, lesson 3, for under 1 min' }).waitFor()
  await page.getByRole('combobox', { name: 'To' }).selectOption('Grace')
  await page.getByRole('textbox', { name: 'Message' }).fill('I am coming')
  await page.getByRole('button', { name: 'Send' }).click()
  await page.getByText(/to Grace, until \d\d:\d\d: I am coming/).waitFor()
  await page.getByRole('combobox', { name: 'Now' }).selectOption('Break')
  await page.getByRole('textbox', { name: 'What to call the break' }).fill('Lunch')
  await page.getByRole('button', { name: 'Begin' }).click()
  await page.getByRole('button', { name: 'End the break' }).waitFor()
  assert.deepEqual(await violationsIn(page), [])
  await page.getByRole('button', { name: 'Lower' }).click()
  await page.getByRole('heading', { name: 'Hands' }).waitFor({ state: 'hidden' })
  await learner.page.reload()
  await learner.page.getByText(/The instructor says \(\d\d:\d\d\): I am coming/).waitFor()
  await learner.page.getByText(/Lunch until \d\d:\d\d/).waitFor()
  await learner.page.getByRole('button', { name: 'Raise my hand' }).waitFor()
  assert.deepEqual(await violationsIn(learner.page), [])
  await page.getByRole('button', { name: 'Clear' }).click()
  await page.getByRole('button', { name: 'Send again' }).waitFor()
  assert.deepEqual([...faults, ...learner.faults], [])
}

/** @type {Scene} */
async function seatsAndFiles (t, open) {
  const room = await openTestRoom(t)
  const { token } = await room.join(evil, { nickname: evil, board: true })
  await room.ask('POST', '/api/seat/reports', report({ ...failed(), lesson: { ...lesson, title: evil } }), token)
  const { page, faults } = await open()
  await page.goto(`${room.url}class`)
  await page.getByText('Only the instructor can see this').waitFor()
  assert.ok(await page.locator('#room').isHidden())
  // The link in the same tab.
  await page.goto(link(room))
  await page.getByText('the only one who has tried').waitFor()
  const dialog = page.getByRole('dialog')
  await room.ask('POST', '/api/seat/reports', report({ startedAt: '2026-12-01T10:00:00.000Z' }), token)
  await page.getByText('Nothing is failing right now.').waitFor()

  await page.getByRole('button', { name: evil }).click()
  await dialog.getByText('2 checks, the newest first').click()
  assert.equal(await page.getByRole('group', { name: 'Checks' }).locator('tbody tr').count(), 2)
  assert.deepEqual(await violationsIn(page), [])
  await page.getByRole('textbox', { name: 'Name', exact: true }).last().fill('Ada')
  await page.getByRole('button', { name: 'Rename' }).click()
  await page.getByRole('button', { name: 'Ada' }).click()
  await page.getByRole('button', { name: /^Remove this seat/ }).click()
  await page.getByText(/This deletes the name, the nickname and all 2 reports of this seat/).waitFor()
  assert.deepEqual(await violationsIn(page), [])
  await page.getByRole('button', { name: 'Remove it for good' }).click()
  await page.getByText('No one is here yet').waitFor()
  assert.equal((await room.ask('GET', '/api/seat', undefined, token)).status, 410)
  assert.equal(faults.length, 1, 'the refusal of the page without the secret')

  await importFiles(page)
  const [download] = await Promise.all([
    page.waitForEvent('download'), page.getByRole('button', { name: /CSV/ }).click()
  ])
  assert.match(download.suggestedFilename(), /^class-[\d-]{10}\.csv$/)
}

/** One that `npm run export` wrote, and another. @param {Page} page */
async function importFiles (page) {
  const { id, record } = report()
  const reports = [{ id, record }]
  const file = { format: 'make-it-fast-export', version: 1, key: 'a'.repeat(64), name: 'Ada', reports }
  const files = { 'ada.json': JSON.stringify(file), 'other.json': '{' }
  await page.locator('#import').setInputFiles(Object.entries(files).map(([name, text]) =>
    ({ name, mimeType: 'application/json', buffer: Buffer.from(text) })))
  await page.getByText('ada.json: 1 new check of Ada, 0 known before.').waitFor()
  await page.getByText(/other\.json: This file wasn’t written by the workshop/).waitFor()
  await rowOf(page, 'Ada').waitFor()
}

/** @type {Scene} */
async function restart (t, open) {
  const root = await makeRepository(t)
  const first = await openTestRoom(t, { env: envFor(root), dir: `${root}/class` })
  await first.join('Ada')
  const [{ page }, wall] = [await open(), await open()]
  await page.goto(link(first))
  await wall.page.goto(`${first.url}${first.code}/projector`)
  await page.getByText('1 learner', { exact: true }).waitFor()
  await first.close()
  for (const one of [page, wall.page]) await one.getByText('The room doesn’t answer').waitFor()
  await page.getByRole('button', { name: 'Close the lobby' }).click()
  await page.getByText('nothing was changed').waitFor()
  const second = await openTestRoom(t, { env: envFor(root), dir: first.dir })
  assert.equal(second.url, first.url)
  await second.join('Grace')
  for (const one of [page, wall.page]) {
    await one.getByText('2 learners', { exact: true }).waitFor()
    await one.getByText('The room doesn’t answer').waitFor({ state: 'hidden' })
  }
}

/** @type {Scene} */
async function everyPage (t, open) {
  const root = await makeRepository(t, { 'lessons/03-in-memory-json/lesson.js': withTiers })
  const room = await openTestRoom(t, { env: envFor(root), dir: `${root}/class` })
  for (const [at, name] of ['Ada', 'Grace', 'Linus'].entries()) {
    const { token } = await room.join(name, { nickname: `${'moth'.repeat(8)} ${at}`, board: at > 0 })
    /** @type {ReturnType<typeof gate>['tiers']} */
    const tiers = [{ name: 'bronze', target: 2, verdict: 'pass' }, { name: 'silver', target: 4, verdict: 'pass' }]
    await room.ask('POST', '/api/seat/reports', report({ gates: [gate({ limit: 4000, tiers })] }), token)
    await room.ask('POST', '/api/seat/reports', report({ ...failed(), lesson: { ...lesson, id: 'overload' } }), token)
    await room.ask('PUT', '/api/seat/prediction', { lesson: 'overload', ratio: 2 + at }, token)
  }
  await room.ask('PATCH', '/api/class', { current: { lesson: 'overload', minutes: 40 } }, room.secret)
  const { page, faults } = await open(desk)
  for (const [place, seen] of [
    [`class#${room.secret}`, '#seats tr'],
    [`${room.code}`, '#command'],
    [`${room.code}/projector`, '.dots circle'],
    [`${room.code}/board`, '.board li']
  ]) {
    await page.goto(room.url + place)
    for (const [colorScheme, width] of /** @type {const} */ ([['light', 1280], ['dark', 360]])) {
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize({ width, height: 800 })
      await page.locator(seen).first().waitFor()
      assert.deepEqual(await violationsIn(page), [], `${place}, ${colorScheme}`)
      assert.ok(await overflowOf(page) <= 0, `${place} is wider than ${width} pixels`)
    }
  }
  assert.deepEqual(await page.locator('.board .rank').allTextContents(), ['1 =, shared', '1 =, shared'])
  assert.doesNotMatch(await page.content(), /Ada/)
  assert.deepEqual(faults, [])
}
