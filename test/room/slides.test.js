import assert from 'node:assert/strict'
import test from 'node:test'
import { slidesPage } from '../../runner/room/pages/index.js'
import { slidesOf } from '../../runner/room/pages/slides-of.js'

test('a line --- ends a slide, and comments are notes of the slide on which they stand', () => {
  const text = '# One\n\n<!-- Say hello. -->\n\nText\n\n---\n\n## Two\n\n- a\n- b\n\n<!--\nWait.\n\nThen go on.\n-->\n'
  assert.deepEqual(slidesOf(text), [
    { markdown: '# One\n\n\nText', notes: 'Say hello.' },
    { markdown: '## Two\n\n- a\n- b', notes: 'Wait.\n\nThen go on.' }
  ])
})

test('several notes of a slide are kept in their order', () => {
  assert.equal(slidesOf('a\n\n<!-- 1 -->\n\nb\n\n<!-- 2 -->')[0].notes, '1\n\n2')
})

test('code, lists, notes and headings may hold lines of dashes and comments of their own', () => {
  for (const markdown of [
    '```\n---\n<!-- no note -->\n```',
    '    ---',
    'A heading\n---',
    '- item\n\n  ---\n\n  more',
    '| a |\n|---|\n| b |',
    '***',
    'a <!-- within a line --> b'
  ]) {
    assert.deepEqual(slidesOf(markdown), [{ markdown: markdown.trim(), notes: '' }], markdown)
  }
  assert.deepEqual(slidesOf('a\n\n<!--\nnot\n\n---\n\nan end\n-->'), [{ markdown: 'a', notes: 'not\n\n---\n\nan end' }])
})

test('slides without text are left out, and line ends of Windows are line ends', () => {
  assert.deepEqual(slidesOf(''), [])
  assert.deepEqual(slidesOf('---\n\na\n\n---\n\n---\n\n<!-- alone -->\n'), [{ markdown: 'a', notes: '' }])
  assert.deepEqual(slidesOf('a\r\n\r\n---\r\n\r\nb\r\n'), [{ markdown: 'a', notes: '' }, { markdown: 'b', notes: '' }])
})

test('the page has a section for each slide, and notes only where they are asked for', () => {
  const text = '# One\n\n<!-- Say <b>hello</b>. -->\n\n---\n\n## Two\n'
  const pages = [false, true].map((hasNotes) => slidesPage({ code: 'abcd-efgh', text, hasNotes }))
  for (const page of pages) assert.equal(page.match(/<section class="slide"/g)?.length, 2)
  assert.doesNotMatch(pages[0], /hello/)
  assert.match(pages[1], /Say &lt;b&gt;hello/)
})
