import path from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { targetOf } from '../../runner/judge/index.js'
import { readMarkdown } from './markdown.js'
import { findPromises, plainWords, wordsByRule } from './promises.js'

/**
 * What a lesson has to have, rule by rule. Pure: a rule gets what was read, and says what is missing.
 *
 * @import { Content, Surroundings } from './read-lesson.js'
 *
 * @typedef {object} Finding
 * @property {string} place the file, relative to the root, with slashes
 * @property {string} what's missing, and how to fix it: a sentence
 *
 * @typedef {object} Rule
 * @property {string} name a lesson …
 * @property {(content: Content) => Finding[]} find
 */

const measured = /<!-- measured -->[^]*<!-- \/measured -->/
const belittling = ['simply', 'obviously', 'of course', 'trivial']

/** @type {Rule[]} */
export const rules = [
  { name: 'has all its parts', find: findParts },
  { name: 'promises in its text what its check demands, and nothing else is demanded', find: findUnpromised },
  { name: 'has the words that promise its rules in promises.json', find: findStalePromises },
  { name: 'has submissions that test its grader', find: findSubmissions },
  { name: 'has honest fixes of different kinds', find: findKinds },
  { name: 'has every target in lesson.js alone', find: findTargets },
  { name: 'has hints that lead on and do not hold the solution', find: findHints },
  { name: 'has texts whose links resolve, whose commands exist and whose code can be parsed', find: findInTexts },
  { name: 'has plain texts, which name no year of an article', find: findWords }
]

/** @param {Content} content */
function placesOf ({ entry: { folder, file } }) {
  return {
    text: `lessons/${folder}/README.md`,
    hints: `lessons/${folder}/hints.md`,
    lesson: `lessons/${folder}/lesson.js`,
    slow: `slow-servers/${folder}/server.js`,
    solution: `solutions/${folder}/${file}`,
    writeUp: `solutions/${folder}/README.md`,
    submissions: `test/submissions/${folder}`
  }
}

/** Those of its texts that are there. @param {Content} content @returns {[place: string, text: string][]} */
export function textsOf ({ files }) {
  return [...files].filter(([place]) => place.endsWith('.md'))
}

/** @param {Content} content @returns {Finding[]} */
function findParts (content) {
  const { text, hints, slow, solution, writeUp } = placesOf(content)
  const parts = [text, hints, slow, solution, writeUp].flatMap((place) => {
    const length = content.files.get(place)?.trim().length
    if (length === undefined) return [{ place, what: 'is missing.' }]
    return length > 100 ? [] : [{ place, what: 'is nearly empty: write it.' }]
  })
  const numbers = content.files.has(hints) ? hintsIn(content.files.get(hints)).length : 3
  const write = content.files.get(writeUp)
  return [
    ...parts,
    ...numbers === 3
      ? []
      : [{ place: hints, what: `has ${numbers} hints: give it three, under the headings ## 1, ## 2 and ## 3.` }],
    ...write === undefined || measured.test(write)
      ? []
      : [{
          place: writeUp,
          what: 'has no place for measured figures: give it the lines <!-- measured --> and <!-- /measured -->.'
        }]
  ]
}

