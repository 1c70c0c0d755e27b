import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import test from 'node:test'
import { svgFile } from '../../bench/drawings/svg.js'
import { flamePieces } from '../../bench/pictures/flame.js'
import { pictures } from '../../bench/pictures/list.js'
import { tableLines } from '../../bench/pictures/snippet.js'
import { escapeHtml } from '../../runner/report/index.js'
import { workshopRoot } from '../../runner/shared/workshop.js'
import { readMarkdown } from '../content/markdown.js'

const textOf = (/** @type {string} */ place) => fs.readFileSync(path.join(workshopRoot, place), 'utf8')

test('a picture that was recorded is small, says in words what its text says, and brings its own dark colours', () => {
  assert.ok(pictures.length >= 18)
  for (const { text, src } of pictures) {
    const alt = readMarkdown(textOf(text)).pictures.find((one) => one.src === src)?.alt.replace(/\s+/g, ' ')
    const svg = textOf(path.join(path.dirname(text), src))
    assert.ok(svg.includes(`<desc id="desc">${escapeHtml(alt ?? 'none')}</desc>`), `npm run measure pictures -- ${src}`)
    assert.ok(svg.length < 40_000, src)
    assert.match(svg, /@media \(prefers-color-scheme:dark\)/)
    assert.doesNotMatch(svg.slice(svg.indexOf('<style')), /https?:|<script|<image|url\(|NaN|undefined/, src)
  }
})

test('the gallery folds the answer to each of its ten shapes, and links the lesson of the server', () => {
  const sections = textOf('docs/gallery.md').split(/^## (?=\d)/m).slice(1)
  const shapes = pictures.filter(({ text }) => text === 'docs/gallery.md')
  assert.equal(shapes.length, 10)
  assert.equal(sections.length, shapes.length)
  for (const [at, { lesson, src }] of shapes.entries()) {
    const [open, answer] = sections[at].split('<details>')
    assert.ok(open.includes(`](${src})`), src)
    assert.match(answer, new RegExp(`\\*\\*.+\\*\\*[^]*/${lesson}/`))
  }
})

test('a table keeps its columns under their titles, and numbers are where they are explained', () => {
  const lines = tableLines(
    '┌──┐\n│ Stat │ 2.5% │ 50% │ Avg │ Stdev │ Max │\n│ Latency │ 1 │ 22 ms │ 3 │ 4 │ 5 │\n└──┘\n' +
    '1 2xx responses, 2 non 2xx responses\n3 requests in 4s, 5 B read\n')
  assert.deepEqual(lines.map(({ text }) => text.trimEnd()), ['', 'Stat    50%   Avg Max', 'Latency 22 ms 3   5', '',
    '1 2xx responses, 2 non 2xx responses', '3 requests in 4s, 5 B read'])
  assert.deepEqual(lines[0].marks, [[1, 8], [3, 14], [4, 18]])
  assert.deepEqual(lines.slice(4).map(({ marks }) => marks), [[[6, null]], [[7, null]]])
})

test('a bar is as wide as its share, on its caller; a chain of packages is one bar; no name breaks out', () => {
  const frame = (/** @type {string} */ name, /** @type {any} */ owner, /** @type {number} */ totalMs,
    /** @type {any[]} */ children = []) => /** @type {any} */
    ({ name, owner, totalMs, children, place: '', url: '', line: 1, column: 1, selfMs: 0 })
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
