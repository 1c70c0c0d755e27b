import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import test from 'node:test'
import { pathToFileURL } from 'node:url'
import { findLessons } from '../../runner/lesson/index.js'
import { markdownText } from '../../runner/report/index.js'
import { textWidth } from '../../runner/report/theme.js'
import { readMarkdown } from '../content/markdown.js'

const look = { columns: 40, colour: false, unicode: true, links: false, dir: process.cwd() }

test('lists, code, links and quotes', async () => {
  assert.deepEqual(await render([
    'Look at **one** *thing* in `a b`,',
    'and [here](https://example.org) or <https://example.com>.',
    '',
    '- first',
    '- second item that is wrapped at forty columns',
    '  1. inner',
    '',
    '> quoted',
    '',
    '```sh',
    'npm run check lesson-3 -- --server a/long/path/that/stays/whole',
    '```'
  ]), [
    'Look at one thing in `a b`, and here',
    '(https://example.org) or',
    'https://example.com.',
    '',
    '- first',
    '- second item that is wrapped at forty',
    '  columns',
    '  1. inner',
    '',
    '> quoted',
    '',
    '    npm run check lesson-3 -- --server a/long/path/that/stays/whole'
  ])
})

test('headings are seen without colour, and HTML is not seen', async () => {
  assert.deepEqual(await render([
    '# One', '', '<!-- measured -->', '## Two `c`', '',
    '<details><summary>More</summary>', '', 'Inside.', '', '</details>'
  ]), ['One', '━━━', '', 'Two `c`', '───────', '', 'More', '', 'Inside.'])
})

const table = [
  '| request | answer | else |', '|---|---|--:|', '| `GET /a` | two words and two more | 7 |', '| | and a second | 12 |'
]

test('a table has columns that fit, and else a block for each row', async () => {
  assert.deepEqual(await render(table), [
    'request   answer                  else',
    '────────  ──────────────────────  ────',
    '`GET /a`  two words and two more     7',
    '          and a second              12'
  ])
  const wordy = table.map((line) => line.replace('two more', 'many more than two that have to be wrapped'))
  assert.deepEqual(await render(wordy), [
    'request   answer                    else',
    '────────  ────────────────────────  ────',
    '`GET /a`  two words and many more      7',
    '          than two that have to be',
    '          wrapped',
    '          and a second                12'
  ])
  const long = table.map((line) => line.replace('GET /a', 'a-word-that-leaves-no-room'))
  assert.deepEqual(await render(long), [
    '`a-word-that-leaves-no-room`',
    '  answer: two words and two more',
    '  else: 7',
    '  answer: and a second',
    '  else: 12'
  ])
})

test('a word longer than a line is broken, at the spaces of code if it has any', async () => {
  assert.deepEqual(await render(['Then `npm run check lesson-3 -- --server workspace/one`.']),
    ['Then `npm run check lesson-3 -- --server', 'workspace/one`.'])
  assert.deepEqual(await render(['x'.repeat(45)]), ['x'.repeat(40), 'x'.repeat(5)])
})

test('files are named by their paths, and can be clicked where that is known', async () => {
  const text = [
    '[The text](docs/verdicts.md#top), [`docs/measured.md`](docs/measured.md), [below](#below)', '', '![Alt](a.png)'
  ]
  assert.equal((await render(text)).join(' '),
    'The text (docs/verdicts.md), `docs/measured.md`, below  Picture: Alt (a.png)')
  const clicked = (await render(text, { links: true })).join(' ')
  const url = pathToFileURL('docs/verdicts.md').href
  assert.ok(clicked.startsWith(`\u001b]8;;${url}\u001b\\The text\u001b]8;;\u001b\\ (`), JSON.stringify(clicked))
})

test('what could move the cursor is written as an escape', async () => {
  assert.deepEqual(await render(['a\u001b[2Jb `c\u0007`', '', '    d\u001b']),
    ['a\\u{1b}[2Jb `c\\u{7}`', '', '    d\\u{1b}'])
})

test('no text of the workshop is wider than the window, but for its lines of code', async () => {
  const texts = (await findLessons()).flatMap(({ dir, solutionDir }) =>
    [path.join(dir, 'README.md'), path.join(dir, 'hints.md'), path.join(solutionDir, 'README.md')])
  assert.ok(texts.length > 40)
  for (const file of texts) {
    const source = fs.readFileSync(file, 'utf8')
    const code = readMarkdown(source).code.flatMap(({ text }) => text.split('\n'))
    for (const columns of [40, 80]) {
      const text = await markdownText(source, { ...look, columns, dir: path.dirname(file) })
      const wide = text.split('\n').filter((line) => textWidth(line) > columns)
      assert.deepEqual(wide.filter((line) => !code.some((one) => one !== '' && line.endsWith(one))), [], file)
      assert.ok(text.length > 400, file)
    }
  }
})

/** @param {string[]} lines @param {object} [other] */
async function render (lines, other) {
  return (await markdownText(lines.join('\n'), { ...look, ...other })).split('\n')
}
