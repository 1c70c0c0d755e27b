import assert from 'node:assert/strict'
import test from 'node:test'
import { filmSvg } from '../../../bench/tour/svg.js'

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

test('it is well-formed, whatever is on the screen', () => {
  const nasty = '<b a="1">&amp;]]>\x1b\x00\ud800\ufffe\'--'
  const svg = film([row(nasty), row('x', { foreground: 208, background: '#010203', bold: true })], [])
  assert.deepEqual(unclosed(svg), [])
  assert.ok(svg.includes('&lt;b a=&quot;1&quot;&gt;&amp;amp;]]&gt;\'--</tspan>'), svg)
  assert.deepEqual(unclosed('<a><b></a>'), ['</a> closes <b>'])
})

test('colours and styles: sixteen follow the page, the others are fixed', () => {
  assert.match(`${drawn('red', { foreground: 1, bold: true })}`, /<tspan [^>]+ class="c1 bold">red<\/tspan>/)
  assert.match(`${drawn('dim', { dim: true, italic: true })}`, / class="dim italic">/)
  assert.match(`${drawn('256', { foreground: 208 })}`, / fill="#ff8700">/)
  assert.match(`${drawn('cube', { foreground: 16 })}`, / fill="#000000">/)
  assert.match(`${drawn('grey', { foreground: 255 })}`, / fill="#eeeeee">/)
  assert.match(`${drawn('rgb', { foreground: '#0a0b0c' })}`, / fill="#0a0b0c">/)
  assert.match(`${drawn('on', { background: 4 })}`, /^<rect x="0" width="16.8" height="19" class="c4"\/><text/)
})

test('inverse turns text and background around, also where they are the usual ones', () => {
  assert.match(`${drawn('x', { inverse: true })}`, /<rect [^>]+ class="ink"\/>.*<tspan x="0" class="paper">x</)
  assert.match(
    `${drawn('x', { inverse: true, foreground: 2, background: 200 })}`,
    /<rect [^>]+ class="c2"\/><text [^>]+><tspan x="0" fill="#ff00d7">x</
  )
})

test('blanks at the edges of a piece take no ink but keep their place; underlined ones are drawn', () => {
  assert.match(`${drawn('  ab  ', {})}`, /<tspan x="16.8" textLength="16.8" lengthAdjust="spacingAndGlyphs">ab</)
  assert.match(`${drawn(' a ', { underline: true })}`, /<tspan x="0" textLength="25.2" [^>]+ class="underline"> a </)
  const wide = film([row('漢字', {}, 4)])
  assert.match(wide, /<tspan x="0" textLength="33.6" lengthAdjust="spacingAndGlyphs">漢字</)
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

test('the cursor is drawn where it can be seen', () => {
  const at = (/** @type {{ x: number, y: number } | null} */ cursor) =>
    filmSvg({ frames: [{ atMs: 0, picture: { rows: [], cursor } }], endMs: 1000 }, about)
  assert.match(at({ x: 2, y: 1 }), /<rect x="16.8" y="19" width="8.4" height="19" class="cursor"\/>/)
  assert.doesNotMatch(at(null), /class="cursor"/)
})

/** What does not close as XML has to. @param {string} svg @returns {string[]} */
function unclosed (svg) {
  /** @type {string[]} */
  const open = []
  const faults = [...svg.matchAll(/[\p{Cc}\p{Surrogate}]/gu)].filter(([sign]) => sign !== '\n').map(String)
  const rest = svg.replace(/<(\/?)(\w+)((?: [\w-]+="[^"<]*")*)(\/?)>/g, (_, end, name, __, empty) => {
    if (!end && !empty) open.push(name)
    if (end && open.at(-1) !== name) faults.push(`</${name}> closes <${open.at(-1)}>`)
    if (end) open.pop()
    return ''
  })
  if (/[<]|&(?!(amp|lt|gt|quot);)/.test(rest)) faults.push(`left over: ${rest}`)
  return faults.length > 0 ? faults : open
}
