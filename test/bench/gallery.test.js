import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import test from 'node:test'
import { svgFile } from '../../bench/drawings/svg.js'
import { flamePieces } from '../../bench/gallery/flame.js'
import { shapes } from '../../bench/gallery/shapes.js'
import { workshopRoot } from '../../runner/workshop.js'

const page = fs.readFileSync(path.join(workshopRoot, 'docs/gallery.md'), 'utf8')
const sections = page.split(/^## (?=\d)/m).slice(1)

test('the gallery shows ten shapes in words and as small pictures, each with its answer folded', () => {
  assert.equal(shapes.length, 10)
  assert.equal(sections.length, shapes.length)
  for (const [at, { alt, lesson }] of shapes.entries()) {
    const [open, answer] = sections[at].split('<details>')
    assert.ok(open.replace(/\s+/g, ' ').includes(`![${alt}](gallery/${at + 1}.svg)`), `the text of shape ${at + 1}`)
    assert.match(answer, new RegExp(`\\*\\*.+\\*\\*[^]*/${lesson}/`))
    const svg = fs.readFileSync(path.join(workshopRoot, `docs/gallery/${at + 1}.svg`), 'utf8')
    assert.ok(svg.length < 40_000)
    assert.ok(svg.includes(`<desc id="desc">${alt}</desc>`), `npm run measure gallery -- ${at + 1}`)
    assert.match(svg, /@media \(prefers-color-scheme:dark\)/)
    assert.doesNotMatch(svg.replace('http://www.w3.org/2000/svg', ''), /https?:|<script|<image|url\(|NaN|undefined/)
  }
})

test('a bar is as wide as its share, on its caller; a chain of packages is one bar; no name breaks out', () => {
  const frame = (/** @type {string} */ name, /** @type {any} */ owner, /** @type {number} */ totalMs,
    /** @type {any[]} */ children = []) =>
    ({ name, owner, totalMs, children, place: '', url: '', line: 1, column: 1, selfMs: 0, lines: [] })
  const chain = ['a', 'b', 'c'].reduceRight((/** @type {any[]} */ on, name) => [frame(name, 'package', 50, on)],
    [frame('<yours>', 'yours', 50)])
  const drawn = flamePieces(frame('all', 'native', 100, [...chain, frame('idle', 'idle', 50)]),
    { nameOf: ({ name }) => name, folds: true })
  const svg = svgFile({ title: '', alt: '', ...drawn })
  assert.match(svg, /class="package" d="M12,29h167\.5/)
  assert.match(svg, /class="yours" d="M12,12h167\.5/)
  assert.match(svg, />… 3 functions</)
  assert.match(svg, />&#60;yours&#62;</)
})
