import assert from 'node:assert/strict'
import test from 'node:test'
import MarkdownIt from 'markdown-it'
import { readHints, resolveLesson } from '../../runner/lesson/index.js'
import { plainText, wrap } from '../../runner/lesson/plain-text.js'
import { makeRepository } from './fixture.js'

test('hints stand under numbered headings; what stands elsewhere is no hint', async (t) => {
  const root = await makeRepository(t, {
    'lessons/03-in-memory-json/hints.md':
      'Before.\n\n## 1\n\nOne.\n\n### Small heading\n\nStill one.\n\n## 2: plainer\n\nTwo.\n\n## Notes\n\nNo hint.\n'
  })
  const hints = await readHints(await resolveLesson('3', { root }), { width: 80 })
  assert.deepEqual(hints, ['One.\n\nSmall heading\n\nStill one.', 'Two.'])
})

test('hints written on Windows read the same', async (t) => {
  const root = await makeRepository(t, {
    'lessons/03-in-memory-json/hints.md': '## 1\r\n\r\nOne\r\nline.\r\n\r\n## 2\r\n\r\nTwo.\r\n'
  })
  assert.deepEqual(await readHints(await resolveLesson('3', { root }), { width: 80 }), ['One line.', 'Two.'])
})

test('a lesson without hints says so in one sentence', async (t) => {
  const root = await makeRepository(t, {
    'lessons/03-in-memory-json/hints.md': '# Hints\n',
    'lessons/04-hintless/lesson.js': ''
  })
  await assert.rejects(readHints(await resolveLesson('3', { root }), { width: 80 }), {
    name: 'WorkshopError',
    message: /hints\.md holds no hint/
  })
  await assert.rejects(readHints(await resolveLesson('4', { root }), { width: 80 }), {
    name: 'WorkshopError',
    message: /hints\.md cannot be read/
  })
})

test('Markdown becomes plain text: lists, code, links and quotes', () => {
  assert.equal(render([
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
  ], 40), [
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
  ].join('\n'))
})

test('code stays on one line where it fits, and is broken where it cannot fit', () => {
  assert.deepEqual(wrap('Then run `npm\u00a0run\u00a0check`.', 20), ['Then run', '`npm run check`.'])
  assert.deepEqual(wrap('Then run `npm\u00a0run\u00a0check`.', 10), ['Then run', '`npm run', 'check`.'])
})

test('a word longer than the line stands alone', () => {
  assert.deepEqual(wrap('a extraordinarily b', 5), ['a', 'extraordinarily', 'b'])
})

/** @param {string[]} lines @param {number} width */
function render (lines, width) {
  return plainText(MarkdownIt().parse(lines.join('\n'), {}), { width })
}
