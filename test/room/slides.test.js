import assert from 'node:assert/strict'
import test from 'node:test'
import { slidesPage, slidesWithNotes } from '../../runner/room/pages/index.js'
import { slidesOf } from '../../runner/room/pages/slides-of.js'
import { openTestRoom } from './open.js'

test('a line --- ends a slide, and comments are notes of their slide', () => {
  const text = '# One\n\n<!-- Say hello. -->\n\nText\n\n---\n\n## Two\n\n- a\n- b\n\n<!--\nWait.\n\nThen go on.\n-->\n'
  assert.deepEqual(slidesOf(text), [
    { markdown: '# One\n\n\nText', notes: 'Say hello.' },
    { markdown: '## Two\n\n- a\n- b', notes: 'Wait.\n\nThen go on.' }
  ])
})

test('several notes of a slide are kept in their order', () => {
  assert.equal(slidesOf('a\n\n<!-- 1 -->\n\nb\n\n<!-- 2 -->')[0].notes, '1\n\n2')
})

test('code, lists, notes and headings may contain lines of dashes and comments', () => {
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

test('the page has a numbered section for each slide and no notes; the presenter has them', () => {
  const text = '# One\n\n<!-- Say <b>hello</b>. -->\n\n---\n\n## Two\n'
  const page = slidesPage({ code: 'abcd-efgh', text })
  assert.deepEqual(page.match(/\d+ \/ \d+/g), ['1 / 2', '2 / 2'])
  assert.doesNotMatch(page, /hello/)
  const [{ html, notes }, second] = slidesWithNotes(text)
  assert.deepEqual([html, second.notes], ['<h1>One</h1>\n', ''])
  assert.match(notes, /Say &lt;b&gt;hello/)
})

test('a slide shows drawings of lessons, and no other file is served as one', async (t) => {
  const [{ html }] = slidesWithNotes('# A\n\n![Loops](../../lessons/07-blind-benchmark/pictures/loops.svg)')
  const [, place] = /<img src="([^"]+)" alt="Loops">/.exec(html) ?? []
  const { ask } = await openTestRoom(t)
  const { status, headers } = await ask('GET', place)
  assert.deepEqual([status, headers['content-type']], [200, 'image/svg+xml'])
  assert.match(headers['content-security-policy'], /^default-src 'none';.* sandbox$/)
  for (const other of ['/pictures/x/y.svg', '/pictures/..%2f/x.svg', '/pictures/07-blind-benchmark/..%2flesson.js']) {
    assert.equal((await ask('GET', other)).status, 404, other)
  }
})

test('notes are for the instructor’s secret alone', async (t) => {
  const { ask, join, code, secret } = await openTestRoom(t)
  const { token } = await join()
  const { json: slides } = await ask('GET', '/api/class/slides', undefined, secret)
  const [, note] = /<p>([\w ]{20,})/.exec(slides.map((/** @type {any} */ { notes }) => notes).join('')) ?? []
  assert.ok(note)
  for (const place of [`/${code}/slides`, `/${code}/slides?notes`, '/class/slides']) {
    const { status, text } = await ask('GET', place)
    assert.deepEqual([status, text.includes(note)], [200, false], place)
  }
  assert.equal((await ask('GET', '/api/class/slides', undefined, token)).status, 401)
})
