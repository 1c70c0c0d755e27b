import assert from 'node:assert/strict'
import http from 'node:http'
import test from 'node:test'
import { listen } from '../../runner/http/index.js'
import { openBrowser, skip } from './chromium.js'
import { openWeb } from './open.js'

test('a page of another port of this machine gets nothing, and changes nothing', { skip }, async (t) => {
  const { url, ask, signedIn } = await openWeb(t)
  const stranger = http.createServer((req, res) => res.setHeader('Content-Type', 'text/html').end('<h1>Evil</h1>'))
  t.after(() => stranger.close())
  const port = await listen(stranger, 0, '127.0.0.1')
  const open = await openBrowser(t)
  const { page } = await open(signedIn)
  await page.goto(`http://127.0.0.1:${port}/`)

  const seen = await page.evaluate(async (url) => {
    const hint = `${url}api/lessons/mini/hint`
    const post = (/** @type {RequestInit} */ options) => fetch(hint, { method: 'POST', ...options })
      .then(({ type, status }) => `${type} ${status}`, () => 'refused')
    const source = new EventSource(`${url}api/events`)
    const heard = await new Promise((resolve) => {
      source.onopen = () => resolve('open')
      source.onerror = () => resolve('refused')
    })
    source.close()
    const frame = document.createElement('iframe')
    await new Promise((resolve) => {
      frame.onload = resolve
      frame.src = url
      document.body.append(frame)
    })
    return {
      withoutToken: await post({}),
      withGuess: await post({ headers: { 'X-Token': 'guess' } }),
      blind: await post({ mode: 'no-cors' }),
      read: await fetch(url).then(() => 'read', () => 'refused'),
      heard
    }
  }, url)
  const refused = { withoutToken: 'refused', withGuess: 'refused', read: 'refused', heard: 'refused' }
  assert.deepEqual(seen, { ...refused, blind: seen.blind })
  assert.match(seen.blind, /^(opaque 0|refused)$/)
  assert.equal(page.frames().length, 2)
  assert.doesNotMatch(await page.frames()[1].content(), /name="token"/)

  await page.setContent(`<form method="post" action="${url}api/lessons/mini/hint"><button>Go</button></form>`)
  const answer = page.waitForResponse((response) => response.request().method() === 'POST')
  await page.getByRole('button').click()
  assert.equal((await answer).status(), 403)
  assert.equal((await ask('GET', '/api/lessons/mini')).json().hints.shown, 0)
})

test('a name that comes to mean this machine opens nothing', { skip }, async (t) => {
  const { url } = await openWeb(t)
  const { page } = await (await openBrowser(t, ['--host-resolver-rules=MAP evil.example 127.0.0.1']))()
  const answer = await page.goto(url.replace('127.0.0.1', 'evil.example'))
  assert.equal(answer?.status(), 403)
  assert.match(await page.content(), /isn’t available under that name/)
  assert.equal(await page.locator('meta[name=token]').getAttribute('content'), '')
})
