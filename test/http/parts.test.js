import assert from 'node:assert/strict'
import { once } from 'node:events'
import http from 'node:http'
import test from 'node:test'
import express from 'express'
import {
  answerRest, assetRoutes, createPartStream, createShare, frame, listen, jsonBody, refuse
} from '../../runner/http/index.js'
import { html } from '../../runner/report/index.js'
import { openBrowser, skip } from '../web/chromium.js'

/** @param {import('node:test').TestContext} t @param {http.RequestListener} answer @returns {Promise<string>} */
async function serve (t, answer) {
  const server = http.createServer(answer)
  const port = await listen(server, 0, '127.0.0.1')
  t.after(() => {
    server.close()
    server.closeAllConnections()
  })
  return `http://127.0.0.1:${port}/`
}

/** @param {string} url @returns {Promise<() => Promise<any>>} reads the next event's parts */
async function follow (url) {
  const [res] = await once(http.get(url), 'response')
  const events = res.setEncoding('utf8')[Symbol.asyncIterator]()
  return async () => {
    for (;;) {
      const [, json] = /^data: (.*)$/m.exec((await events.next()).value) ?? []
      if (json !== undefined) return JSON.parse(json)
    }
  }
}

test('a newcomer gets all parts, and everyone those that have changed since', async (t) => {
  const parts = { title: html`<b>1</b>`, rows: 'a' }
  /** @type {unknown[]} */
  const faults = []
  let isBroken = false
  const read = () => {
    if (isBroken) throw new Error('broken')
    return { ...parts }
  }
  const stream = createPartStream(read, {
    share: createShare({ most: 2, perAddress: 2 }), onFault: (error) => faults.push(error)
  })
  t.after(stream.close)
  const url = await serve(t, (req, res) => { stream.join(res).catch(({ status }) => res.writeHead(status).end()) })
  const first = await follow(url)
  assert.deepEqual(await first(), { title: '<b>1</b>', rows: 'a' })
  parts.rows = 'b'
  stream.invalidate()
  assert.deepEqual(await first(), { rows: 'b' })
  const { version } = await stream.now()
  stream.invalidate()
  assert.equal((await stream.now()).version, version, 'nothing has changed')
  const second = await follow(url)
  assert.deepEqual(await second(), { title: '<b>1</b>', rows: 'b' })
  assert.equal((await fetch(url)).status, 429)
  isBroken = true
  stream.invalidate()
  await assert.rejects(stream.now(), /broken/)
  isBroken = false
  Reflect.deleteProperty(parts, 'title')
  stream.invalidate()
  assert.deepEqual(await Promise.all([first(), second()]), [{ title: '' }, { title: '' }])
})

const script = `
import { followPage } from '/static/runner/http/browser.js'
followPage({ headers: { 'X-Token': 'secret' }, silence: 'Silence.', lost: 'Lost.' })
`

function createApp () {
  const app = express()
  const state = { count: 0, name: 'Ada', rows: ['1', '2'] }
  /** @type {any[]} */
  const asked = []
  const read = () => ({
    count: html`<p>${state.count}</p><button id="more" data-ask="POST /api/more" data-body='{"by":2}'>More</button>`,
    name: html`<form data-ask="PUT /api/name"><input name="name" aria-label="Name" value="${state.name}">
<label><input type="checkbox" name="isBig" checked> Big</label><button>Save</button><p data-said></p></form>`,
    rows: html`${state.rows.map((row) => html`<li data-key="${row}">${row}</li>`)}`
  })
  const stream = createPartStream(read, { share: createShare({ most: 9, perAddress: 9 }) })
  app.use(assetRoutes('runner/web'))
  app.get('/script.js', (req, res) => res.type('js').send(script))
  app.get('/', (req, res) => res.send(frame({
    title: 'Parts',
    parts: '/api/parts',
    scripts: ['/script.js'],
    main: html`<section><h1>Parts</h1><div data-part="count"></div><div data-part="name"></div>
<ul data-part="rows"></ul><button data-ask="DELETE /api/rows" data-sure="Remove all? | They are gone then. | Remove
them">Remove…</button><button data-open="/api/one">Open</button><p data-said id="outside"></p></section>`
  })))
  const takeDown = (/** @type {any} */ req, /** @type {unknown} */ _res, /** @type {() => void} */ next) => {
    if (req.get('X-Token') !== 'secret') throw refuse(403, 'No.')
    if (req.method !== 'GET') asked.push([req.method, req.path, req.body])
    next()
  }
  app.use('/api', ...jsonBody('1kb'), takeDown)
  app.get('/api/parts', (req, res) => stream.join(res))
  app.get('/api/one', (req, res) => res.send(`<h2 id="dialog-title">${state.count}</h2>`))
  app.post('/api/more', (req, res) => {
    state.count += req.body.by
    stream.invalidate()
    res.json({ said: 'It’s `more`.' })
  })
  app.put('/api/name', (req, res, next) => {
    next(Object.assign(refuse(400, `Not ${req.body.name}.`), { field: 'name' }))
  })
  app.delete('/api/rows', (req, res) => {
    state.rows = ['2', '3']
    stream.invalidate()
    res.json({})
  })
  app.use(...answerRest({}, { missing: 'Nothing.', home: '/' }))
  return { app, state, asked, stream }
}

test('a page shows its parts, asks for what its buttons and forms say, and keeps what someone types', { skip },
  async (t) => {
    const { app, state, asked, stream } = createApp()
    t.after(stream.close)
    const url = await serve(t, app)
    const { page, faults } = await (await openBrowser(t))()
    page.setDefaultTimeout(30_000)
    await page.goto(url)
    await page.getByRole('button', { name: 'More' }).press('Enter')
    await page.getByText('2', { exact: true }).first().waitFor()
    await page.locator('#outside code').waitFor()
    assert.equal(await page.evaluate(() => document.activeElement?.id), 'more')

    const name = page.getByRole('textbox', { name: 'Name' })
    await name.fill('Eve')
    state.name = 'Grace'
    stream.invalidate()
    await name.press('Enter')
    await page.getByText('Not Eve.').waitFor()
    assert.equal(await name.getAttribute('aria-invalid'), 'true')
    assert.equal(await name.inputValue(), 'Eve', 'it waits')
    await page.getByRole('button', { name: 'Open' }).hover()
    await page.mouse.down()
    await page.evaluate(() => new Promise((resolve) => setTimeout(() => setTimeout(resolve))))
    assert.equal(await name.inputValue(), 'Eve', 'what is pressed stays in its place')
    await page.mouse.up()
    await page.getByRole('dialog', { name: '2' }).waitFor()
    assert.equal(await name.inputValue(), 'Grace')
    await page.getByRole('button', { name: 'Close' }).click()

    await page.getByRole('listitem').last().evaluate((row) => Object.assign(row, { isSame: true }))
    await page.getByRole('button', { name: 'Remove…' }).click()
    await page.getByRole('button', { name: 'No, leave it' }).click()
    await page.getByRole('button', { name: 'Remove…' }).click()
    await page.getByRole('button', { name: 'Remove them' }).click()
    await page.getByText('3', { exact: true }).waitFor()
    assert.deepEqual(await page.getByRole('listitem').allTextContents(), ['2', '3'])
    assert.ok(await page.getByRole('listitem').first().evaluate((/** @type {any} */ row) => row.isSame))
    assert.deepEqual(asked, [
      ['POST', '/more', { by: 2 }], ['PUT', '/name', { name: 'Eve', isBig: true }], ['DELETE', '/rows', {}]
    ])
    assert.deepEqual(faults.filter((fault) => !fault.includes('400')), [])
  })
