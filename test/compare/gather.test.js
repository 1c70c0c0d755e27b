import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import test from 'node:test'
import { gzipSync } from 'node:zlib'
import { problemsOfLoad } from '../../compare/load-file.js'
import { createLogReader, entriesOfHar } from '../../compare/recordings.js'
import { gather, writeLoadFile } from '../../compare/write-load-file.js'
import { temporaryFolder } from '../temporary.js'

const common = (/** @type {string} */ request, status = 200) =>
  `127.0.0.1 - ada [10/Oct/2026:13:55:36 -0700] "${request}" ${status} 2326`

/** @param {string[]} lines */
async function gatherLines (lines) {
  const { take, end } = createLogReader()
  const { load, leftOut } = await gather([...lines.flatMap(take), ...end()])
  if (load.requests.length > 0) assert.deepEqual(problemsOfLoad(load), [])
  return { ...load, leftOut: Object.fromEntries(leftOut) }
}

for (const [what, line, path] of [
  ['the common format', common('GET /a?b=1 HTTP/1.1'), '/a?b=1'],
  ['the combined format', `${common('GET /a HTTP/2.0')} "http://x/" "Mozilla \\"5\\""`, '/a'],
  ['an absolute address', common('GET http://shop.test/a HTTP/1.1'), '/a'],
  ['braces', common('GET /a{id} HTTP/1.1'), '/a%7Bid%7D'],
  ['nginx as JSON', '{"request":"GET /a HTTP/1.1","status":"200"}', '/a'],
  ['pino-http', '{"level":30,"req":{"method":"GET","url":"/a"},"res":{"statusCode":200}}', '/a'],
  ['Caddy', '{"request":{"method":"GET","uri":"/a"},"status":200}', '/a'],
  ['flat names with dots', '{"http.request.method":"GET","url.original":"/a","http.response.status_code":200}', '/a'],
  ['ECS', '{"http":{"request":{"method":"GET"},"response":{"status_code":200}},"url":{"path":"/a","query":"x=1"}}',
    '/a?x=1'],
  ['API Gateway', '{"httpMethod":"GET","path":"/a","status":"200"}', '/a'],
  ['Cloudflare', '{"ClientRequestMethod":"GET","ClientRequestURI":"/a","EdgeResponseStatus":200}', '/a'],
  ['Envoy', '{"method":"GET","path":"/a","response_code":200}', '/a'],
  ['express-winston', '{"message":"GET /a","meta":{"req":{"method":"GET","url":"/a"},"res":{"statusCode":200}}}', '/a'],
  ['a line in Docker’s JSON', JSON.stringify({ log: `${common('GET /a HTTP/1.1')}\n`, stream: 'stdout' }), '/a'],
  ['JSON of nginx without escape=json',
    String.raw`{"request":"GET /caf\xC3\xA9?a=\x22 HTTP/1.1","status":200}`, '/caf%C3%A9?a=%22'],
  ['JSON in Docker’s JSON', JSON.stringify({ log: '{"method":"GET","url":"/a","status":200}\n' }), '/a'],
  ['JSON behind the name of a service', 'web-1  | {"method":"GET","url":"/a","status":200}', '/a'],
  ['a line behind the name of a service', `web-1  | ${common('GET /a HTTP/1.1')}`, '/a'],
  ['bytes that nginx escapes', common('GET /caf\\xC3\\xA9 HTTP/1.1'), '/caf%C3%A9'],
  ['signs that Apache escapes', common('GET /a\\"b\\\\c HTTP/1.1'), '/a"b\\c'],
  ['a space', common('GET /a b HTTP/1.1'), '/a%20b'],
  ['HTTP/0.9', common('GET /a'), '/a'],
  ['a quoted user, and a fake request in the referrer',
    '1.1.1.1 - joe "the man" [x] "GET /a HTTP/1.1" 200 5 "http://x/?q=\\"GET /b HTTP/1.1\\" 404" "-"', '/a']
]) {
  test(`reads ${what}`, async () => {
    assert.deepEqual((await gatherLines([line])).requests, [{ path, weight: 1 }])
  })
}

for (const [line, why] of [
  ['listening on 3000', 'whose lines have no known format'],
  ['{"req"', 'whose lines have no known format'],
  [common('POST /orders HTTP/1.1'), 'other than GET, whose bodies no log holds'],
  [common('GET /wp-login.php HTTP/1.1', 404), 'that were answered with an error, or not at all'],
  ['{"request":{"method":"GET","uri":"/a"},"status":0}', 'that were answered with an error, or not at all'],
  ['{"method":"GET","path":"/a","response_code":404}', 'that were answered with an error, or not at all'],
  ['1.1.1.1 - - [x] "GET /a HTTP/1.1" - 5', 'that were answered with an error, or not at all'],
  [common('GET /ws HTTP/1.1', 101), 'that switch to another protocol'],
  ['1.1.1.1 - - [x] "-" 408 0', 'that hold no request'],
  [common('\\x16\\x03\\x01', 400), 'that hold no request'],
  [common('GET /a?access_token=x HTTP/1.1'), 'that seem to hold a secret']
]) {
  test(`leaves out requests ${why}: ${line}`, async () => {
    assert.deepEqual(await gatherLines([line]), { requests: [], leftOut: { [why]: 1 } })
  })
}

