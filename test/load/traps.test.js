import assert from 'node:assert/strict'
import test from 'node:test'
import { runClosedLoop } from '../../runner/load/closed-loop.js'
import { createVerifier } from '../../runner/load/verify.js'
import { until } from '../until.js'
import { httpServer, rawServer } from './trap-server.js'

const ok = (/** @type {string} */ body) =>
  `HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
const item = {
  path: '/',
  check: (/** @type {any} */ answer) =>
    answer.status !== 200 ? `status ${answer.status}` : answer.text() === 'right' ? undefined : `“${answer.text()}”`
}

/**
 * Loads a server until so many answers have come.
 *
 * @param {{ port: number, close: () => Promise<void> }} server
 * @param {{ answers?: number, connections?: number, answerTimeoutMs?: number, item?: any, exactly?: number }} [options]
 */
async function load (
  server,
  { answers = 40, connections = 4, answerTimeoutMs = 5000, item: asked = item, exactly } = {}
) {
  const verifier = createVerifier()
  let count = 0
  try {
    const { broken } = await runClosedLoop({
      port: server.port,
      connections,
      exactly,
      answerTimeoutMs,
      next: () => asked,
      onAnswer: (answer) => {
        verifier.take(answer)
        return ++count < answers
      }
    })
    return { broken, count, ...verifier.finish() }
  } finally {
    await server.close()
  }
}

test('answers to HEAD have no body, whatever length they name, and keep their connections', async () => {
  const heads = ['Content-Length: 5', 'Transfer-Encoding: chunked', 'X-No: length']
  const sockets = new Set()
  const server = await rawServer((socket, count) => {
    sockets.add(socket)
    socket.write(`HTTP/1.1 200 OK\r\n${heads[count % heads.length]}\r\n\r\n`)
  })
  const check = (/** @type {any} */ { body }) => body.length === 0 ? undefined : 'a body'
  const { broken, wrong, count } = await load(server, { item: { path: '/', method: 'HEAD', check } })
  assert.deepEqual([broken, wrong], [null, 0])
  assert.ok(count >= 40)
  assert.equal(sockets.size, 4)
})

test('every answer a 500: each of them is wrong, though autocannon’s rate is unchanged', async () => {
  const { wrong, badStatus, count, problems } = await load(
    await httpServer((_req, res) => { res.writeHead(500).end('right') })
  )
  assert.equal(wrong, count)
  assert.equal(badStatus, count)
  assert.match(problems[0].message, /GET \/: status 500/)
})

test('a wrong body is wrong, though autocannon counts it into rate and latency', async () => {
  const { wrong, count } = await load(await rawServer((socket) => socket.write(ok('wrong'))))
  assert.equal(wrong, count)
})

/** @typedef {Parameters<typeof rawServer>[0]} Handler */
for (const [what, handler, kind, message] of /** @type {[string, Handler, string, RegExp?][]} */ ([
  [
    'a body shorter than its Content-Length, then closed',
    (socket) => socket.end(`HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n${'x'.repeat(50)}`),
    'cut',
    /cut; the connection was closed after 50 bytes/
  ],
  [
    'a connection that is closed without an answer',
    (socket, n) => n > 10 ? socket.end() : socket.write(ok('right')),
    'closed',
    /without an answer/
  ],
  [
    'a connection that is reset',
    (socket, n) => n > 10 ? socket.resetAndDestroy() : socket.write(ok('right')),
    'closed'
  ],
  ['a connection that is closed without an announcement', (socket) => socket.end(ok('right')), 'closed'],
  [
    'a 103 before the answer',
    (socket) => socket.write(`HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n${ok('right')}`),
    'interim',
    /interim answer \(103\)/
  ],
  [
    'a flood of 1xx answers',
    (socket) => socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(300) + ok('right')),
    'interim'
  ],
  [
    'two answers to one request in one piece',
    (socket) => socket.write(ok('right') + ok('right')),
    'unasked',
    /GET \/: an answer came before its request could have arrived/
  ]
])) {
  test(`${what}: told as ${kind}`, async () => {
    const { broken, count } = await load(await rawServer(handler))
    assert.equal(broken?.kind, kind)
    if (message) assert.match(broken.message, message)
    if (kind === 'interim') assert.equal(count, 0)
  })
}

test('a body that never ends is not kept', async () => {
  const piece = Buffer.alloc(2 ** 20, 120)
  let sent = 0
  const server = await httpServer((_req, res) => {
    const more = () => { do sent++; while (res.write(piece)) }
    res.on('drain', more)
    more()
  })
  const { broken } = await load(server, { connections: 1 })
  assert.deepEqual([broken?.kind, broken?.message], ['cut', 'GET /: the answer is longer than 64 MB.'])
  assert.ok(sent > 64, `${sent} MiB`)
})

test('a request that is never answered is noticed, though the run could end before autocannon’s timeout', async () => {
  const { broken } = await load(
    await rawServer((socket, n) => { if (n !== 12) socket.write(ok('right')) }),
    { answers: Infinity, answerTimeoutMs: 1000, exactly: 40 }
  )
  assert.equal(broken?.kind, 'no answer')
  assert.match(broken.message, /no answer within 1 s/)
})

test('a connection that is closed with an announcement is reopened, and every answer counts', async () => {
  let connections = 0
  const server = await rawServer((socket) => {
    connections++
    socket.end(ok('right').replace('\r\n', '\r\nConnection: close\r\n'))
  })
  const { broken, wrong, count } = await load(server, { exactly: 60, answers: Infinity })
  assert.deepEqual([broken, wrong, count], [null, 0, 60])
  assert.equal(connections, 60)
})

test('a character that two chunks share is not a mismatch', async () => {
  const body = 'naïve ünïcödé 漢字 🙂'.repeat(20)
  const bytes = Buffer.from(ok(body))
  const server = await rawServer((socket) => {
    // Every chunk ends in the middle of a character at least once.
    socket.setNoDelay(true)
    for (let at = 0; at < bytes.length; at += 101) setImmediate(() => socket.write(bytes.subarray(at, at + 101)))
  })
  const { broken, wrong } = await load(server, {
    item: { path: '/', check: (/** @type {any} */ answer) => (answer.text() === body ? undefined : 'wrong') },
    connections: 2
  })
  assert.deepEqual([broken, wrong], [null, 0])
})

test('a chunked body is put together', async () => {
  const { broken, wrong } = await load(
    await rawServer((socket) =>
      socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nri\r\n3\r\nght\r\n0\r\n\r\n')
    )
  )
  assert.deepEqual([broken, wrong], [null, 0])
})

test('exactly so many requests are sent, whatever the number of connections', async () => {
  for (const [exactly, connections] of [[1, 4], [3, 4], [37, 10], [40, 4]]) {
    let served = 0
    const { broken, count } = await load(
      await rawServer((socket) => { served++; socket.write(ok('right')) }),
      { exactly, connections, answers: Infinity }
    )
    assert.equal(broken, null)
    assert.deepEqual([served, count], [exactly, exactly])
  }
})

test('what is in flight when the slice ends is waited for, so that it does not burden the other server', async () => {
  let asked = 0
  let answered = 0
  const server = await httpServer((_req, res) => {
    asked++
    setTimeout(() => { answered++; res.end('right') }, 20)
  })
  await load(server, { answers: 10, connections: 5 })
  assert.equal(answered, asked)
})

test('a server that stops listening in the middle is noticed', async () => {
  const server = await rawServer((socket, n) => socket.write(ok('right'), () => { if (n === 10) server.close() }))
  const { broken } = await load({ port: server.port, close: async () => {} }, { answers: Infinity, exactly: 1000 })
  assert.ok(broken?.kind === 'closed' || broken?.kind === 'refused')
})

test('answers in advance count for nothing: the next answer follows by itself', async () => {
  // One answer ahead of the requests on each connection: every request finds its answer waiting.
  const ahead = new WeakSet()
  const server = await rawServer((socket) => {
    // Or the system holds small pieces back until the client has something to say (Nagle).
    socket.setNoDelay(true)
    if (!ahead.has(socket)) socket.write(ok('right'))
    ahead.add(socket)
    setTimeout(() => socket.write(ok('right')), 1)
  })
  const { broken } = await load(server, { answers: 200 })
  assert.equal(broken?.kind, 'unasked')
})

test('an honest server is not held up for long by the pauses, and every request is answered', async () => {
  const { broken, wrong, count } = await load(await rawServer((socket) => socket.write(ok('right'))), { answers: 3000 })
  assert.deepEqual([broken, wrong], [null, 0])
  assert.ok(count >= 3000)
})

test('connections that are to last stay open when the slice is over, and no others do', async () => {
  let open = 0
  const server = await httpServer((req, res) => {
    if (!counted.has(req.socket)) {
      open++
      req.socket.on('close', () => { open-- })
    }
    counted.add(req.socket)
    res.setHeader('Content-Type', 'text/plain').end('right')
  })
  const counted = new WeakSet()
  /** @type {Set<import('node:net').Socket>} */
  const lasting = new Set()
  const slice = { port: server.port, connections: 3, exactly: 30, next: () => item, onAnswer: () => true }
  await runClosedLoop({ ...slice, lasting })
  await runClosedLoop(slice)
  await until(() => open === 3)
  assert.equal(lasting.size, 3)
  for (const connection of lasting) connection.destroy()
  await until(() => open === 0)
  await server.close()
})
