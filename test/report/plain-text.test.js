import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import test from 'node:test'
import { findLessons } from '../../runner/lesson/index.js'
import { markdownText } from '../../runner/report/index.js'
import { textWidth } from '../../runner/report/theme.js'
import { readMarkdown } from '../content/markdown.js'

const look = { columns: 40, colour: false, unicode: true, links: false, dir: process.cwd() }

test('paragraphs, lists and quotes are wrapped, code and tables stay as they are', () => {
  assert.deepEqual(render([
    'Look at **one** thing in `a b`, and',
    'at [this page](https://example.org) here.',
    '',
    '- first',
    '- second item that is wrapped at forty columns',
    '  and goes on',
    '  1. inner',
    '',
    '> quoted',
    '> twice',
    '',
    '    npm run check lesson-3 -- --server a/long/path/that/stays/whole',
    '',
    '| request | answer that is wider than the window |'
  ]), [
    'Look at **one** thing in `a b`, and at',
    'this page (https://example.org) here.',
    '',
    '- first',
    '- second item that is wrapped at forty',
    '  columns and goes on',
    '  1. inner',
    '',
    '> quoted twice',
    '',
    '    npm run check lesson-3 -- --server a/long/path/that/stays/whole',
    '',
    '| request | answer that is wider than the window |'
  ])
})

test('headings are kept, and HTML is not seen', () => {
  assert.deepEqual(render([
    '# One', '', '<!-- measured -->', '## Two `c`', '',
    '<details><summary>More</summary>', '', 'Inside.', '', '</details>'
  ]), ['# One', '', '## Two `c`', '', '**More**', '', 'Inside.'])
})

test('a word longer than a line is broken, at the spaces of code if it has any', () => {
  assert.deepEqual(render(['Then `npm run check lesson-3 -- --server workspace/one`.']),
    ['Then `npm run check lesson-3 -- --server', 'workspace/one`.'])
  assert.deepEqual(render(['x'.repeat(45)]), ['x'.repeat(40), 'x'.repeat(5)])
})

test('files are named by their paths, once, and links in code are code', () => {
  const text = [
    '[The text](docs/verdicts.md#top), [`docs/measured.md`](docs/measured.md), [below](#below), `[a](b)`', '',
    '![Alt](a.png)'
  ]
  assert.equal(render(text).join(' '),
    'The text (docs/verdicts.md), `docs/measured.md`, below, `[a](b)`  Picture: Alt (a.png)')
})

test('what could move the cursor is written as an escape', () => {
  assert.deepEqual(render(['a\u001b[2Jb `c\u0007`', '', '    d\u001b']),
    ['a\\u{1b}[2Jb `c\\u{7}`', '', '    d\\u{1b}'])
})

test('no text of the workshop is wider than the window, but for its code and tables', async () => {
  const texts = (await findLessons()).flatMap(({ dir, solutionDir }) =>
    [path.join(dir, 'README.md'), path.join(dir, 'hints.md'), path.join(solutionDir, 'README.md')])
  assert.ok(texts.length > 40)
  for (const file of texts) {
    const source = fs.readFileSync(file, 'utf8')
    const code = readMarkdown(source).code.flatMap(({ text }) => text.split('\n'))
    for (const columns of [40, 80]) {
      const text = markdownText(source, { ...look, columns, dir: path.dirname(file) })
      const wide = text.split('\n').filter((line) => textWidth(line) > columns && !/^\s*\|/.test(line))
      assert.deepEqual(wide.filter((line) => !code.some((one) => one !== '' && line.endsWith(one))), [], file)
      assert.ok(text.length > 400, file)
    }
  }
})

/** @param {string[]} lines */
function render (lines) {
  return markdownText(lines.join('\n'), look).split('\n')
}
