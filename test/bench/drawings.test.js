import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import test from 'node:test'
import { drawAll } from '../../bench/drawings/draw-all.js'
import { small, usual, width } from '../../bench/drawings/svg.js'
import { workshopRoot } from '../../runner/shared/workshop.js'

const drawings = await drawAll()
/** Of a page 360 px wide, less its margins, px. */
const room = 328

test('text can be read on a phone', () => {
  assert.ok(Math.min(small, usual) * room / width >= 11)
})

test('redrawing the drawings changes none of them (else: npm run measure drawings)', () => {
  assert.ok(drawings.length >= 15)
  for (const { place, svg } of drawings) {
    assert.equal(fs.readFileSync(path.join(workshopRoot, place), 'utf8').replaceAll('\r\n', '\n'), svg, place)
  }
})

test('a lesson that shows its drawing says in words what it shows', () => {
  const shown = drawings.filter(({ place, markdown }) => {
    const text = fs.readFileSync(path.join(workshopRoot, place, '..', '..', 'README.md'), 'utf8').replace(/\s+/g, ' ')
    const isShown = text.includes(`](pictures/${path.basename(place)})`)
    if (isShown) assert.ok(text.includes(markdown), place)
    return isShown
  })
  assert.ok(shown.length >= 4)
})

test('a drawing brings its own dark colours, and nothing from elsewhere', () => {
  for (const { svg, place } of drawings) {
    assert.match(svg, /@media \(prefers-color-scheme:dark\)/, place)
    const own = svg.replace('http://www.w3.org/2000/svg', '')
    assert.doesNotMatch(own, /https?:|<script|<image|url\(|NaN|undefined/, place)
  }
})
