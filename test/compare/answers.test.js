import assert from 'node:assert/strict'
import http from 'node:http'
import test from 'node:test'
import { gzipSync } from 'node:zlib'
import { askBothServers, keepFrom, runBefore } from '../../compare/ask-both.js'
import { compareAnswers } from '../../compare/differences.js'
import { createItems } from '../../compare/lesson.js'
import { Answer } from '../../runner/contract/index.js'
import { createRandom } from '../../runner/shared/random.js'

const json = ['Content-Type', 'application/json']
/** @param {string | object} body @param {string[]} [headers] @param {number} [status] */
const answer = (body, headers = json, status = 200) => new Answer({
  label: '',
  status,
  rawHeaders: headers,
  body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
  elapsedMs: 1
})

for (const [what, a, b, ignore, expected] of /** @type {[string, Answer, Answer, string[], string | null][]} */ ([
  ['keys in another order', answer({ a: 1, b: 2 }), answer('{ "b": 2, "a": 1 }'), [], null],
  ['JSON that does not say so', answer('{"a":1}', []), answer('{ "a": 1 }', []), [], null],
  ['a charset that JSON has anyway', answer({}), answer({}, [json[0], `${json[1]}; charset=utf-8`]), [], null],
  ['a date, an ETag, a server’s name', answer('x', ['ETag', '"1"', 'Date', 'a', 'Server', 'a']),
    answer('x', ['ETag', '"2"']), [], null],
  ['another value', answer({ list: [{ ok: 1 }, { price: 1 }] }), answer({ list: [{ ok: 1 }, { price: 2 }] }), [],
    'body list[1].price: 1, 2'],
  ['a token', answer({ token: 'a' }), answer({ token: 'b' }), [], 'body token: one value, another'],
  ['a key that is ignored', answer({ a: 1, list: [{ ts: 1 }] }), answer({ a: 1, list: [{ ts: 2 }] }), ['ts'], null],
  ['a place that is ignored', answer({ ts: 1, list: [{ ts: 1 }] }), answer({ ts: 2, list: [{ ts: 2 }] }), ['list.ts'],
    'body ts: 1, 2'],
  ['a body that is ignored', answer('a', []), answer('b', []), ['/now'], null],
  ['another text', answer('one', []), answer('two', []), [], 'body : "one", "two"'],
  ['another status', answer({}), answer({}, json, 500), [], 'status : 200 {}, 500 {}'],
  ['another type', answer('x'), answer('x', ['content-type', 'text/html']), [],
    'header content-type: application/json, text/html'],
  ['a query of a Location', answer('', ['location', 'http://a:1/x?a=1'], 302),
    answer('', ['location', 'http://b:2/x?a=2'], 302), [], 'header location: http://a:1/x?a=1, http://b:2/x?a=2'],
  ['a host of a Location', answer('', ['location', 'http://a:1/x']), answer('', ['location', '/x']), [], null],
  ['caching', answer('x', ['cache-control', 'no-store']), answer('x', []), [], 'header cache-control: no-store, none'],
  ['caching that is ignored', answer('x', ['cache-control', 'no-store']), answer('x', []), ['Cache-Control'], null],
  ['no ETag any more', answer('x', ['etag', '"1"']), answer('x', []), [], 'header etag: a quoted ETag, none'],
  ['another session', answer('x', ['set-cookie', 'a=1; Secure']), answer('x', ['set-cookie', 'a=2; Secure']), [], null]
])) {
  test(`${expected === null ? 'the same' : 'not the same'}: ${what}`, () => {
    const found = compareAnswers(a, b, { ignore, asked: '/now?x=1' })
    assert.equal(found && `${found.what} ${found.path}: ${found.before}, ${found.after}`, expected)
  })
}

test('each server’s own address means the same, wherever it stands', () => {
  const origins = ['http://127.0.0.1:3000', 'http://127.0.0.1:4000']
  const seen = (/** @type {(port: number) => Answer} */ of) => compareAnswers(of(3000), of(4000), { origins })?.before
  const text = (/** @type {number} */ port) =>
    `http://localhost:${port}/x http%3A%2F%2F[::1]%3A${port} and a.test:${port}`
  assert.equal(seen((port) => answer({ links: { self: text(port) } })), undefined)
  assert.equal(seen((port) => answer(`Found. ${text(port)}`, [])), undefined)
  assert.equal(seen((port) => answer('', ['location', `/login?next=http://localhost:${port}/x`], 302)), undefined)
  assert.equal(seen((port) => answer({ price: port })), '3000')
  assert.equal(seen((port) => answer({ self: `http://a.test:${port}1/` })), '"http://a.test:30001/"')
})

