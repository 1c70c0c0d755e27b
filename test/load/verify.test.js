import assert from 'node:assert/strict'
import test from 'node:test'
import { createVerifier } from '../../runner/load/verify.js'

/**
 * @import { Item, LoadAnswer } from '../../runner/lesson/index.js'
 * @import { RawAnswer } from '../../runner/load/closed-loop.js'
 */

/** @param {Partial<RawAnswer> & { item: Item, body?: string }} parts @returns {RawAnswer} */
const raw = ({ item, body = 'right', ...rest }) => ({
  item,
  status: 200,
  rawHeaders: ['Content-Type', 'text/plain'],
  chunks: [Buffer.from(body)],
  port: 50_000,
  sentAt: 10,
  receivedAt: 15,
  ...rest
})

test('an answer is checked once for its key, and again when anything that matters has changed', () => {
  let checks = 0
  const item = { path: '/', key: 'v1', check: () => { checks++; return undefined } }
  const { take, finish } = createVerifier()
  take(raw({ item }))
  finish()
  take(raw({ item }))
  finish()
  assert.equal(checks, 1)
  take(raw({ item, body: 'other' }))
  take(raw({ item, rawHeaders: ['Content-Type', 'text/html'] }))
  take(raw({ item, status: 404 }))
  take(raw({ item: { ...item, key: 'v2' } }))
  finish()
  assert.equal(checks, 5)
})

test('a wrong answer is never remembered as accepted', () => {
  const item = { path: '/', key: 'v1', check: () => 'wrong' }
  const { take, finish } = createVerifier()
  for (let i = 0; i < 3; i++) take(raw({ item }))
  assert.equal(finish().wrong, 3)
  take(raw({ item }))
  assert.equal(finish().wrong, 1)
})

test('only the first few wrong answers are told, all are counted', () => {
  const { take, finish } = createVerifier()
  for (let i = 0; i < 100; i++) take(raw({ item: { path: `/${i}`, check: () => 'wrong' } }))
  const { wrong, problems } = finish()
  assert.equal(wrong, 100)
  assert.ok(problems.length <= 20)
  assert.equal(problems[0].message, 'GET /0: wrong')
})

test('an answer that a check cannot read is wrong, not a fault of ours', () => {
  const { take, finish } = createVerifier()
  take(raw({ item: { path: '/', check: (/** @type {any} */ answer) => answer.json().list.length } }))
  assert.match(finish().problems[0].message, /doesn’t have the shape/)
})

test('a stream hears of its answer at once, with headers and body', () => {
  /** @type {any} */
  let heard
  const { take } = createVerifier()
  take(
    raw({
      item: { path: '/', check: () => undefined, answered: (/** @type {any} */ answer) => { heard = answer } },
      rawHeaders: ['ETag', '"1"', 'Set-Cookie', 'a=1', 'Set-Cookie', 'b=2']
    })
  )
  assert.deepEqual(
    [heard.status, heard.headers.etag, heard.setCookie, heard.text(), heard.elapsedMs],
    [200, '"1"', ['a=1', 'b=2'], 'right', 5]
  )
})

test(
  'answers in several pieces are the same as one in other pieces, and differ by a single byte or by their length',
  () => {
    /** @type {string[]} */
    const checked = []
    const item = {
      path: '/',
      key: 'v1',
      check: (/** @type {LoadAnswer} */ answer) => {
        checked.push(answer.text())
        return undefined
      }
    }
    const inPieces = (/** @type {string[]} */ ...pieces) =>
      raw({ item, chunks: pieces.map((piece) => Buffer.from(piece)) })
    const { take, finish } = createVerifier()
    take(inPieces('ri', 'ght'))
    take(inPieces('right'))
    take(inPieces('r', 'igh', 't'))
    finish()
    assert.deepEqual(checked, ['right'])
    for (const pieces of [['ri', 'ghT'], ['ri', 'gh'], ['ri', 'ght', '!'], []]) take(inPieces(...pieces))
    finish()
    assert.deepEqual(checked, ['right', 'righT', 'righ', 'right!', ''])
  }
)

test('of the same wrong answers each is counted, even when they come before the first of them is checked', () => {
  const item = {
    path: '/',
    key: 'v1',
    check: (/** @type {any} */ answer) => (answer.text() === 'right' ? undefined : 'wrong')
  }
  const { take, finish } = createVerifier()
  for (const body of ['right', 'left', 'left', 'right', 'left']) take(raw({ item, body }))
  assert.equal(finish().wrong, 3)
})

test('a wrong answer with status 504 came too late, one with another is wrong whenever it comes', () => {
  const { take, finish } = createVerifier()
  const item = { path: '/', check: () => 'wrong' }
  for (const status of [504, 503, 200]) take(raw({ item, status }))
  assert.deepEqual(finish().problems.map(({ kind }) => kind), ['no answer', 'status', 'mismatch'])
})
