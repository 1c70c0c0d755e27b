import assert from 'node:assert/strict'
import test from 'node:test'
import { requestFor } from '../../runner/check/inside.js'

/** @import { Lesson } from '../../runner/lesson/index.js' */

test('a request that got no answer is asked again, even when its long path was shortened', () => {
  const stream = () => () => ({ path: '/list', check: () => undefined })
  const lesson = /** @type {Lesson} */ (/** @type {unknown} */ ({ loads: { list: { stream } } }))
  const session = /** @type {any} */ ({ data: {}, seed: 'silence' })
  assert.equal(requestFor(lesson, session, 'GET /list').path, '/list')
  assert.equal(requestFor(lesson, session, null).path, '/list')
  assert.deepEqual({ ...requestFor(lesson, session, 'PUT /a…'), check: undefined }, {
    method: 'PUT', path: '/a', check: undefined
  })
})