test('a body is compared without its compression, which may be ignored', () => {
  const packed = new Answer({
    label: '',
    status: 200,
    rawHeaders: [...json, 'Content-Encoding', 'gzip'],
    body: gzipSync('{"a":1}'),
    elapsedMs: 1
  })
  assert.deepEqual(keepFrom(packed, { one: 'body.a' }), { one: 1 })
  assert.equal(compareAnswers(packed, answer({ a: 1 }))?.place, 'the header content-encoding')
  const found = (/** @type {number} */ a) => compareAnswers(packed, answer({ a }), { ignore: ['content-encoding'] })
  assert.deepEqual([found(1), found(2)?.place], [null, 'the body at a'])
})

test('an original that differs from itself after each start is told to', async (t) => {
  const start = async (/** @type {string} */ name) => {
    const origin = await listen(t, (_, res) => res.end(JSON.stringify({ boot: name, price: 1 })))
    return { name, origin, kept: {} }
  }
  const [old, other, twin] = [await start('old'), await start('new'), await start('twin')]
  const withTwin = (/** @type {any} */ use) => use(twin)
  const run = (/** @type {string[]} */ ignore) =>
    askBothServers({ load: { requests: [{ path: '/' }] }, ignore, seed: 's', withTwin }, [old, other], 'before')
  await assert.rejects(run([]),
    /^WorkshopError: old itself answers GET \/ differently after each start: the body at boot was .* --ignore boot\.$/)
  assert.equal((await run(['boot']))[0].status, 'pass')
})

test('slow requests are compared for as long as there is time', async (t) => {
  t.mock.method(performance, 'now', advancing(2000))
  const server = { name: 'old', origin: await listen(t, (_, res) => res.end('x')), kept: {} }
  const load = { requests: ['/a', '/b', '/c', '/d'].map((path) => ({ path })) }
  const [{ message }] = await askBothServers({ load, ignore: [], seed: 's', seconds: 40 }, [server, server], 'before')
  assert.match(message, /^Only \d of the 4 requests were compared one by one, because .* more time with --seconds\.$/)
})

/** A clock that goes on with each look, ms. @param {number} step */
function advancing (step) {
  let now = 0
  return () => (now += step)
}

const load = {
  requests: [{ path: '/item', headers: { authorization: 'Bearer {token}' } }, { path: '/count' }],
  before: [{ method: 'POST', path: '/login', body: { user: 'ada' }, keep: { token: 'body.token' } }]
}

test('a server is prepared, asked with what it gave, and compared with the other', async (t) => {
  const origins = [await serve(t, { name: 'a', price: 1 }), await serve(t, { name: 'b', price: 2 })]
  const [old, other] = ['old', 'new'].map((name, i) => ({ name, origin: origins[i], kept: {} }))
  for (const server of [old, other]) await runBefore(load, server, 's')
  assert.deepEqual([old.kept, other.kept], [{ token: 'secret-a' }, { token: 'secret-b' }])
  const compare = async (/** @type {string[]} */ ignore) =>
    (await askBothServers({ load, ignore, seed: 's' }, [old, other], 'before'))[0]
  const { message, requests } = await compare([])
  assert.equal(message, 'The answers to GET /item differ in the body at price: old sends 1, new sends 2.')
  const line = "curl -i -H 'authorization: Bearer {token}' 'http://127.0.0.1:PORT/item'"
  assert.deepEqual(requests, ['# old', line, '# new', line])
  await assert.rejects(compare(['price']),
    /old itself answers GET \/count differently each time: the body at n was \d+, then \d+\. .* --ignore n\.$/)
  assert.deepEqual(await compare(['price', 'n']),
    { name: 'the same answers', when: 'before', status: 'pass', message: '' })
})

test('what prepares a server says what was refused, or missing', async (t) => {
  const origin = await serve(t, { name: 'a', price: 1 })
  const run = async (/** @type {any} */ before) => {
    const server = { name: 'new', origin, kept: {} }
    await runBefore({ ...load, before }, server, 's')
    return server.kept
  }
  await assert.rejects(run([{ path: '/item' }]),
    /new can’t be prepared: `before\[0\]`, GET \/item, answers with status 401\. Correct it in the load file\./)
  await assert.rejects(run([{ ...load.before[0], keep: { id: 'body.id' } }]),
    /POST \/login, has no line of text or number at body\.id, which `keep` calls id\. Correct/)
  const own = async (/** @type {any} */ { send }) => ({ status: (await send({ path: '/count' })).status })
  assert.deepEqual(await run(own), { status: 200 })
  const server = { name: 'old', origin, kept: {} }
  const askAfter = (/** @type {any} */ load) =>
    askBothServers({ load, ignore: [], seed: 's' }, [server, server], 'after')
  const reads = { requests: [{ path: '/item' }] }
  await assert.rejects(askAfter(reads),
    /old answers every request with an error, GET \/item with status 401: correct the load/)
  const some = { requests: [{ path: '/login', weight: 3 }, { path: '/item' }] }
  assert.equal((await askAfter(some))[0].message,
    'Both servers answer some requests with an error: GET /item with status 401 (25 % of all requests). Unless ' +
    'that’s meant, correct the load, or log in first with `before` in a load file.')
  const writes = { requests: [{ method: 'POST', path: '/login' }] }
  assert.deepEqual(await askAfter(writes), [])
})

