import assert from 'node:assert/strict'
import test from 'node:test'
import { carries, markerOf, newRunMarker, requireMarker } from '../../runner/process/signals.js'

const uuid = '0b7f0b8e-2c43-4c1e-9d5a-6f3b1a2c3d4e'

test('a marker is long and random, and never the same twice', () => {
  const markers = Array.from({ length: 100 }, newRunMarker)
  assert.equal(new Set(markers).size, 100)
  for (const marker of markers) assert.equal(markerOf('run', marker), `MAKE_IT_FAST_RUN=${marker}`)
  assert.equal(markerOf('server', `${uuid}/12`), `MAKE_IT_FAST_SERVER=${uuid}/12`)
})

for (const value of [
  '',
  ' ',
  '0',
  'undefined',
  'null',
  uuid.slice(1),
  `${uuid}/`,
  `${uuid}/0`,
  `${uuid} `,
  ` ${uuid}`,
  `${uuid}\n`,
  `${uuid}\0`,
  uuid.toUpperCase(),
  '*'
]) {
  test(`${JSON.stringify(value)} is no marker's value`, () => {
    assert.throws(() => markerOf('run', value), TypeError)
    assert.throws(() => requireMarker(`MAKE_IT_FAST_RUN=${value}`), TypeError)
  })
}

for (const marker of [
  '',
  '=',
  uuid,
  `=${uuid}`,
  `PATH=${uuid}`,
  `MAKE_IT_FAST_RUN${uuid}`,
  `XMAKE_IT_FAST_RUN=${uuid}`,
  undefined,
  null,
  0,
  []
]) {
  test(`${JSON.stringify(marker)} is no marker`, () => {
    assert.throws(() => requireMarker(/** @type {any} */ (marker)), TypeError)
  })
}

test('a variable is matched whole, with its name', () => {
  const marker = markerOf('run', uuid)
  const other = newRunMarker()
  assert.ok(carries(`A=1\0${marker}\0B=2\0`, marker))
  for (const environment of [
    null,
    '',
    '\0',
    'PATH=/bin\0',
    `MAKE_IT_FAST_RUN=${other}\0`,
    `MAKE_IT_FAST_SERVER=${uuid}\0`,
    `X${marker}\0`,
    `NOTE=${marker}\0`,
    `${marker}/1\0`,
    `${marker} \0`,
    `${marker.slice(0, -1)}\0`
  ]) assert.equal(carries(environment, marker), false, JSON.stringify(environment))
})
