import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import test from 'node:test'
import { findLessons, questionsIn } from '../../runner/lesson/index.js'

test('a prediction asks what the text asks: the items of its lists, and the questions of its paragraphs', () => {
  const text = `# One

## 2. Predict

Write it down. Three steps
are synchronous. Which one *matters*?

    npm run bench one

| a | b |
|---|---|

Not a question.

What of each:

1. the disk,
2. the event
   loop.

<details><summary>Answers</summary>

Is this one?

</details>

## 3. Find it

And this?
`
  assert.deepEqual(questionsIn(text), [
    { intro: '', questions: ['Three steps are synchronous. Which one *matters*?'] },
    { intro: 'What of each:', questions: ['the disk', 'the event loop.'] }
  ])
  assert.deepEqual(questionsIn('# One'), [])
})

test('every lesson asks for a prediction', async () => {
  for (const { dir, id } of await findLessons()) {
    const asked = questionsIn(fs.readFileSync(path.join(dir, 'README.md'), 'utf8'))
    assert.ok(asked.flatMap(({ questions }) => questions).length > 0, id)
  }
})
