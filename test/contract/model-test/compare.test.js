import assert from 'node:assert/strict'
import test from 'node:test'
import { Answer } from '../../../runner/contract/answer.js'
import { difference } from '../../../runner/contract/operation.js'

/** @import { Operation } from '../../../runner/contract/index.js' */

/** @type {Operation} */
const operation = { rule: 'answers', draw: () => null }
const json = { 'content-type': 'application/json; charset=utf-8' }

/** @param {number} status @param {string} body @param {Record<string, string | string[]>} [headers] */
function answered (status, body, headers = json) {
  const rawHeaders = Object.entries(headers).flatMap(([name, value]) => [value].flat().flatMap((one) => [name, one]))
  return { answer: new Answer({ label: 'GET /', status, rawHeaders, body: Buffer.from(body), elapsedMs: 1 }) }
}

/**
 * @param {Partial<Operation>} more
 * @param {Parameters<typeof answered>} slow
 * @param {Parameters<typeof answered>} own
 */
const compare = (more, slow, own) => difference({ ...operation, ...more }, {}, answered(...slow), answered(...own))

test('what means the same is the same', () => {
  assert.equal(
    compare({}, [200, '{"a":1,"b":2}'], [200, '{"b":2, "a":1}', { 'Content-Type': 'application/json' }]),
    null
  )
  assert.equal(compare({}, [200, '', { allow: 'GET, PUT' }], [200, '', { allow: 'put,GET' }]), null)
  assert.equal(
    compare(
      {},
      [201, '{}', { ...json, location: '/a' }],
      [201, '{}', { ...json, location: 'http://127.0.0.1:8080/a' }]
    ),
    null
  )
  assert.equal(
    compare({}, [200, '1', { ...json, vary: 'Accept' }], [200, '1', { ...json, vary: 'Cookie, accept' }]),
    null
  )
})

test('an answer without a body needs no word about the body that it would have', () => {
  assert.equal(compare({}, [304, '', { 'content-encoding': 'gzip' }], [304, '']), null)
  assert.notEqual(compare({}, [200, '1', { ...json, 'content-encoding': 'gzip' }], [200, '1', json]), null)
})

test('status, body and headers that differ are told, with both', () => {
  assert.deepEqual(compare({}, [200, '{"a":1}'], [500, 'no']), {
    what: 'the status', expected: '200 {"a":1}', got: '500 no'
  })
  assert.deepEqual(compare({}, [200, '{"a":{"b":[1,2]}}'], [200, '{"a":{"b":[1,3]}}']), {
    what: 'the body at a.b[1]', expected: '2', got: '3'
  })
  assert.equal(compare({}, [200, '1'], [200, '1', { 'content-type': 'text/plain' }])?.what, 'the header content-type')
  assert.equal(compare({ headers: ['x-a'] }, [200, '1', { ...json, 'x-a': 'b' }], [200, '1'])?.got, 'none')
  assert.equal(compare({}, [200, '1'], [200, 'not JSON'])?.what, 'the body')
})

test('a cookie keeps its name and its flags; its value and its date are its own', () => {
  const slow = { ...json, 'set-cookie': 'a=1; HttpOnly; Path=/; Expires=Mon, 01 Jan 2026 00:00:00 GMT' }
  const own = (/** @type {string} */ cookie) =>
    compare({}, [200, '1', slow], [200, '1', { ...json, 'set-cookie': cookie }])
  assert.equal(own('a=2; Path=/; Expires=Tue, 02 Jan 2026 00:00:00 GMT; HttpOnly'), null)
  assert.equal(own('a=2; Path=/; Expires=Tue, 02 Jan 2026 00:00:00 GMT')?.what, 'the header set-cookie')
  assert.equal(own('a=2; Path=/; HttpOnly')?.what, 'the header set-cookie')
})

test('a server that is not told to allow caching does not, and one that forbids it goes on to do so', () => {
  const cached = (/** @type {string | undefined} */ slow, /** @type {string | undefined} */ own) => compare(
    {},
    [200, '1', { ...json, ...(slow === undefined ? {} : { 'cache-control': slow }) }],
    [200, '1', { ...json, ...(own === undefined ? {} : { 'cache-control': own }) }]
  )
  assert.equal(cached(undefined, 'no-cache'), null)
  assert.equal(cached(undefined, 'public, max-age=0'), null)
  assert.ok(cached(undefined, 'public, max-age=60'))
  assert.ok(cached('no-store', undefined))
  assert.equal(cached('public, max-age=120', 'max-age=120,public'), null)
})

test('where the text promises a refusal and no more, any refusal will do', () => {
  assert.equal(compare({ loose: true }, [400, '{"error":"x"}'], [415, 'no', { 'content-type': 'text/plain' }]), null)
  assert.ok(compare({ loose: true }, [400, '{"error":"x"}'], [500, 'no']))
  assert.ok(compare({ loose: true }, [400, '{"error":"x"}'], [200, '{}']))
})

test('an operation says what of its body has to agree', () => {
  const meaning = (/** @type {Answer} */ answer) => typeof answer.json().token
  assert.equal(compare({ meaning }, [200, '{"token":"a"}'], [200, '{"token":"b"}']), null)
  assert.equal(compare({ meaning }, [200, '{"token":"a"}'], [200, '{"token":1}'])?.what, 'the body')
})

test('a missing answer is a difference; a missing request isn’t', () => {
  const slow = answered(200, '1')
  assert.deepEqual(difference(operation, {}, slow, { failure: 'no answer within 5 s' }), {
    what: 'the answer', expected: 'status 200', got: 'no answer within 5 s'
  })
  assert.equal(difference(operation, {}, slow, null), null)
})