test('gathers ids, with how often each was requested', async () => {
  const of = (/** @type {string} */ path, count = 1) => Array(count).fill(common(`GET ${path} HTTP/1.1`))
  const { requests, inputs } = await gatherLines([
    ...of('/movies/7', 3), ...of('/movies/8'), ...of('/movies/7/cast/1'), ...of('/movies/7/cast/2'), ...of('/users/5'),
    ...of('/movies', 9)
  ])
  assert.deepEqual(requests, [
    { path: '/movies', weight: 9 },
    { path: '/movies/{movies}', weight: 4 },
    { path: '/movies/7/cast/{cast}', weight: 2 },
    { path: '/users/5', weight: 1 }
  ])
  assert.deepEqual(inputs, { movies: { weights: { 7: 3, 8: 1 } }, cast: ['1', '2'] })
})

test('Fastify’s two lines for a request are joined, and one without a status is told of', async () => {
  const line = (/** @type {string} */ reqId, /** @type {object} */ more) => JSON.stringify({ reqId, ...more })
  const get = (/** @type {string} */ url) => ({ req: { method: 'GET', url } })
  const status = (/** @type {number} */ statusCode) => ({ res: { statusCode } })
  const { requests, leftOut } = await gatherLines([line('1', get('/a')), line('2', get('/b')), line('2', status(500)),
    line('1', status(200)), line('3', get('/c'))])
  assert.deepEqual(requests.map(({ path }) => path), ['/a', '/c'])
  assert.deepEqual(leftOut, {
    'that were answered with an error, or not at all': 1,
    'whose status isn’t logged, so that errors may be among them': 1
  })
})

for (const [what, pathOf, kept] of /** @type {[string, (n: number) => string, number][]} */ ([
  ['ids', (n) => `/items/${n}`, 1], ['slugs', (n) => `/post/a-${n}`, 199], ['pages', (n) => `/search?page=${n}`, 199]
])) {
  test(`the mix is the log’s, however many ${what} there are`, async () => {
    const lines = Array.from({ length: 3000 }, (_, n) => common(`GET ${pathOf(n >> 1)} HTTP/1.1`))
    const { requests, leftOut } = await gatherLines([...lines, ...Array(150).fill(common('GET /home HTTP/1.1'))])
    const home = requests.filter(({ path }) => path === '/home')
    assert.deepEqual(home.map(({ weight }) => weight), [150])
    assert.equal(requests.length, kept + 1)
    const others = requests.reduce((sum, { weight = 1 }) => sum + weight, 0) - 150
    assert.ok(Math.abs(others - 3000) < 1, `${others}`)
    assert.deepEqual(Object.keys(leftOut), ['that are rare, instead of which more of their kind are sent'])
  })
}

test('keeps 200 requests, and says how many are unlike them', async () => {
  const { requests, leftOut } = await gatherLines(Array.from({ length: 250 }, (_, i) => Array(i < 5 ? 2 : 1)
    .fill(common(`GET /p${i}/x HTTP/1.1`))).flat())
  assert.equal(requests.length, 200)
  assert.deepEqual(leftOut, { 'that are unlike the 200 most frequent': 50 })
})

test('a HAR file gives the requests to its site, without what says who sent them', async () => {
  const sent = [{ name: 'Cookie', value: 's=1' }, { name: 'Accept', value: '*/*' }]
  const entry = (/** @type {string} */ url, more = {}, status = 200) => ({
    request: { method: 'GET', url, headers: sent, ...more },
    response: { status }
  })
  const body = (/** @type {string} */ text) => ({ method: 'POST', postData: { mimeType: 'application/json', text } })
  const { load, leftOut } = await gather(entriesOfHar({
    log: {
      entries: [entry('https://a.test/x?y=1#z'), entry('https://a.test/q', body('{"query":"{ movies {id} }"}')),
        entry('https://a.test/login', body('{"user":"ada","password":"x"}')), entry('https://cdn.test/x'),
        entry('https://a.test/gone', {}, 404)]
    }
  }))
  const headers = { accept: '*/*' }
  assert.deepEqual(load, {
    requests: [
      { path: '/x?y=1', headers, weight: 1 },
      { method: 'POST', path: '/q', headers, body: { query: '{ movies {id} }' }, weight: 1 }
    ]
  })
  assert.deepEqual(problemsOfLoad(load), [])
  assert.deepEqual([...leftOut.keys()], ['that seem to hold a secret',
    'to other origins than https://a.test (--origin chooses one of https://a.test (4), https://cdn.test (1))',
    'that were answered with an error, or not at all'])
})

