import assert from 'node:assert/strict'
import test from 'node:test'
import { Answer, ContractError, shapeError } from '../../runner/contract/answer.js'
import { parseCookie } from '../../runner/shared/http-fields.js'

const answer = (/** @type {Partial<ConstructorParameters<typeof Answer>[0]>} */ parts = {}) =>
  new Answer({
    label: 'GET /movies',
    status: 200,
    rawHeaders: [
      'Content-Type',
      'application/json; charset=utf-8',
      'ETag',
      '"1"',
      'Set-Cookie',
      'sid=a%20b; Path=/token; HttpOnly; Secure',
      'Set-Cookie',
      'theme=dark'
    ],
    body: Buffer.from('{"id":1,"tags":["a"]}'),
    elapsedMs: 3,
    ...parts
  })
const fails = (/** @type {() => unknown} */ run, /** @type {string} */ message) => assert.throws(run, (error) => {
  assert.ok(error instanceof ContractError)
  assert.equal(error.message, `GET /movies: ${message}`)
  return true
})

test('what is as expected can be chained', () => {
  answer()
    .expectStatus(200)
    .expectType('application/json')
    .expectHeader('etag', /^"/)
    .expectHeader('ETag', '"1"')
    .expectNoHeader('x-powered-by')
    .expectJson({ tags: ['a'], id: 1 })
    .expectShape({ id: 'number', tags: ['string'] })
})

test('each failure names the request, what was expected and what came', () => {
  fails(() => answer({ status: 500 }).expectStatus(200), 'expected status 200, got 500')
  fails(() => answer({ status: 200 }).expectStatus(201), 'expected status 201, got 200')
  fails(() => answer().expectType('text/html'), 'expected Content-Type text/html, got application/json')
  fails(() => answer().expectHeader('Cache-Control'), 'the header Cache-Control is missing')
  fails(() => answer().expectHeader('ETag', '"2"'), 'expected ETag: "2", got "1"')
  fails(() => answer().expectNoHeader('ETag'), 'the header ETag should not be there')
  fails(() => answer().expectJson({ id: 2 }), 'expected {"id":2}, got {"id":1,"tags":["a"]}')
  fails(() => answer({ body: Buffer.from('<html>') }).json(), 'the body is not valid JSON: <html>')
  fails(() => answer().expectShape({ id: 'string', tags: 'any' }), 'id should be a string, got 1')
})

test('cookies are read with their flags', () => {
  const cookie = answer().expectCookie('sid', { httpOnly: true, secure: true, path: '/token' })
  assert.deepEqual([cookie.value, cookie.attributes], ['a b', { path: '/token', httponly: true, secure: true }])
  fails(() => answer().expectCookie('theme', { httpOnly: true }), 'the cookie theme is not httpOnly')
  fails(() => answer().expectCookie('sid', { path: '/' }), 'the cookie sid should have path=/, got /token')
  fails(() => answer().cookie('none'), 'the cookie none is not set')
})

test('odd cookies do not break the reader', () => {
  assert.deepEqual(parseCookie('a=%E0%A4%A; Max-Age=3=4;;'), {
    name: 'a',
    value: '%E0%A4%A',
    attributes: { 'max-age': '3=4', '': true }
  })
  assert.equal(parseCookie('flag').value, '')
})

test('a shape says where a value misses it', () => {
  const shape = { id: 'number', name: /^[A-Z]/, tags: ['string'], address: { zip: (/** @type {any} */ v) => v > 999 } }
  const good = { id: 1, name: 'Ada', tags: ['x'], address: { zip: 1000 } }
  assert.equal(shapeError(good, shape), undefined)
  for (const [change, message] of /** @type {[any, string][]} */ ([
    [{ id: '1' }, 'id should be a number, got "1"'],
    [{ name: 'ada' }, 'name should fit /^[A-Z]/, got "ada"'],
    [{ tags: ['x', 2] }, 'tags[1] should be a string, got 2'],
    [{ tags: {} }, 'tags should be a list, got {}'],
    [{ address: { zip: 1 } }, 'address.zip is not as it should be: 1'],
    [{ address: null }, 'address should be an object, got null'],
    [{ extra: 1 }, 'the body has extra, which should not be there']
  ])) assert.equal(shapeError({ ...good, ...change }, shape), message)
  assert.equal(shapeError({ ...good, extra: 1 }, shape, { extra: true }), undefined)
  assert.equal(shapeError({}, { id: 'number' }), 'the body has no id')
  // A key of the prototype is no key of the body.
  assert.equal(shapeError({}, { toString: 'any' }), 'the body has no toString')
})
