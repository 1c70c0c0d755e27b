import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import test from 'node:test'
import { makeRepository } from '../lesson/fixture.js'
import { openTestRoom } from '../room/open.js'
import { signOf } from '../../runner/web/seat-state.js'
import { openBrowser, skip, violationsIn } from './chromium.js'
import { openWeb } from './open.js'

test('a class is joined, followed and left; a check’s seat is the same as that of the command line', async (t) => {
  const room = await openTestRoom(t)
  const { ask, env, listen } = await openWeb(t, await makeRepository(t))
  const post = (/** @type {string} */ act, /** @type {unknown} */ body) => ask('POST', `/api/class/${act}`, { body })
  const state = async () => (await ask('GET', '/api/state')).json().classroom
  const given = { address: ` ${room.url}${room.code} `, name: 'Ada', nickname: 'moth', board: true }
  assert.equal((await post('join', given)).status, 200)
  const { seat, room: said } = await state()
  assert.deepEqual(seat, { url: room.url, code: room.code, name: 'Ada', nickname: 'moth', board: true })
  assert.deepEqual(said.messages, [])
  assert.ok(fs.existsSync(path.join(String(env.MAKE_IT_FAST_WORKSPACE), 'room.json')))
  assert.match((await post('join', given)).json().error, /`npm run leave` comes first/)

  const heard = await listen()
  await room.ask('POST', '/api/class/messages', { text: 'A word', to: [1] }, room.secret)
  await room.ask('PATCH', '/api/class', { locked: ['overload'] }, room.secret)
  await post('ask', {})
  await heard.until('messages', /A word/)
  assert.match((await ask('GET', '/')).text, /A word[^]*not opened by the instructor yet/)

  assert.equal((await post('leave', {})).status, 200)
  assert.equal((await state()).seat, null)
  const { seats } = (await room.ask('GET', '/api/class', undefined, room.secret)).json
  assert.deepEqual(seats, [])
})

test('every page says what the room says, tells it what the learner does, and raises their hand', async (t) => {
  const room = await openTestRoom(t)
  const { ask } = await openWeb(t, await withTexts(t))
  const post = async (/** @type {string} */ act, /** @type {unknown} */ body) =>
    (await ask('POST', `/api/class/${act}`, { body })).json()
  const parts = async (/** @type {string} */ act, /** @type {unknown} */ body) => (await post(act, body)).parts
  const view = async () => (await room.ask('GET', '/api/class', undefined, room.secret)).json
  const slug = 'in-memory-json'
  assert.deepEqual(await parts('ask', { lesson: slug }), { messages: '', room: '', factor: '' })
  await post('join', { address: `${room.url}${room.code}`, name: 'Ada' })
  await room.ask('POST', '/api/class/messages', { text: 'Look at `this`' }, room.secret)
  await room.ask('PATCH', '/api/class', {
    current: { lesson: slug, minutes: 40 }, timer: { text: 'Break', minutes: 20 }, revealed: [slug]
  }, room.secret)
  const said = await parts('ask', { lesson: slug })
  assert.match(said.messages, /says<\/strong> \(\d\d:\d\d\): Look at <code>this<\/code>/)
  assert.match(said.room, /Break until \d\d:\d\d[^]*lesson 3<\/a> · 40 of 40[^]*the solution[^]*Raise my/)
  assert.deepEqual((await view()).seats[0].presence, { state: 'reading', lesson: slug, minutes: 0 })
  const places = ['/', `/lessons/${slug}`, `/lessons/${slug}/profile`, `/lessons/${slug}/diff`, '/docs/glossary']
  for (const place of places) {
    const { text } = await ask('GET', place)
    assert.match(text, /The instructor says[^]*40 of 40 min left/, place)
    assert.equal(/Now for all: the solution/.test(text), place.includes(slug), place)
  }
  assert.match(said.factor, /beat the slow server in “rate”[^]*Send to the room/)
  assert.equal((await parts('ask', { lesson: '' })).factor, '', 'only on its own page')
  assert.match((await parts('predict', { lesson: slug, ratio: 4.5 })).factor, /value="4.5"[^]*Change it/)
  assert.match((await post('predict', { lesson: slug })).error, /a factor from 0\.1 to 1000\.$/)
  assert.match((await parts('hand', { isUp: true, lesson: slug })).room, /Your hand is up\.[^]*Lower it/)
  assert.deepEqual((await view()).hands, [{ seat: 1, lesson: slug, minutes: 0 }])
  await room.ask('DELETE', '/api/class/seats/1/hand', undefined, room.secret)
  assert.match((await parts('ask', { lesson: slug })).room, /Raise my hand/)
  assert.match((await post('ask', { lesson: 5 })).error, /^A lesson is named/)
})

