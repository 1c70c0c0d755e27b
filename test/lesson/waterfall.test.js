import assert from 'node:assert/strict'
import { once } from 'node:events'
import http from 'node:http'
import { after, mock, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { rowsOf } from '../../lessons/14-waterfall/waterfall.mjs'

/** @type {string[]} what it printed: the rows of a page at a time */
const drawn = []
mock.method(console, 'log', (/** @type {string} */ text) => drawn.push(text))

test('a row has dots while its call waits for a connection, and # until it has ended', () => {
  const made = [
    { path: '/first', madeAt: 100, sentAt: 100, endedAt: 130 },
    { path: '/second', madeAt: 130, sentAt: 140, endedAt: 160 },
    { path: '/open', madeAt: 140, sentAt: 150 },
    { path: '/waiting', madeAt: 150 }
  ]
  assert.deepEqual(rowsOf(made, 100, 160), [
    `${'#'.repeat(30)} /first`,
    `${' '.repeat(30)}${'.'.repeat(10)}${'#'.repeat(20)} /second`,
    `${' '.repeat(40)}${'.'.repeat(10)}${'#'.repeat(10)} /open`,
    `${' '.repeat(50)}${'.'.repeat(10)} /waiting`
  ])
})

test('the calls of a page are in its own waterfall, made with http or with fetch', { timeout: 20_000 }, async () => {
  const service = await serve((req, res) => res.end('of a service'))
  const agent = new http.Agent({ maxSockets: 1 })
  const call = (/** @type {string} */ path) => new Promise((resolve, reject) => {
    http.get(`${service}${path}`, { agent }, (res) => res.resume().once('end', resolve)).on('error', reject)
  })
  const page = await serve(async ({ url }, res) => {
    const name = url?.slice(1)
    await Promise.all([call(`/a-${name}`), call(`/b-${name}`)])
    await (await fetch(`${service}/c-${name}`)).text()
    res.end()
  })
  await Promise.all(['1', '2'].map(async (name) => (await fetch(`${page}/${name}`)).text()))
  // A page is drawn when its response has closed, which its client doesn't see.
  while (drawn.filter((text) => /^\/\d took/.test(text)).length < 2) await sleep(5)
  for (const name of ['1', '2']) {
    const [head, ...rows] = drawn.find((text) => text.startsWith(`/${name} took `))?.split('\n') ?? []
    assert.match(head, /^\/\d took \d+ ms$/)
    assert.deepEqual(rows.map((row) => row.replace(/^[ .#]*/, '')), ['a', 'b', 'c'].map((kind) => `/${kind}-${name}`))
  }
})

/** @param {http.RequestListener} respond @returns {Promise<string>} its origin */
async function serve (respond) {
  const server = http.createServer(respond).listen(0, '127.0.0.1')
  after(() => server.close())
  await once(server, 'listening')
  return `http://127.0.0.1:${/** @type {import('node:net').AddressInfo} */ (server.address()).port}`
}