for (const [what, answer, sentence] of /** @type {[string, http.RequestListener, RegExp][]} */ ([
  ['leads to its login', (_, res) => res.writeHead(302, { location: '/login?next=/' }).end(),
    /^old sends every request to a login, GET \/ to \/login\?next=\/: log in first with `before`/],
  ['hangs up', (req) => req.socket.destroy(),
    /^old gives no answer that can be compared: GET \/: the server closed the connection without a complete answer\.$/],
  ['limits the rate', limitRate(),
    /^old soon answers GET \/ with status 429: switch off the rate limit while you compare\.$/]
])) {
  test(`an original that ${what}`, async (t) => {
    const server = { name: 'old', origin: await listen(t, answer), kept: {} }
    const load = { requests: [{ path: '/' }] }
    await assert.rejects(askBothServers({ load, ignore: [], seed: 's' }, [server, server], 'before'), {
      name: 'WorkshopError',
      message: sentence
    })
  })
}

/** @returns {http.RequestListener} */
function limitRate () {
  let asked = 0
  return (_, res) => { res.writeHead(++asked > 2 ? 429 : 200).end() }
}

test('under load, every answer is compared with the original’s first one', () => {
  const { original, other } = itemsOf({ requests: [{ path: '/{token}' }] })
  assert.equal(other().key, undefined, 'nothing is known to be right yet')
  assert.equal(check(other, answer({ n: 3 })), undefined)
  assert.equal(check(original, answer({ n: 1, ts: 1 })), undefined)
  assert.equal(check(other, answer({ n: 1, ts: 2 })), undefined)
  assert.equal(check(other, answer({ n: 2 })),
    'differs from the original’s first answer in the body at n: 1 there, 2 here.')
  assert.equal(other().key, original().key)
})

test('where a load changes data, only what is refused is told, and values are kept as they come', () => {
  const { original, other, kept } = itemsOf({ requests: [{ method: 'POST', path: '/a', keep: { order: 'body.n' } }] })
  assert.equal(check(original, answer({ n: 1 })), undefined)
  assert.equal(check(other, answer({ n: 2 })), undefined)
  assert.equal(check(other, answer({}, json, 409)), 'status 409, where the original’s first answer had 200.')
  assert.deepEqual(kept, [{ token: 'a', order: 1 }, { token: 'b', order: 2 }])
})

/** @typedef {() => import('../../runner/lesson/index.js').Item} Next */

/** @param {import('../../compare/index.js').Load} load */
function itemsOf (load) {
  const items = createItems({ load, ignore: ['ts'] })
  const kept = /** @type {Record<string, string>[]} */ ([{ token: 'a' }, { token: 'b' }])
  const [original, other] = kept.map((kept, i) => items(createRandom('a'), { isOriginal: i === 0, origin: '', kept }))
  return { original, other, kept }
}

/** As the load generator does. @param {Next} next @param {Answer} answer */
function check (next, answer) {
  const item = next()
  const received = /** @type {any} */ ({ ...answer, cookies: () => [], json: () => answer.json() })
  item.answered?.(received)
  return item.check(received)
}

/** @param {test.TestContext} t @param {{ name: string, price: number }} given */
async function serve (t, { name, price }) {
  let n = 0
  return listen(t, (req, res) => {
    const isIn = req.headers.authorization === `Bearer secret-${name}`
    if (req.url === '/login') return res.end(JSON.stringify({ token: `secret-${name}` }))
    if (req.url === '/count') return res.end(JSON.stringify({ n: n++ }))
    res.writeHead(isIn ? 200 : 401)
    res.end(JSON.stringify(isIn ? { price } : {}))
  })
}

/** @param {test.TestContext} t @param {http.RequestListener} answer */
async function listen (t, answer) {
  const server = http.createServer(answer)
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(null)))
  t.after(() => { server.closeAllConnections(); server.close() })
  return `http://127.0.0.1:${/** @type {any} */ (server.address()).port}`
}