test('a lesson’s page shows which files it would submit, and sends these and no others', { skip }, async (t) => {
  const room = await openTestRoom(t)
  const web = await openWeb(t, await withTexts(t))
  const slug = 'in-memory-json'
  assert.doesNotMatch((await web.ask('GET', `/lessons/${slug}`)).text, /panel-submit/)
  await web.ask('POST', '/api/class/join', { body: { address: `${room.url}${room.code}`, name: 'Ada' } })
  const submitted = async () => (await room.ask('GET', '/api/class', undefined, room.secret)).json.seats[0].submissions
  const { page, faults } = await (await openBrowser(t))(web.signedIn)
  await page.goto(`${web.url}lessons/${slug}`)
  await page.getByText('Submit to the class').click()
  await page.getByRole('button', { name: 'Show my files' }).click()
  const send = page.getByRole('button', { name: 'Submit them' })
  await send.waitFor()
  assert.match(String(await page.locator('#to-submit').textContent()), /lib\/data\.js, 1 kB.*server\.js, 1 kB/)
  assert.deepEqual(await violationsIn(page), [])
  const copy = path.join(String(web.env.MAKE_IT_FAST_WORKSPACE), '03-in-memory-json', 'server.js')
  fs.appendFileSync(copy, '// changed since\n')
  await send.click()
  await page.getByText(/have changed since they were listed, and nothing was sent/).waitFor()
  assert.deepEqual(await submitted(), [])
  await page.getByRole('button', { name: 'Submit them' }).click()
  await page.getByText(/^Submitted\. It’s the next to be graded/).waitFor()
  const [{ id }] = await submitted()
  const { files } = (await room.ask('GET', `/api/class/submissions/${id}`, undefined, room.secret)).json
  assert.equal(files.find((/** @type {any} */ file) => file.path === 'server.js').text, fs.readFileSync(copy, 'utf8'))
  const forged = await web.ask('POST', `/api/lessons/${slug}/submission`, { headers: { 'X-Token': 'wrong' }, body: {} })
  assert.equal(forged.status, 403)
  assert.deepEqual(faults, [])
})

test('what a learner does is what the last job says, else they read', () => {
  const since = Date.UTC(2026, 0, 31, 9)
  const page = { lesson: 'a', since }
  const job = (/** @type {any} */ differences) => signOf({
    id: '1',
    kind: 'check',
    lesson: 'b',
    state: 'running',
    startedAt: new Date(since - 60_000).toISOString(),
    message: '',
    elsewhere: false,
    ...differences
  }, page)
  assert.deepEqual(signOf(null, page), { lesson: 'a', state: 'reading' })
  assert.deepEqual(job({}), { lesson: 'b', state: 'checking' })
  assert.deepEqual(job({ kind: 'preview' }), { lesson: 'b', state: 'looking' })
  assert.deepEqual(job({ state: 'done' }), { lesson: 'a', state: 'reading' })
  const startedAt = new Date(since + 1).toISOString()
  assert.deepEqual(job({ state: 'done', startedAt }), { lesson: 'b', state: 'looking' })
})

test('a seat changes, follows the room’s name for it, and once removed is not shown as one', async (t) => {
  const room = await openTestRoom(t)
  const { ask } = await openWeb(t, await makeRepository(t))
  const post = (/** @type {string} */ act, /** @type {unknown} */ body) => ask('POST', `/api/class/${act}`, { body })
  await post('join', { address: `${room.url}${room.code}`, name: 'Ada' })
  assert.equal((await post('change', { nickname: 'moth', board: true })).status, 200)
  await room.ask('PATCH', '/api/class/seats/1', { name: 'Grace' }, room.secret)
  await post('ask', {})
  assert.match((await ask('GET', '/')).text, /as <strong>Grace<\/strong>, on the board as moth/)
  await room.ask('DELETE', '/api/class/seats/1', undefined, room.secret)
  await post('ask', {})
  const { text } = await ask('GET', '/')
  assert.match(text, /The instructor has removed your seat[^]*Forget this room/)
  assert.doesNotMatch(text, /You are in the room/)
})

test('what makes no sense is answered with a sentence, and a room that is gone can be forgotten', async (t) => {
  const room = await openTestRoom(t, { guesses: { waitMs: 1, most: 10 } })
  const { ask, url } = await openWeb(t, await makeRepository(t))
  const address = `${room.url}${room.code}`
  for (const [act, body, sentence] of /** @type {const} */ ([
    ['join', {}, /takes an address and a name/],
    ['join', { address: 'x', name: 'Ada' }, /isn’t the address of a room/],
    ['join', { address: `${room.url}aaaa-bbbb`, name: 'Ada' }, /not the join code/],
    ['join', { address, name: ' ' }, /a letter or a digit/],
    ['join', { address: `${url}code`, name: 'Ada' }, /.+\.$/],
    ['bow', {}, /no such page/]
  ])) {
    const { status, json } = await ask('POST', `/api/class/${act}`, { body })
    assert.ok(status >= 400 && status < 500, `${act}: ${status}`)
    assert.match(json().error, sentence)
  }
  await ask('POST', '/api/class/join', { body: { address, name: 'Ada' } })
  await room.close()
  await ask('POST', '/api/class/ask', { body: {} })
  assert.match((await ask('GET', '/')).text, /doesn’t answer: are you on its network/)
  assert.match((await ask('POST', '/api/class/leave', { body: {} })).json().error, /It still has your data/)
  assert.equal((await ask('POST', '/api/class/leave', { body: { forget: true } })).status, 200)
  assert.match((await ask('GET', '/')).text, /Join a class/)
})

/** A repository whose lesson has a page. @param {import('node:test').TestContext} t */
async function withTexts (t) {
  const text = '## 1\n\nA text.'
  const folder = 'lessons/03-in-memory-json'
  return makeRepository(t, { [`${folder}/README.md`]: text, [`${folder}/hints.md`]: text })
}
