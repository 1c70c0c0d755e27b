import assert from 'node:assert/strict'
import test from 'node:test'
import { gzipSync } from 'node:zlib'
import { Answer } from '../../../runner/contract/answer.js'
import { createObserver } from '../../../runner/contract/execute.js'

/** @param {number} status @param {string | Buffer} body @param {Record<string, string>} [headers] */
const answer = (status, body, headers = {}) => new Answer({
  label: 'GET /', status, rawHeaders: Object.entries(headers).flat(), body: Buffer.from(body), elapsedMs: 1
})
const get = { path: '/' }

test('equal strong tags mean equal bytes, for each address', () => {
  const observe = createObserver()
  assert.equal(observe(get, answer(200, 'a', { etag: '"1"' })), null)
  assert.equal(observe(get, answer(200, 'a', { etag: '"1"' })), null)
  assert.equal(observe({ path: '/other' }, answer(200, 'b', { etag: '"1"' })), null)
  assert.match(observe(get, answer(200, 'b', { etag: '"1"' })) ?? '', /came with two different answers/)
})

test('no two encodings share a strong tag', () => {
  const raw = { path: '/', headers: { 'Accept-Encoding': 'gzip' } }
  const gzip = { etag: '"1"', 'content-encoding': 'gzip', vary: '*' }
  const tell = (/** @type {Readonly<Parameters<ReturnType<typeof createObserver>>>[]} */ ...seen) => {
    const observe = createObserver()
    return seen.map((one) => observe(...one)).find((said) => said !== null)
  }
  assert.match(tell([get, answer(200, 'a', { etag: '"1"' })], [raw, answer(200, 'zip', gzip)]) ?? '', /came with/)
  const identity = /** @type {const} */ ([raw, answer(200, 'a', { etag: '"1"' })])
  assert.match(tell([...identity], [raw, answer(200, 'zip', gzip)]) ?? '', /came with identity bytes and with gzip/)
  const meaning = () => ''
  assert.match(tell([...identity, { meaning }], [raw, answer(200, 'zip', gzip), { meaning }]) ?? '', /came with/)
  const two = ['zip', 'zap'].map((body) => /** @type {const} */ ([raw, answer(200, body, gzip), { meaning }]))
  assert.equal(tell(...two), undefined)
})

test('a weak tag may identify answers that mean the same', () => {
  const observe = createObserver()
  assert.equal(observe(get, answer(200, 'a', { etag: 'W/"1"' })), null)
  assert.equal(observe(get, answer(200, 'b', { etag: 'W/"1"' })), null)
  const json = { etag: 'W/"2"', 'content-type': 'application/json' }
  assert.equal(observe(get, answer(200, '{"a":1,"b":[2]}', json)), null)
  assert.equal(observe(get, answer(200, '{ "b": [2], "a": 1 }', json)), null)
  assert.match(observe(get, answer(200, '{"a":1,"b":[3]}', json)) ?? '', /W\/"2" came with two different answers/)
})

test('304 answers a condition, with one of its tags and no body', () => {
  const observe = createObserver()
  const asked = (/** @type {string} */ tags) => ({ path: '/', headers: { 'If-None-Match': tags } })
  assert.equal(observe(asked('"1"'), answer(304, '', { etag: 'W/"1"' })), null)
  assert.equal(observe(asked('W/"0", "1"'), answer(304, '', { etag: '"1"' })), null)
  assert.equal(observe(asked('*'), answer(304, '', { etag: '"7"' })), null)
  assert.equal(observe(asked('"1"'), answer(304, '')), null)
  assert.match(observe(asked('"2"'), answer(304, '', { etag: '"1"' })) ?? '', /isn’t one of those/)
  assert.match(observe(get, answer(304, '', { etag: '"1"' })) ?? '', /without a condition/)
  assert.match(observe(asked('"1"'), answer(304, 'x', { etag: '"1"' })) ?? '', /has no body/)
})

test('JSON is JSON, and a tag is quoted', () => {
  const observe = createObserver()
  assert.match(observe(get, answer(200, '{', { 'content-type': 'application/json' })) ?? '', /says that it is JSON/)
  const gzip = { 'content-type': 'application/json', 'content-encoding': 'gzip', vary: '*' }
  assert.match(observe(get, answer(200, '{}', gzip)) ?? '', /says that it is gzip of JSON/)
  assert.equal(observe(get, answer(200, gzipSync('{}'), gzip)), null)
  assert.equal(observe(get, answer(200, '', { 'content-type': 'application/json' })), null)
  assert.match(observe(get, answer(200, 'a', { etag: '1' })) ?? '', /not quoted/)
})

test('content is not sent in an encoding that the client refuses; as it is, always', () => {
  const said = (/** @type {string} */ accepted, /** @type {string} */ encoding) => createObserver()(
    { path: '/', headers: { 'Accept-Encoding': accepted } },
    answer(200, 'zip', { 'content-encoding': encoding, vary: '*' })
  )
  for (const accepted of ['gzip', 'GZIP;q=0.5', '*', 'x-gzip', 'br;q=0, *;q=0.1']) {
    assert.equal(said(accepted, 'gzip'), null, accepted)
  }
  for (const accepted of ['', 'br', 'gzip;q=0', 'gzip; q=0.0, *', 'identity', '*;q=0']) {
    assert.match(said(accepted, 'gzip') ?? '', /is gzip, which the client does not accept/, accepted)
    assert.equal(said(accepted, 'identity'), null, accepted)
  }
})

test('what is compressed says for whom, where a cache may keep it', () => {
  const said = (/** @type {Record<string, string>} */ headers, method = 'GET') => createObserver()(
    { path: '/', method }, answer(200, 'zip', { 'content-encoding': 'gzip', ...headers })
  )
  for (const vary of ['Accept-Encoding', 'origin, accept-encoding', '*']) assert.equal(said({ vary }), null, vary)
  for (const vary of ['Origin', 'x-accept-encoding']) assert.match(said({ vary }) ?? '', /Vary does not name/, vary)
  assert.equal(said({ 'cache-control': 'private, no-store' }), null)
  assert.equal(said({}, 'POST'), null)
})
