import assert from 'node:assert/strict'
import test from 'node:test'
import { foldDetails, sectionsIn, withDetails } from '../../runner/lesson/index.js'
import { inOrderOfText } from '../../runner/lesson/texts.js'
import { minutesToRead } from '../content/form.js'

const text = [
  '# Title', '', 'Why?', '',
  '## 2. Predict', '', 'What?', '', '```', '## 9. no heading', '```', '',
  '<details><summary>Answers</summary>', '', 'This.', '', '</details>', '',
  '## Extra', '', '<details>', '<summary>More</summary>', '', 'That.', '', '</details>', ''
].join('\n')

test('sections begin at headings, not at code, and lose nothing', () => {
  const sections = sectionsIn(text)
  assert.deepEqual(sections.map(({ title }) => title), ['', '2. Predict', 'Extra'])
  assert.equal(sections.map((section) => section.text).join(''), text)
})

test('what is folded says how it is opened, by the number of its section if there is one', () => {
  const folded = foldDetails(text, (number) => `open ${number}`.trimEnd())
  assert.doesNotMatch(folded, /This\.|That\.|details/)
  assert.match(folded, /```\n\n\*\*Answers\*\*, folded: `open 2`\n\n## Extra\n\n\*\*More\*\*, folded: `open`\n$/)
})

test('what opens on request can be read, and takes no time to read before', () => {
  /** @type {string[][]} */
  const seen = []
  withDetails(text, (...found) => { seen.push(found); return '' })
  assert.deepEqual(seen, [['Answers', 'This.'], ['More', 'That.']])
  const long = (/** @type {string} */ words) => `One.\n\n<details><summary>A</summary>\n\n${words}\n\n</details>\n`
  assert.equal(minutesToRead(long('word '.repeat(2000))), 1)
})

test('rules are put in the order in which a text promises them', () => {
  const rules = '| `GET /a` | 200, [all](x.md) |\n| | 404 |\n\n- **No order\n  is lost.**\n'
  const [all, none, lost] = ['GET /a | 200, all', '404', 'No order is lost.']
  const promises = { third: lost, first: all, second: none, fourth: lost }
  assert.deepEqual(Object.keys(inOrderOfText(promises, rules)), ['first', 'second', 'third', 'fourth'])
})
