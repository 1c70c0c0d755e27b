import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import test from 'node:test'
import { problemsOfLoad } from '../../compare/load-file.js'
import { entriesOfHar, entryOfLine, gather, writeLoadFile } from '../../compare/write-load-file.js'
import { temporaryFolder } from '../temporary.js'

const common = (/** @type {string} */ request, status = 200) =>
  `127.0.0.1 - ada [10/Oct/2026:13:55:36 -0700] "${request}" ${status} 2326`

/** @param {string[]} lines */
async function gatherLines (lines) {
  const { load, leftOut } = await gather(lines.map(entryOfLine))
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
  ['flat names with dots', '{"http.request.method":"GET","url.original":"/a"}', '/a']
]) {
  test(`reads ${what}`, async () => {
    assert.deepEqual((await gatherLines([line])).requests, [{ path, weight: 1 }])
  })
}

for (const [line, why] of [
  ['listening on 3000', 'whose lines have no known format'],
  ['{"req"', 'whose lines have no known format'],
  [common('POST /orders HTTP/1.1'), 'other than GET, whose bodies no log holds'],
  [common('GET /wp-login.php HTTP/1.1', 404), 'that were answered with an error'],
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

test('keeps the 200 most frequent, and says how many are left out', async () => {
  const { requests, leftOut } = await gatherLines(Array.from({ length: 250 }, (_, i) => Array(i < 5 ? 2 : 1)
    .fill(common(`GET /p${i} HTTP/1.1`))).flat())
  assert.equal(requests.length, 200)
  assert.deepEqual(leftOut, { 'that are rarer than the 200 most frequent': 50 })
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
  assert.deepEqual([...leftOut.keys()], ['that seem to hold a secret', 'to other origins than https://a.test',
    'that were answered with an error, or not at all'])
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
  assert.equal(second, 'Requests left out: 1 whose lines have no known format.')
  assert.deepEqual(JSON.parse(fs.readFileSync(target, 'utf8')), { requests: [{ path: '/a', weight: 2 }] })
  await assert.rejects(write(source), /load\.json is there already: name another file with --load\./)
  await assert.rejects(write(empty), /holds no request that can be sent again \(1 whose lines have no known format\)/)
  await assert.rejects(write(path.join(dir, 'no')), /There is no file .*no\./)
  await assert.rejects(write(source, 'har'), /access\.log can’t be read: .*JSON/)
})
