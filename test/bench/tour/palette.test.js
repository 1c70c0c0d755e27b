import assert from 'node:assert/strict'
import test from 'node:test'
import { dark, fixedColour, light } from '../../../bench/tour/palette.js'

for (const [name, { paper, ink, colours }] of Object.entries({ light, dark })) {
  test(`every colour can be read in the ${name} page`, () => {
    assert.equal(colours.length, 16)
    for (const colour of [ink, ...colours]) {
      const ratio = contrast(colour, paper)
      assert.ok(ratio >= 4.5, `${colour} on ${paper}: ${ratio.toFixed(2)}`)
    }
  })
}

test('the other colours are those of xterm', () => {
  assert.deepEqual([16, 21, 196, 231, 232, 255].map(fixedColour),
    ['#000000', '#0000ff', '#ff0000', '#ffffff', '#080808', '#eeeeee'])
})

/** WCAG 2.2, contrast ratio. @param {string} one @param {string} other */
function contrast (one, other) {
  const [high, low] = [luminance(one), luminance(other)].sort((a, b) => b - a)
  return (high + 0.05) / (low + 0.05)
}

/** WCAG 2.2, relative luminance. @param {string} colour `#rrggbb` */
function luminance (colour) {
  const [red, green, blue] = [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16) / 255)
    .map((part) => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
