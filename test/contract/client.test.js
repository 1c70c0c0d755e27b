import assert from 'node:assert/strict'
import test from 'node:test'
import { LateError } from '../../runner/contract/answer.js'
import { send, sendInOneGo } from '../../runner/contract/client.js'
import { httpServer, rawServer } from '../load/trap-server.js'

/**
 * @param {{ port: number, close: () => Promise<void> }} server
 * @param {Parameters<typeof send>[1]} request
 * @param {Parameters<typeof send>[2]} [options]
 */
async function ask (server, request = { path: '/x' }, options = undefined) {
  try {
    return await send(`http://127.0.0.1:${server.port}`, request, options)
  } finally {
    await server.close()
  }
}

test('the whole answer is read, with all its headers', async () => {
  const server = await httpServer((req, res) => {
    res.setHeader('Set-Cookie', ['a=1', 'b=2'])
    req.pipe(res)
  })
  const answer = await ask(server, { method: 'POST', path: '/', json: { name: 'Zoë' } })
  assert.deepEqual([answer.status, answer.json(), answer.cookies.length], [200, { name: 'Zoë' }, 2])
})

test('its requests look like those of the load: keep-alive, the same order of headers', async () => {
  /** @type {string[]} */
  let raw = []
  await ask(
    await httpServer((req, res) => { raw = req.rawHeaders; res.end() }),
    { path: '/', headers: { 'If-None-Match': '"1"' } }
  )
  assert.deepEqual(raw.filter((_, i) => i % 2 === 0), ['Host', 'Connection', 'If-None-Match'])
  assert.equal(raw[3], 'keep-alive')
})

for (const [name, answer, message] of /** @type {[string, (socket: any) => void, RegExp][]} */ ([
  ['no answer', () => {}, /GET \/x: no answer within 0\.2 s$/],
  ['a body that never ends', (socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc'),
    /not complete after 0\.2 s/],
  ['a cut body', (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc'), /cut after 3 bytes of 9/],
  ['a closed connection', (socket) => socket.end(), /closed the connection without a complete answer/],
  [
    'interim answers',
    (socket) => socket.write('HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'),
    /sent 1 interim answer \(1xx\)/
  ],
  ['what is no HTTP', (socket) => socket.write('hello\r\n\r\n'), /not valid HTTP/]
])) {
  test(`${name} is refused with a sentence`, async () => {
    await assert.rejects(ask(await rawServer(answer), { path: '/x' }, { timeoutMs: 200 }), message)
  })
}

test('an answer may take as long as it is allowed to when its usual time is over', async () => {
  /** @type {(value?: unknown) => void} */
  let answer = () => {}
  const allowed = new Promise((resolve) => { answer = resolve })
  const server = await httpServer(async (_, res) => {
    await allowed
    res.end('late, and right')
  })
  const allowedMs = async () => {
    answer()
    return 60_000
  }
  assert.equal((await ask(server, { path: '/x' }, { timeoutMs: 1, allowedMs })).text, 'late, and right')
})

test('no answer in time is told apart from a wrong one', async () => {
  const allowedMs = async () => 20
  const server = await rawServer(() => {})
  await assert.rejects(ask(server, { path: '/x' }, { timeoutMs: 1, allowedMs }), (error) => {
    assert.ok(error instanceof LateError)
    assert.equal(error.message, 'GET /x: no answer within 0.02 s')
    return true
  })
  const cut = await rawServer((socket) => socket.end())
  await assert.rejects(ask(cut), (error) => !(error instanceof LateError))
})

test('a request ends with its check', async () => {
  const over = new AbortController()
  const server = await rawServer(() => over.abort(new Error('stopped')))
  await assert.rejects(ask(server, { path: '/x' }, { timeoutMs: 3_600_000, signal: over.signal }), /^Error: stopped$/)
  const other = await rawServer(() => {})
  await assert.rejects(ask(other, { path: '/x' }, { timeoutMs: 3_600_000, signal: over.signal }), /^Error: stopped$/)
})

test('a server that is gone is named so', async () => {
  const server = await httpServer(() => {})
  await server.close()
  await assert.rejects(send(`http://127.0.0.1:${server.port}`, { path: '/' }), /isn’t listening any more/)
})

test('requests in one go get their responses in order, whole or in chunks, with and without a body', async () => {
  const names = new Set()
  const server = await httpServer((req, res) => {
    names.add(req.headers['x-name'])
    if (req.url === '/empty') return res.writeHead(204).end()
    if (req.url === '/chunks') return res.write('one ', () => res.end('two'.repeat(9000)))
    res.setHeader('Content-Length', 4).end(req.method === 'HEAD' ? undefined : 'four')
  })
  const requests = ['/chunks', '/empty', '/four', '/four', '/chunks'].map((path, at) =>
    ({ path, method: at === 2 ? 'HEAD' : 'GET', headers: { 'x-name': 'Zo\xeb' } }))
  const answers = await sendInOneGo(`http://127.0.0.1:${server.port}`, requests, 20_000)
  await server.close()
  assert.deepEqual(answers.map(({ status, text }) => [status, text.length]),
    [[200, 27_004], [204, 0], [200, 0], [200, 4], [200, 27_004]])
  assert.deepEqual([...names], ['Zo\xeb'])
})

test('what isn’t answered before the connection is closed is left out, and one that keeps it is late', async () => {
  const response = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'
  const closing = await rawServer((socket) => socket.end(`${response}HTTP/1.1 200 OK`))
  const origin = (/** @type {{ port: number }} */ { port }) => `http://127.0.0.1:${port}`
  const answers = await sendInOneGo(origin(closing), [{ path: '/1' }, { path: '/2' }], 20_000)
  assert.deepEqual(answers.map(({ text }) => text), ['ok'])
  await closing.close()
  const keeping = await rawServer((socket) => socket.write(response))
  await assert.rejects(sendInOneGo(origin(keeping), [{ path: '/1' }], 100), LateError)
  await keeping.close()
})
