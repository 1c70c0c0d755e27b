import assert from 'node:assert/strict'
import http from 'node:http'
import http2 from 'node:http2'
import test from 'node:test'
import tls from 'node:tls'
import { aroundLoad } from '../../compare/ask-both.js'

/** @param {test.TestContext} t @param {import('node:net').Server} server @param {'baseline' | 'yours'} role */
async function handleOf (t, server, role) {
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(null)))
  t.after(() => server.close())
  const { port } = /** @type {any} */ (server.address())
  let end = /** @type {string | null} */ (null)
  /** @type {any} */
  const handle = { role, port, origin: `http://127.0.0.1:${port}`, howItEnded: () => end }
  handle.exited = new Promise((resolve) => {
    handle.end = () => {
      end = 'ended with exit code 1'
      resolve(null)
    }
  })
  return handle
}

const load = { requests: [{ path: '/a' }], before: [{ path: '/login' }] }
const fine = () => http.createServer((_, res) => res.end('x'))

/** @param {any} baseline @param {any} yours */
function around (baseline, yours) {
  const { prepare, testSoaked } = aroundLoad({ load, ignore: [], seed: 's' }, ['old', 'new'])
  return { prepare: () => prepare({ baseline, yours }), testSoaked }
}

for (const [phase, dying, last] of [['prepared', '/login', '/login'], ['compared', '/a', '/a']]) {
  for (const [role, found] of /** @type {const} */ ([
    ['baseline', { baselineFailures: [`it ended with exit code 1 after GET ${last}`] }],
    ['yours', { crash: `Your server ended with exit code 1 after GET ${last}.` }]
  ])) {
    test(`${role} that dies while it’s ${phase} is told to have`, async (t) => {
      const bad = await handleOf(t, http.createServer((req, res) => {
        if (req.url !== dying) return res.end('x')
        req.socket.destroy()
        setImmediate(() => bad.end())
      }), role)
      const good = await handleOf(t, fine(), role === 'yours' ? 'baseline' : 'yours')
      const { prepare } = role === 'yours' ? around(good, bad) : around(bad, good)
      assert.deepEqual((await prepare()).found, found)
    })
  }
}

test('the other that dies after the load is told to have', async (t) => {
  let isOver = false
  const good = await handleOf(t, fine(), 'baseline')
  const bad = await handleOf(t, http.createServer((req, res) => {
    if (!isOver) return res.end('x')
    req.socket.destroy()
    setImmediate(() => bad.end())
  }), 'yours')
  const { prepare, testSoaked } = around(good, bad)
  const { found: { contract } } = await prepare()
  assert.equal(contract?.[0].status, 'pass')
  isOver = true
  assert.deepEqual(await testSoaked(), { crash: 'Your server ended with exit code 1 after GET /a.' })
})

for (const [what, server, speech] of /** @type {[string, import('node:net').Server, RegExp][]} */ ([
  ['HTTPS', tls.createServer(), /^old speaks HTTPS: only plain HTTP\/1\.1 is compared/],
  ['HTTP/2 without TLS', http2.createServer(), /^old speaks HTTP\/2 without TLS \(h2c\): only plain/],
  ['nothing that is known', http.createServer((req) => req.socket.destroy()), /^old can’t be prepared: .* closed/]
])) {
  test(`a server that speaks ${what}`, async (t) => {
    const [old, other] = [await handleOf(t, server, 'baseline'), await handleOf(t, fine(), 'yours')]
    await assert.rejects(around(old, other).prepare(), { name: 'WorkshopError', message: speech })
  })
}
