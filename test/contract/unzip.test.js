import assert from 'node:assert/strict'
import http from 'node:http'
import test from 'node:test'
import { brotliCompressSync, constants, deflateSync, gzipSync } from 'node:zlib'
import { unzip } from '../../runner/contract/answer.js'
import { send } from '../../runner/contract/client.js'
import { mostBytes, plainText } from '../../runner/shared/http-fields.js'

const text = Buffer.from('{"a":1}')

test('an answer is compared as it is without compression', () => {
  for (const [encoding, body] of /** @type {[string, Buffer][]} */ ([
    ['gzip', gzipSync(text)], ['GZIP', gzipSync(text)], ['br', brotliCompressSync(text)], ['deflate', deflateSync(text)]
  ])) {
    const rawHeaders = ['ETag', '"1"', 'Content-Encoding', encoding, 'Content-Length', String(body.length)]
    const plain = { rawHeaders: ['ETag', '"1"', 'Content-Length', String(text.length)], body: text }
    assert.deepEqual(unzip({ rawHeaders, body }), plain)
  }
  const plain = { rawHeaders: ['Content-Type', 'content-encoding'], body: text }
  assert.deepEqual(unzip(plain), plain)
})

test('what is not compressed as it says is no answer', () => {
  assert.equal(unzip({ rawHeaders: ['Content-Encoding', 'gzip'], body: text }), undefined)
  assert.equal(unzip({ rawHeaders: ['Content-Encoding', 'zip'], body: text }), undefined)
  // A 304 and an answer to HEAD have the header alone.
  const empty = Buffer.alloc(0)
  assert.deepEqual(unzip({ rawHeaders: ['Content-Encoding', 'gzip'], body: empty }), { rawHeaders: [], body: empty })
})

test('a few bytes that unpack to more than a body may be are no answer, and cost no memory', () => {
  const plain = Buffer.alloc(mostBytes + 1)
  const quick = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }
  for (const [encoding, body] of /** @type {[string, Buffer][]} */ ([
    ['gzip', gzipSync(plain, { level: 1 })], ['br', brotliCompressSync(plain, quick)],
    ['deflate', deflateSync(plain, { level: 1 })]
  ])) {
    assert.ok(body.length < mostBytes / 100, encoding)
    assert.equal(unzip({ rawHeaders: ['Content-Encoding', encoding], body }), undefined)
    assert.throws(() => plainText(body, encoding), { code: 'ERR_BUFFER_TOO_LARGE' })
  }
})

test('who says what to take gets it as it came', async (t) => {
  const server = http.createServer((req, res) => {
    const taken = String(req.headers['accept-encoding'])
    res.writeHead(200, { 'content-encoding': 'gzip', taken }).end(gzipSync(text))
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(null)))
  t.after(() => server.close())
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
  const ask = (more = {}) => send(`http://127.0.0.1:${port}`, { path: '/', accepts: 'gzip, deflate, br', ...more })
  const compressed = await ask()
  assert.equal(compressed.text, '{"a":1}')
  assert.equal(compressed.headers.taken, 'gzip, deflate, br')
  const own = await ask({ headers: { 'Accept-Encoding': 'gzip' } })
  assert.deepEqual([own.headers.taken, own.headers['content-encoding']], ['gzip', 'gzip'])
  assert.equal((await ask({ accepts: undefined })).headers.taken, 'undefined')
})
