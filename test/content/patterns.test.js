import assert from 'node:assert/strict'
import test from 'node:test'
import { findPatterns, kindOf, patterns, readTexts } from './patterns.js'

/**
 * Each pattern once in a sentence, with the words that are found.
 *
 * @type {[name: string, sentence: string, words: string][]}
 */
const planted = [
  ['answer', 'The server answered with a 404.', 'answered'],
  ['figure', 'That figure is too high.', 'figure'],
  ['in turn', 'They are loaded in turn.', 'in turn'],
  ['fraction', 'It takes two thirds of the time.', 'two thirds'],
  ['times as', 'It takes three times as long.', 'times as long'],
  ['next to nothing', 'It costs next to nothing.', 'next to nothing'],
  ['for a while', 'Load it for a while.', 'for a while'],
  ['the very next', 'It shows in the very next read.', 'the very next'],
  ['one after the other', 'They run one after the other.', 'one after the other'],
  ['whatever', 'Whatever it costs, keep it.', 'Whatever'],
  ['foreign', 'It happens no matter how slow it is.', 'no matter'],
  ['belittling', 'You can simply await it.', 'simply'],
  ['says that', 'The report says that it is full.', 'says that'],
  ['disease', 'The disease is a full queue.', 'disease'],
  ['question', 'What does it wait for?', '?'],
  ['colon hinge', 'It waits: the pool is full.', 's: t']
]

for (const [name, sentence, words] of planted) {
  test(`“${sentence}” has the pattern “${name}”`, () => {
    assert.deepEqual(told(`# A page\n\n${sentence}\n`), [`docs/page.md:3 ${name} ${words}`])
  })
}

test('a pattern that may occur once is found from its second time on', () => {
  const twice = 'Our machine has two cores.\n\nOn our machine it took 3 ms.\n'
  assert.deepEqual(told(twice), ['docs/page.md:3 our machine our machine'])
  assert.deepEqual([...planted.map(([name]) => name), 'our machine'].sort(), patterns.map(({ name }) => name).sort())
})

for (const [what, markdown] of /** @type {[string, string][]} */ ([
  ['code in a line', 'The hook `answered` runs.'],
  ['an indented block', '    simply: answer 42'],
  ['a fenced block', '```\nThe answer: simply 42\n```'],
  ['the target of a link', 'See [the page](page.md#a-late-answer).'],
  ['a comment', '<!-- The answer\nis simply 42. -->'],
  ['a measured table', '<!-- measured -->\n| ms of CPU/answer |\n<!-- /measured -->'],
  ['a heading of answers', '<details><summary>Answers</summary>'],
  ['a line of a quiz', 'Write down your answer.']
])) {
  test(`${what} is left alone, and the sentence after it isn't`, () => {
    const lines = markdown.split('\n').length
    assert.deepEqual(told(`${markdown}\n\nIt is trivial.\n`), [`docs/page.md:${lines + 2} belittling trivial`])
  })
}

/**
 * How often each pattern may occur, as many times as it did when the texts were last edited. Lower a number whenever a
 * text allows it; a number goes up only for a place where the pattern is right, such as a title that's quoted.
 *
 * @type {Record<string, { lessons: number, solutions: number, docs: number }>}
 */
const ceilings = {
  answer: { lessons: 7, solutions: 0, docs: 13 },
  figure: { lessons: 0, solutions: 0, docs: 0 },
  'our machine': { lessons: 0, solutions: 0, docs: 0 },
  'in turn': { lessons: 0, solutions: 0, docs: 0 },
  fraction: { lessons: 4, solutions: 0, docs: 1 },
  'times as': { lessons: 0, solutions: 0, docs: 0 },
  'next to nothing': { lessons: 0, solutions: 0, docs: 0 },
  'for a while': { lessons: 0, solutions: 0, docs: 0 },
  'the very next': { lessons: 0, solutions: 0, docs: 0 },
  'one after the other': { lessons: 1, solutions: 0, docs: 0 },
  whatever: { lessons: 0, solutions: 0, docs: 0 },
  foreign: { lessons: 1, solutions: 0, docs: 0 },
  belittling: { lessons: 0, solutions: 0, docs: 1 },
  'says that': { lessons: 4, solutions: 0, docs: 0 },
  disease: { lessons: 0, solutions: 0, docs: 0 },
  question: { lessons: 178, solutions: 43, docs: 144 },
  'colon hinge': { lessons: 107, solutions: 47, docs: 134 }
}

const found = [...readTexts()].flatMap(([place, text]) => findPatterns(place, text))

for (const { name, instead } of patterns) {
  test(`the texts have “${name}” no more often than they had`, () => {
    for (const kind of /** @type {const} */ (['lessons', 'solutions', 'docs'])) {
      const places = found.filter(({ pattern, place }) => pattern.name === name && kindOf(place) === kind)
      assert.ok(
        places.length <= ceilings[name][kind],
        `${kind} may have “${name}” ${ceilings[name][kind]} times, and have it ${places.length} times. ` +
          `Better, in the place that you added: ${instead}.\n` +
          places.map(({ place, line, words }) => `${place}:${line}  ${words}`).join('\n')
      )
    }
  })
}

/** @param {string} markdown @returns {string[]} what's found in a page with it */
function told (markdown) {
  return findPatterns('docs/page.md', markdown)
    .map(({ place, line, pattern, words }) => `${place}:${line} ${pattern.name} ${words}`)
}

test('no text has a place that a measured number was to fill', () => {
  const texts = [...readTexts()]
  assert.ok(texts.length > 60)
  assert.deepEqual(texts.filter(([, text]) => text.includes('\u27e6')).map(([place]) => place), [])
})
