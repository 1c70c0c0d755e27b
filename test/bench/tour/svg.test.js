import assert from 'node:assert/strict'
import test from 'node:test'
import { filmSvg } from '../../../bench/tour/svg.js'
import { readXml } from '../../report/formats/xml.js'

/** @import { Style } from '../../terminal/styled.js' */

const about = { columns: 20, rows: 3, title: 'A <tour>', description: 'One & two', caption: '"Said"' }

/** @param {string} text @param {Style} [style] @param {number} [columns] */
const row = (text, style = {}, columns = text.length) => [{ x: 0, columns, text, style }]
/** @param {import('../../terminal/styled.js').Piece[][][]} pictures a frame a second */
const film = (...pictures) => filmSvg({
  frames: pictures.map((rows, at) => ({ atMs: at * 1000, picture: { rows, cursor: null } })),
  endMs: pictures.length * 1000
}, about)
/** Of the only piece. @param {string} text @param {Style} style */
const drawn = (text, style) => /<defs><g id="r0">(.*)<\/g><\/defs>/.exec(film([row(text, style)]))?.[1]

test('it is one image with a name and a description, and nothing from elsewhere', () => {
  const svg = film([row('hello')])
  assert.match(svg, /^<svg xmlns="[^"]+" viewBox="[\d. ]+" width="[\d.]+" height="\d+" role="img" aria-labelledby="/)
  assert.match(svg, /<title id="title">A &lt;tour&gt;<\/title>\n<desc id="desc">One &amp; two<\/desc>/)
  assert.match(svg, />&quot;Said&quot;<\/text>/)
  assert.doesNotMatch(svg, /<script|@import|@font-face|url\(|<image|\son\w+=/)
  assert.deepEqual(svg.match(/https?:[^"]+/g), ['http://www.w3.org/2000/svg'])
})

test('it is well-formed, whatever is on the screen; sixteen colours follow the page, the others are fixed', () => {
  const nasty = '<b a="1">&amp;]]>\x1b\x00\ud800\ufffe\'--'
  const svg = film([row(nasty), row('x', { foreground: 208, background: '#010203', bold: true })], [])
  assert.equal(readXml(svg).name, 'svg')
  assert.ok(svg.includes('&lt;b a=&quot;1&quot;&gt;&amp;amp;]]&gt;\'--</tspan>'), svg)
  assert.match(`${drawn('red', { foreground: 1, bold: true })}`, /<tspan [^>]+ class="c1 bold">red<\/tspan>/)
  assert.match(`${drawn('256', { foreground: 208 })}`, / fill="#ff8700">/)
  assert.match(`${drawn('on', { background: 4 })}`, /^<rect x="0" width="16.8" height="19" class="c4"\/><text/)
})

test('each distinct row and frame is there once; the last frame is shown where nothing moves', () => {
  const [one, two] = [[row('one')], [row('one'), row('two')]]
  const svg = film(one, two, one, two)
  assert.equal(svg.match(/>one</g)?.length, 1)
  assert.equal(svg.match(/>two</g)?.length, 1)
  assert.equal(svg.match(/<g transform=/g)?.length, 2)
  assert.match(svg, /animation:film 4s step-end infinite/)
  const place = (/** @type {number} */ at) => at % 2 === 0 ? '0' : '-57'
  const stops = [0, 25, 50, 75].map((percent, at) => `${percent}%\\{transform:translateY\\(${place(at)}px\\)\\}`)
  assert.match(svg, new RegExp(`@keyframes film\\{${stops.join('')}100%\\{transform:translateY\\(-57px\\)\\}\\}`))
  assert.match(svg, /prefers-reduced-motion:reduce\)\{\.film\{animation:none\}\}/)
  assert.match(svg, /<g class="film" transform="translate\(0 -57\)">/)
})