/** The texts under `## 1`, `## 2` and so on. @param {string} [hints] */
function hintsIn (hints = '') {
  return hints.split(/^## (?=\d)/m).slice(1)
}

/** @param {Content} content @returns {Finding[]} */
function findUnpromised (content) {
  const { text: textPlace, lesson: place } = placesOf(content)
  const { files, entry: { lesson } } = content
  const markdown = files.get(textPlace) ?? ''
  const [text, promises] = [plainWords(markdown), findPromises(markdown, lesson)]
  return [
    ...[...promises].filter(([, words]) => words === null).map(([rule]) => ({
      place,
      what: `demands “${rule}”, and no words of the text are found for it: name them in \`promised\`.`
    })),
    ...Object.keys(lesson.promised ?? {}).filter((rule) => !promises.has(rule)).map((rule) => (
      { place, what: `promises “${rule}”, which no operation and no check demands: take it out.` })),
    ...[...promises.values()].filter((words) => words !== null)
      .filter((words) => words.length < 10 || !text.includes(plainWords(words)))
      .map((words) => ({ place: textPlace, what: `does not say “${words}”, which lesson.js promises.` }))
  ]
}

/** Words that are missing or out of place are found by the rule above. @param {Content} content @returns {Finding[]} */
function findStalePromises (content) {
  const { entry: { folder, lesson }, files } = content
  const words = wordsByRule(files.get(placesOf(content).text) ?? '', lesson)
  if (findUnpromised(content).length > 0 || isDeepStrictEqual(words, lesson.promises)) return []
  const what = 'is out of date: `npm run check:content -- --promises` writes it again.'
  return [{ place: `lessons/${folder}/promises.json`, what }]
}

/** @param {Content} content @returns {Finding[]} */
function findSubmissions (content) {
  const { submissions: { right, wrong, strangers, problems }, entry: { file }, isShipped } = content
  const { submissions: place } = placesOf(content)
  const wanted = isShipped ? { right: 5, wrong: 6 } : { right: 1, wrong: 1 }
  const few = (/** @type {number} */ count, /** @type {number} */ least, /** @type {string} */ what) =>
    count < least ? [{ place, what: `has too few ${what}: ${count}, and at least ${least} are wanted.` }] : []
  return [
    ...strangers.map((name) => (
      { place: `${place}/${name}`, what: 'is neither valid-…, base, right, right.js, wrong nor wrong.js.' })),
    ...problems.length === 0
      ? [
          ...few(right.size, wanted.right, 'right fixes (folders valid-…, or in right.js)'),
          ...few(wrong.length, wanted.wrong, 'wrong ones (in wrong.js)')
        ]
      : problems.map((problem) => ({ place, what: `cannot be read: ${problem}` })),
    ...[...right].filter(([, sources]) => !sources.has(file)).map(([name]) => (
      { place: `${place}/${name}`, what: `has no ${file}.` })),
    ...wrong.filter(({ files }) => !files.includes(file)).map(({ name }) => (
      { place: `${place}/wrong.js`, what: `makes no ${file} of “${name}”.` }))
  ]
}

/** A house rule of the workshop's own lessons. @param {Content} content @returns {Finding[]} */
function findKinds (content) {
  const { entry: { folder, lesson }, files, submissions: { right, problems }, isShipped } = content
  if (!isShipped || problems.length > 0) return []
  const prefix = `solutions/${folder}/`
  const solution = [...files].filter(([place]) => place.startsWith(prefix))
    .map(([place, text]) => /** @type {const} */ ([place.slice(prefix.length), text]))
  const honest = [new Map(solution), ...right.values()]
  const kinds = /** @type {[string, (sources: Map<string, string>) => boolean][]} */ ([
    ['in CommonJS', isCommonJs],
    ['of ES modules', (sources) => !isCommonJs(sources)],
    ['of several files', (sources) => codeIn(sources).length > 1],
    ...lesson.check !== undefined ? [] : [['on plain node:http', isOnPlainHttp]]
  ])
  return kinds.filter(([, is]) => !honest.some(is)).map(([what]) => (
    { place: placesOf(content).submissions, what: `has no honest fix ${what}: they must be of different kinds.` }))
}

/** @param {Map<string, string>} sources @returns {string[]} */
function codeIn (sources) {
  return [...sources].filter(([name]) => /\.[cm]?[jt]s$/.test(name)).map(([, code]) => code)
}

/** @param {Map<string, string>} sources */
function isCommonJs (sources) {
  return JSON.parse(sources.get('package.json') ?? '{}').type === 'commonjs'
}

/** Answers requests with nothing between it and node:http: no framework, and no router of one. */
function isOnPlainHttp (/** @type {Map<string, string>} */ sources) {
  const imported = codeIn(sources).flatMap((code) =>
    [...code.matchAll(/\b(?:from|import|require)\s*\(?\s*['"]([^'"]+)['"]/g)].map(([, name]) => name)
  )
  return (
    imported.some((name) => /^(node:)?http$/.test(name)) &&
    !imported.some((name) => /^(express|restify|router|find-my-way)$/.test(name))
  )
}

/** @param {Content} content @returns {Finding[]} */
function findTargets (content) {
  const targets = content.entry.lesson.gates.flatMap((gate) => [2, 4, 8].flatMap((cores) => {
    const target = targetOf(gate, { cores })
    return target === undefined ? [] : [{ name: gate.name, target: Number(target.toPrecision(3)) }]
  }))
  return textsOf(content).flatMap(([place, text]) => {
    const own = text.replace(measured, '')
    const told = targets.find(({ target }) => new RegExp(
      `(target|goal)[^.\\n]{0,40}[^\\d.]${String(target).replace('.', '\\.')}(?![\\d.]*\\d)\\s*(×|times|x\\b)`,
      'i'
    ).test(own))
    return told ? [{ place, what: `repeats the target of ${told.name}: it belongs only in lesson.js.` }] : []
  })
}

/** @param {Content} content @returns {Finding[]} */
function findHints (content) {
  const { hints: place, solution } = placesOf(content)
  const hints = content.files.get(place) ?? ''
  const telling = (content.files.get(solution) ?? '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line.length >= 40 && !line.startsWith('import') && !line.startsWith('//'))
  const blocks = readMarkdown(hints).code.filter(({ text }) => text.trimEnd().split('\n').length > 3)
  const flat = hints.replace(/\s+/g, ' ')
  return [
    ...telling.filter((line) => flat.includes(line)).map((line) => (
      { place, what: `holds a line of the solution: ${line}` })),
    ...blocks.length > 0 ? [{ place, what: 'shows a whole block of code: lead there with a question.' }] : []
  ]
}

/** @param {Content} content @returns {Finding[]} */
function findInTexts (content) {
  return textsOf(content).flatMap(([place, text]) => findInText(place, text, content, content.entry.number))
}

/**
 * @param {string} place
 * @param {string} text
 * @param {Surroundings} surroundings
 * @param {number} [number] of the lesson that the text belongs to
 * @returns {Finding[]}
 */
export function findInText (place, text, { has, scripts, syntaxError }, number) {
  const { links, code } = readMarkdown(text)
  const lost = links.filter((link) => !/^(https?:|#|mailto:)/.test(link)).filter((link) =>
    !has(path.posix.join(path.posix.dirname(place), decodeURI(link.split('#')[0]))))
  const named = [...text.matchAll(/\bnpm run (?:-s )?([\w:-]+)/g)].map(([, script]) => script)
  const others = number === undefined
    ? []
    : [...text.matchAll(/\bnpm run (?:check|hint|bench|serve|profile|reset) lesson-(\d+)/g)]
        .filter(([, other]) => Number(other) !== number)
  const broken = code.filter(({ language }) => /^(js|javascript|mjs)$/.test(language)).flatMap(({ text }) => {
    const problem = syntaxError(text)
    return problem ? [`shows code that does not parse (${problem}): ${text.trim().split('\n')[0]}`] : []
  })
  return [
    ...lost.map((link) => `links to ${link}, which is not there.`),
    ...named.filter((script) => !scripts.includes(script)).map((script) => (
      `names \`npm run ${script}\`, which no package.json has.`)),
    ...others.map(([command]) => `names \`${command}\`, another lesson: this one is lesson-${number}.`),
    ...broken
  ].map((what) => ({ place, what }))
}

/** @param {Content} content @returns {Finding[]} */
function findWords (content) {
  return textsOf(content).flatMap(([place, text]) => {
    const prose = text.replace(/```[^]*?```/g, '').replace(/^ {4}.*$/gm, '').replace(/`[^`]*`/g, '')
    const words = belittling.filter((word) => new RegExp(`\\b${word}\\b`, 'i').test(prose))
    return [
      ...words.map((word) => ({ place, what: `says “${word}”, which tells the reader that it should be easy.` })),
      ...(/article of (19|20)\d\d/.test(text)
        ? [{ place, what: 'names the year of an article, which means nothing to the reader.' }]
        : [])
    ]
  })
}
