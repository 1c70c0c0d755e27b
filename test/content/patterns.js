import fs from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * Turns of phrase that an editor took out of the texts, each with the better word. `node test/content/patterns.js`
 * counts them; with a pattern's name, it shows where they are.
 *
 * @typedef {object} Pattern
 * @property {string} name
 * @property {RegExp} is with the flag g
 * @property {string} instead what to write
 * @property {boolean} [isQuiz] whether lines about a quiz may have it
 * @property {boolean} [once] once in a file is right
 *
 * @typedef {{ place: string, pattern: Pattern, line: number, words: string }} Found
 */

const root = fileURLToPath(new URL('../..', import.meta.url))
const texts = /^(docs\/(teaching\/)?|lessons\/[^/]+\/)[^/]+\.md$|^solutions\/[^/]+\/README\.md$/

/** @type {Pattern[]} */
export const patterns = [
  { name: 'answer', is: /\banswer(s|ed|ing)?\b/gi, instead: '“response” or “respond”, for HTTP', isQuiz: true },
  { name: 'figure', is: /\bfigures?\b/gi, instead: '“number”, “result” or “rate”' },
  { name: 'our machine', is: /\bour machine\b/gi, instead: 'the machine, once, above the first table', once: true },
  { name: 'in turn', is: /\bin turns?\b/gi, instead: '“alternately” or “round-robin”' },
  {
    name: 'fraction',
    is: /\b(a|one|two|three|four|five|six|seven|eight|nine) (third|quarter|(fif|six|seven|eigh|nin|ten)th)s?\b/gi,
    instead: 'percent'
  },
  {
    name: 'times as',
    is: /\btimes as (long|many|much|fast|slow|often|large|big|high)\b/gi,
    instead: '“N times longer”, “N times more”'
  },
  { name: 'next to nothing', is: /\bnext to nothing\b/gi, instead: 'a number' },
  { name: 'for a while', is: /\bfor a while\b/gi, instead: '“temporarily”, or how long' },
  { name: 'the very next', is: /\bthe very next\b/gi, instead: '“the next”' },
  { name: 'one after the other', is: /\bone after (the other|another)\b/gi, instead: '“sequentially”' },
  { name: 'whatever', is: /\bwhatever\b/gi, instead: '“even if …” or “any”' },
  {
    name: 'foreign',
    is: /\b(nobody|whoever|anew|beside|mend(ed|s|ing)?|no matter)\b/gi,
    instead: '“no one”, “anyone who”, “again”, “next to”, “repair”'
  },
  { name: 'belittling', is: /\b(simply|obviously|trivial(ly)?|of course)\b/gi, instead: 'nothing' },
  { name: 'says that', is: /\b(says|say) (that|how|what)\b/gi, instead: '“shows”, “states” or “reports”' },
  { name: 'disease', is: /\bdiseases?\b/gi, instead: '“diagnosis” or “problem”' },
  { name: 'question', is: /\?(?=\s|$|\*|<)/g, instead: 'one question per step, answered before the next' },
  { name: 'colon hinge', is: /[a-z”)]: [a-z]/g, instead: 'a full stop, “because” or “so”' }
]

/** A line about questions and their answers, where “answer” isn't a response. */
const quiz = /question|quiz|exam\b|predict|guess|answers?<|[“*]answers|write (down|your)|(your|right) answer/i

/**
 * @param {string} place
 * @param {string} markdown
 * @returns {Found[]} in order of the text
 */
export function findPatterns (place, markdown) {
  // What's blanked keeps its lines, so that a place can be named. Measured tables are a program's words.
  const blank = (/** @type {string} */ part) => part.replace(/[^\n]/g, ' ')
  const prose = markdown
    .replace(/<!-- (limit|measured|rubric) -->[^]*?<!-- \/\1 -->/g, blank)
    .replace(/^```[^]*?^```|<!--[^]*?-->|^ {4}.*$|`[^`\n]*`|\]\([^)\s]*\)/gm, blank)
    .split('\n')
  const found = prose.flatMap((text, index) => patterns.flatMap((pattern) =>
    pattern.isQuiz && quiz.test(text)
      ? []
      : [...text.matchAll(pattern.is)].map(([words]) => ({ place, pattern, line: index + 1, words }))))
  return found.filter((one) => !one.pattern.once || found.find(({ pattern }) => pattern === one.pattern) !== one)
}

/** Every text that a person reads. @returns {Map<string, string>} by its place, with slashes */
export function readTexts () {
  const places = ['docs', 'lessons', 'solutions'].flatMap((folder) =>
    fs.readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
      .map((name) => `${folder}/${name.replaceAll('\\', '/')}`))
    .filter((place) => texts.test(place))
  return new Map(['README.md', ...places].map((place) => [place, fs.readFileSync(path.join(root, place), 'utf8')]))
}

/** @param {string} place @returns {'lessons' | 'solutions' | 'docs'} the kind of text that's there */
export const kindOf = (place) =>
  place.startsWith('lessons/') ? 'lessons' : place.startsWith('solutions/') ? 'solutions' : 'docs'

/** How often each is found, by its name and the kind of text. @param {Found[]} found */
export function countPatterns (found) {
  return Object.fromEntries(patterns.map(({ name }) => {
    const counts = { lessons: 0, solutions: 0, docs: 0 }
    for (const { pattern, place } of found) if (pattern.name === name) counts[kindOf(place)]++
    return [name, counts]
  }))
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [name, part = ''] = process.argv.slice(2)
  const found = [...readTexts()].flatMap(([place, text]) => findPatterns(place, text))
  if (name === undefined) console.table(countPatterns(found))
  for (const { place, pattern, line, words } of found) {
    if (pattern.name === name && place.includes(part)) console.log(`${place}:${line}  ${words}  → ${pattern.instead}`)
  }
}