test('nothing of a HAR file’s requests is lost silently', () => {
  const entry = (/** @type {string} */ url, more = {}, status = 200) => ({
    request: { method: 'GET', url, ...more },
    response: { status }
  })
  const post = (/** @type {object} */ postData, more = {}) =>
    entry('http://a.test/p', { method: 'POST', postData, ...more })
  const form = 'application/x-www-form-urlencoded'
  const entries = [
    entry('http://b.test/z'), entry('data:,x'), entry('blob:http://a.test/1'), entry('chrome-extension://x/y'),
    entry('ws://a.test/ws', {}, 101),
    entry('http://a.test/r', {
      headers: [{ name: 'Accept-Encoding', value: 'gzip, br;q=0.5, zstd' },
        { name: 'Range', value: 'bytes=0-9' }, { name: 'X-Who', value: 'ada' }]
    }),
    post({ mimeType: form, params: [{ name: 'q', value: 'a b' }] }),
    post({ mimeType: 'text/plain', text: 'YWJj', encoding: 'base64' }),
    post({ mimeType: 'application/octet-stream', text: 'AAEC/w==', encoding: 'base64' }),
    post({}, { bodySize: 7 })
  ]
  const none = 'that no server gets, such as data: and blob:'
  assert.deepEqual(entriesOfHar({ log: { entries } }, 'http://a.test/'), [
    'to other origins than http://a.test (--origin chooses one of http://a.test (5), http://b.test (1))',
    none,
    none,
    none,
    'that switch to another protocol',
    { path: '/r', headers: { 'accept-encoding': 'gzip, br;q=0.5', range: 'bytes=0-9' } },
    { method: 'POST', path: '/p', headers: { 'content-type': form }, body: 'q=a+b' },
    { method: 'POST', path: '/p', headers: { 'content-type': 'text/plain' }, body: 'abc' },
    'whose bodies aren’t in the file as text', 'whose bodies aren’t in the file as text'
  ])
  assert.throws(() => entriesOfHar({ log: { entries } }, 'http://c.test'),
    /No request went to --origin http:\/\/c\.test: the file has http:\/\/a\.test \(5\), http:\/\/b\.test \(1\)\./)
})

for (const [what, encode] of /** @type {[string, (text: string) => Buffer | string][]} */ ([
  ['with a byte order mark', (text) => `\ufeff${text}`],
  ['in UTF-16', (text) => Buffer.from(`\ufeff${text}`, 'utf16le')],
  ['in UTF-16 without a mark', (text) => Buffer.from(text, 'utf16le')],
  ['in big-endian UTF-16', (text) => Buffer.from(`\ufeff${text}`, 'utf16le').swap16()],
  ['compressed with gzip', (text) => gzipSync(text)]
])) {
  test(`reads files ${what}`, async (t) => {
    const dir = temporaryFolder(t)
    const [log, har] = ['a.log', 'a.har'].map((name) => path.join(dir, name))
    const line = '{"method":"GET","url":"/é","status":200}\n'
    const entry = { request: { method: 'GET', url: 'http://a/é' }, response: { status: 200 } }
    fs.writeFileSync(log, encode(line.repeat(9000)))
    fs.writeFileSync(har, encode(JSON.stringify({ log: { entries: [entry] } })))
    for (const [kind, source, weight] of /** @type {const} */ ([['log', log, 9000], ['har', har, 1]])) {
      const target = `${source}.json`
      await writeLoadFile({ kind, source, target })
      assert.deepEqual(JSON.parse(fs.readFileSync(target, 'utf8')), { requests: [{ path: '/%C3%A9', weight }] })
    }
  })
}

test('a file that is packed otherwise is told to be', async (t) => {
  const source = path.join(temporaryFolder(t), 'a.zst')
  fs.writeFileSync(source, Buffer.from('28b52ffd0000', 'hex'))
  await assert.rejects(writeLoadFile({ kind: 'log', source, target: 'no' }), /a\.zst is compressed with zstd: unpack/)
})

test('writes a file, says what is in it, and overwrites nothing', async (t) => {
  const dir = temporaryFolder(t)
  const [source, target, empty] = ['access.log', 'load.json', 'empty.log'].map((name) => path.join(dir, name))
  fs.writeFileSync(source, `${common('GET /a HTTP/1.1')}\nnonsense\n${common('GET /a HTTP/1.1')}\n`)
  fs.writeFileSync(empty, 'nonsense\n')
  const write = (/** @type {string} */ source, kind = /** @type {'log' | 'har'} */ ('log')) =>
    writeLoadFile({ kind, source, target })
  const [first, second] = await write(source)
  assert.match(first, /load\.json has 1 request, with the weights of the 2 in .*access\.log\.$/)
  assert.equal(second, 'Requests left out or changed: 1 whose lines have no known format.')
  assert.deepEqual(JSON.parse(fs.readFileSync(target, 'utf8')), { requests: [{ path: '/a', weight: 2 }] })
  await assert.rejects(write(source), /load\.json is there already: name another file with --load\./)
  await assert.rejects(write(empty), /holds no request that can be sent again \(1 whose lines have no known format\)/)
  await assert.rejects(write(path.join(dir, 'no')), /There is no file .*no\./)
  await assert.rejects(write(source, 'har'), /access\.log can’t be read: .*JSON/)
})
