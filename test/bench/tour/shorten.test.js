import assert from 'node:assert/strict'
import test from 'node:test'
import { shorten } from '../../../bench/tour/shorten.js'

/** @param {string} text */
const picture = (text) => ({ rows: [[{ x: 0, columns: text.length, text, style: {} }]], cursor: null })
/** @param {[number, string][]} frames */
const framesOf = (frames) => frames.map(([atMs, text]) => ({ atMs, picture: picture(text) }))
/** @param {ReturnType<typeof shorten>} film */
const seen = ({ frames }) => frames.map(({ atMs, picture }) => [Math.round(atMs), picture.rows[0][0].text])

test('a long wait becomes short and evenly so; what is before and after keeps its pace', () => {
  const frames = framesOf([[0, 'a'], [1000, 'b'], [6000, 'c'], [11000, 'd'], [11500, 'e']])
  const film = shorten({ frames, waits: [{ fromMs: 1000, toMs: 11000 }], endMs: 12000 }, 2000)
  assert.deepEqual(seen(film), [[0, 'a'], [1000, 'b'], [2000, 'c'], [3000, 'd'], [3500, 'e']])
  assert.equal(Math.round(film.endMs), 4000)
})

test('what would flash by is left out, and no two frames in a row are alike; the last one stays', () => {
  const frames = framesOf([[0, 'half'], [5, 'a'], [500, 'wiped'], [510, 'a'], [900, 'b']])
  assert.deepEqual(seen(shorten({ frames, waits: [], endMs: 1500 }, 2000)), [[0, 'a'], [900, 'b']])
})
