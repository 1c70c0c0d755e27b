import assert from 'node:assert/strict'
import path from 'node:path'
import test from 'node:test'
import { findLessons, loadLesson } from '../../runner/lesson/index.js'
import { workshopRoot } from '../../runner/shared/workshop.js'
import { formRules } from './form.js'
import { proposeLinks, termsIn } from './glossary.js'
import { readLesson } from './read-lesson.js'

/** @import { Content } from './read-lesson.js' */

const [template] = await findLessons({ root: path.join(workshopRoot, 'template') })
const whole = await readLesson(await loadLesson(template))
const place = 'lessons/00-my-topic/README.md'
const text = whole.files.get(place) ?? assert.fail()

/** @param {(text: string) => string} change @param {Partial<Content>} [other] @returns {Content} */
const changed = (change, other) => ({ ...whole, ...other, files: new Map(whole.files).set(place, change(text)) })

/** @param {string} from @param {string} to @param {Partial<Content>} [other] */
const replaced = (from, to, other) => {
  assert.ok(text.includes(from), from)
  return changed((old) => old.replace(from, () => to), other)
}

/** @param {Content} content @returns {string[]} */
const told = (content) => formRules.flatMap(({ find }) => find(content)).map(({ place: where, what }) => {
  assert.equal(where, place)
  return what
})

test('the template has the form', () => assert.deepEqual(told(whole), []))

test('a text that is missing is another rule’s', () => {
  assert.deepEqual(told({ ...whole, files: new Map() }), [])
})

const url = 'https://nodejs.org/en/learn/asynchronous-work/dont-block-the-event-loop'
for (const [content, ...expected] of /** @type {[Content, ...string[]][]} */ ([
  [replaced('# My topic', '# Lesson 0 · My topic'), 'must begin with the lesson\'s title, “# My topic”.'],
  [
    replaced('- **Difficulty** easy\n', ''),
    'has no list before its first section with “- **Difficulty**”.'
  ],
  [
    changed((old) => old.replace(/^- \*\*.*\n/gm, '').replace('## Next', '## 6. Next').replace('# My', '# Your')),
    'is not written after the one form of docs/authors.md yet: it lacks the list at its beginning, “## Next”.'
  ],
  [replaced('** easy', '** so so'), 'has a difficulty other than easy, medium or hard.'],
  [
    replaced('- **Difficulty** easy\n- **Builds on** nothing\n', '- **Builds on** nothing\n- **Difficulty** easy\n'),
    'opens with You will be able to, Time, Difficulty, Builds on: in this order.'
  ],
  [replaced('about 3 minutes', 'two minutes'), 'must say the time as “about 9 minutes to read and 30 to work.”'],
  [replaced('about 3 minutes', 'about 9 minutes'), 'says 9 minutes to read: its words take 3, without what is folded.'],
  [replaced('** nothing', '** lesson 1'), 'must say what it builds on: links to earlier lessons, or “nothing”.'],
  [
    replaced('## What production would add', '## 6. In production'),
    'has no “## What production would add”.',
    'numbers “## 6. In production”, which isn’t one of the five steps: leave the number out.'
  ],
  [
    changed((old) => old.replace('## 2. Predict', '## x').replace('## 3. Find it', '## 2. Predict')
      .replace('## x', '## 3. Find it')),
    'has “## 3. Find it” where “## 2. Predict” belongs.'
  ],
  [replaced(`(${url})`, '(#next)'), 'links to nothing outside under “## Further reading”.'],
  [{ ...whole, next: '01-one' }, 'does not link to ../01-one/README.md under “## Next”.'],
  [
    replaced('## 4. Fix it', '### Optional\n\nAnd [why](x?y)? `a ? b`\n\n## 4. Fix it'),
    'asks what no <details><summary>Answers</summary> up to “## 4. Fix it” answers: “And [why]?”'
  ],
  [
    changed((old) => old.replaceAll('<summary>Answers', '<summary>More')),
    'asks what no <details><summary>Answers</summary> up to “## 4. Fix it” answers: ' +
      '“What does the server do for one item, from the request to the last byte?”'
  ],
  [
    replaced('</details>', ''),
    'has a <details> that is not closed, or without a <summary> and an empty line after it.'
  ],
  [
    replaced('## 2. Predict', '![](pictures/a.svg)\n\n## 2. Predict'),
    'shows pictures/a.svg without saying what it shows: give it an alternative text.'
  ],
  [
    { ...whole, outside: new Set(['https://example.org/']) },
    `links to ${url}: look at it, and write it into docs/links.json with the date.`
  ]
])) {
  test(`told: ${expected[0]}`, () => assert.deepEqual(told(content), expected))
}

test('an address is looked for without its place in the page, and this machine’s own isn’t one', () => {
  const text = `${url}#x) and [here](http://127.0.0.1:3000/x`
  assert.deepEqual(told(replaced(url, text, { outside: new Set([url]) })), [])
})

test('a prediction may be answered where it’s measured', () => {
  assert.deepEqual(told(changed((old) => old.replace(/<details>[^]*?<\/details>\n/, ''))), [])
})

test('a lesson’s own sections may come between, and folded words take no time', () => {
  assert.deepEqual(told(replaced('## 2. Predict', '## A figure\n\nx\n\n## 2. Predict')), [])
  assert.deepEqual(told(replaced('It reads', `${'word '.repeat(2000)} It reads`)), [])
})

test('a term of the glossary is proposed where it is met, until it is linked', () => {
  const glossary = '# Glossary\n\n## Event loop\n\nx ([lesson 0](../lessons/00-my-topic/README.md))\n\n' +
    '## Heap\n\ny ([lesson 1](../lessons/01-one/README.md))\n'
  assert.deepEqual(termsIn(glossary), [
    { term: 'Event loop', id: 'event-loop', lessons: ['00-my-topic'] },
    { term: 'Heap', id: 'heap', lessons: ['01-one'] }
  ])
  assert.deepEqual(proposeLinks({ ...whole, glossary }), [
    { place, what: 'could link “Event loop”, at its first use, to ../../docs/glossary.md#event-loop.' }
  ])
  const linked = replaced('A catalogue', '[loop](../../docs/glossary.md#event-loop)', { glossary })
  assert.deepEqual(proposeLinks(linked), [])
  assert.deepEqual(proposeLinks(whole), [])
})
