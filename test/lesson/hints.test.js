import assert from 'node:assert/strict'
import test from 'node:test'
import { readHints, resolveLesson } from '../../runner/lesson/index.js'
import { makeRepository } from './fixture.js'

test('hints are under numbered headings; other text isn’t a hint', async (t) => {
  const root = await makeRepository(t, {
    'lessons/03-in-memory-json/hints.md':
      'Before.\n\n## 1\n\nOne.\n\n### Small heading\n\nStill one.\n\n## 2: plainer\n\nTwo.\n\n## Notes\n\nNo hint.\n'
  })
  const hints = await readHints(await resolveLesson('3', { root }))
  assert.deepEqual(hints, ['One.\n\n### Small heading\n\nStill one.', 'Two.'])
})

test('hints written on Windows read the same', async (t) => {
  const root = await makeRepository(t, {
    'lessons/03-in-memory-json/hints.md': '## 1\r\n\r\nOne\r\nline.\r\n\r\n## 2\r\n\r\nTwo.\r\n'
  })
  assert.deepEqual(await readHints(await resolveLesson('3', { root })), ['One\nline.', 'Two.'])
})

test('a lesson without hints says so in one sentence', async (t) => {
  const root = await makeRepository(t, {
    'lessons/03-in-memory-json/hints.md': '# Hints\n',
    'lessons/04-hintless/lesson.js': ''
  })
  await assert.rejects(readHints(await resolveLesson('3', { root })), {
    name: 'WorkshopError',
    message: /hints\.md has no hints/
  })
  await assert.rejects(readHints(await resolveLesson('4', { root })), {
    name: 'WorkshopError',
    message: /hints\.md cannot be read/
  })
})

test('a line of code that looks like a heading isn’t one', async (t) => {
  const root = await makeRepository(t, {
    'lessons/03-in-memory-json/hints.md': '## 1\n\n```sh\n## 2\n```\n\nStill one.\n'
  })
  assert.deepEqual(await readHints(await resolveLesson('3', { root })), ['```sh\n## 2\n```\n\nStill one.'])
})
