import { readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { WorkshopError } from '../errors.js'
import { importLesson } from '../import-lesson.js'
import { rules } from '../model-rules.js'
import { workshopRoot } from '../workshop.js'
import { sectionsIn } from './texts.js'
import { problemsOf } from './validate.js'

/**
 * @import { LessonEntry } from './find.js'
 * @import { Lesson } from './lesson.js'
 *
 * @typedef {LessonEntry & { lesson: Lesson, file: string }} LoadedLesson file: what the learner changes, `server.js` or
 *   `load.js`
 */

/**
 * Imports and validates a lesson.
 *
 * @param {LessonEntry} entry
 * @returns {Promise<LoadedLesson>}
 * @throws {WorkshopError} lesson.js is missing, cannot be imported or is not a lesson: names every field that is wrong
 */
export async function loadLesson (entry) {
  const file = path.join(entry.dir, 'lesson.js')
  const shown = path.relative(entry.root, file)
  await requireFile(file, shown)
  const lesson = await importDefault(file, shown, entry.root)
  const problems = problemsOf(lesson, entry)
  if (problems.length > 0) throw new WorkshopError(problems.map((problem) => `${shown}: ${problem}`).join('\n'))
  await requireFile(entry.slowDir, path.relative(entry.root, entry.slowDir))
  // A text that is missing is for `npm run check:content` to tell.
  const text = await readFile(path.join(entry.dir, 'README.md'), 'utf8').catch(() => '')
  const promises = [...findPromises(text, lesson)].filter(([, words]) => words !== null)
  // What a lesson about a load plan has not, is empty.
  return {
    ...entry,
    lesson: { contract: [], loads: {}, ...lesson, promises: Object.fromEntries(promises) },
    file: lesson.kind === 'load plan' ? 'load.js' : 'server.js'
  }
}

/**
 * What a list shows of a lesson. Where lesson.js spells it out, its text is read: importing it takes far longer.
 *
 * @param {LessonEntry} entry
 * @returns {Promise<{ title: string, summary: string, part: string }>}
 * @throws {WorkshopError} as `loadLesson`, where it has to be imported
 */
export async function readNames (entry) {
  const text = await readFile(path.join(entry.dir, 'lesson.js'), 'utf8').catch(() => '')
  const [, own = ''] = text.split(/^export default (?:form\()?\{$/m)
  const fields = own.matchAll(/^ {2}(title|summary|part):\s+('[^'\\\n]+'(?: \+\n\s+'[^'\\\n]+')*),$/gm)
  const spelled = new Map([...fields].map(([, name, text]) => [name, text.replace(/' \+\s+'/g, '').slice(1, -1)]))
  const isWhole = (own.match(/^ {2}(title|summary|part)\b/gm) ?? []).length === spelled.size
  const [title, summary, part = ''] = ['title', 'summary', 'part'].map((name) => spelled.get(name))
  if (isWhole && title !== undefined && summary !== undefined) return { title, summary, part }
  const { lesson } = await loadLesson(entry)
  return { title: lesson.title, summary: lesson.summary, part: lesson.part ?? '' }
}

/** @param {string} file @param {string} shown */
async function requireFile (file, shown) {
  try {
    await stat(file)
  } catch (error) {
    throw new WorkshopError(`${shown} cannot be read (${error.code}): \`git checkout -- ${shown}\` brings it back.`,
      { cause: error })
  }
}

/** @param {string} file @param {string} shown @param {string} root */
async function importDefault (file, shown, root) {
  try {
    const { default: lesson } = await importLesson(pathToFileURL(file).href)
    return lesson
  } catch (error) {
    const isPackage = error.code === 'ERR_MODULE_NOT_FOUND' && error.message.includes('Cannot find package')
    // The command line explains a missing package of the workshop.
    if (isPackage && root === workshopRoot) throw error
    const advice = isPackage ? `. Install it in ${root}.` : ''
    throw new WorkshopError(`${shown} cannot be imported: ${error.message}${advice}`, { cause: error })
  }
}

/**
 * Which words of a lesson's text promise a rule: the passage that shares most of its words, rare ones counting more
 * (Robertson and Zaragoza 2009, *The probabilistic relevance framework: BM25 and beyond*). Pure.
 *
 * @typedef {Pick<Lesson, 'operations' | 'contract' | 'promised'>} Demanding
 * @typedef {Passage & { own: Set<string>, near: Set<string> }} Known own: its words; near: those of its route, and
 *   `refus` where it answers 4xx
 */

const stopWords = new Set(('a all also an and any are as at be been but by content do does for from had has have ' +
  'however if in is it its of on one or other others said so than that the their them then there these they this to ' +
  'too up was were what whatever when which while who whoever with').split(' '))
const negations = /^(cannot|never|no|nobody|none|not|nothing|without)$/
const [saturation, lengthShare] = [1.2, 0.4]
/** How much words count: of a route, after the first comma of a rule, a status, and a route that is the operation's. */
const [ofRoute, ofAddition, ofStatus, ofOwnRoute] = [0.6, 0.6, 2, 2]
/** Share of a rule's weight that its words must have, else they promise something else. */
const leastShare = 0.25
const fewestWords = 3

/**
 * Every rule that a lesson demands, with the words of its text that promise it.
 *
 * @param {string} markdown the lesson's text
 * @param {Demanding} lesson `promised` overrules what is found
 * @returns {Map<string, string | null>} by rule; null: no words were found
 */
export function findPromises (markdown, lesson) {
  const find = finderIn(passagesIn(markdown))
  const { promised = {} } = lesson
  return new Map([...demandedRules(lesson)].map(([rule, name]) => [rule, promised[rule] ?? find(rule, name)]))
}

/** @param {Demanding} lesson @returns {Map<string, string>} by rule: the operation whose answer it is about, or '' */
function demandedRules ({ operations = {}, contract = [] }) {
  /** @type {Map<string, string>} */
  const demanded = new Map()
  const demand = (/** @type {string} */ rule, name = '') => demanded.has(rule) || demanded.set(rule, name)
  for (const [name, { rule }] of Object.entries(operations)) demand(rule, name)
  for (const { effect, rule } of Object.values(operations)) demand(effect ?? rule)
  for (const { name } of contract) demand(name)
  return demanded
}

/** @param {Passage[]} passages @returns {(rule: string, name: string) => string | null} */
function finderIn (passages) {
  const known = passages.map(readPassage).filter(({ own }) => own.size >= fewestWords)
  const usual = known.reduce((sum, { own }) => sum + own.size, 0) / known.length
  /** How rare a word is in this text. @param {string} word */
  const rarity = (word) => Math.log(1 + known.length / Math.max(1, known.filter(({ own }) => own.has(word)).length))
  return (rule, name) => {
    const route = pathIn(name)
    const weights = weigh(rule, rarity)
    const statuses = rule.split(',')[0].match(/\b[2-5]\d\d\b/g) ?? []
    const whole = [...weights.values()].reduce((sum, weight) => sum + weight, 0)
    let best = { words: /** @type {string | null} */ (null), score: 0 }
    for (const { words, own, near, route: its } of known) {
      if (statuses.some((status) => !own.has(status))) continue
      const shared = [...weights].reduce((sum, [word, weight]) =>
        sum + weight * (own.has(word) ? 1 : near.has(word) ? ofRoute : 0), 0)
      const length = 1 + saturation * (1 - lengthShare + lengthShare * own.size / usual)
      const isOwn = route !== undefined && pathIn(its) === route
      const score = shared / length + (isOwn ? ofOwnRoute : 0)
      if (score > best.score && (isOwn || shared >= leastShare * whole)) best = { words, score }
    }
    return best.words
  }
}

/** Of a row or of an operation: `GET /movies, if changed`. @param {string} name */
function pathIn (name) {
  return /^[A-Z]+ [^\s,?]+/.exec(name)?.[0]
}

/** @param {Passage} passage @returns {Known} */
function readPassage (passage) {
  const own = wordsIn(passage.words)
  const isRefusal = [...own].some((word) => /^4(\d\d|xx)$/.test(word))
  return { ...passage, own, near: new Set([...wordsIn(passage.route), ...isRefusal ? ['refus'] : []]) }
}

/** @param {string} rule @param {(word: string) => number} rarity @returns {Map<string, number>} */
function weigh (rule, rarity) {
  const main = wordsIn(rule.split(',')[0])
  return new Map([...wordsIn(rule)].map((word) => {
    const share = /^\d{3}$/.test(word) ? ofStatus : main.has(word) ? 1 : ofAddition
    return [word, share * rarity(word)]
  }))
}

/** Their stems, without those that every sentence has. @param {string} text @returns {Set<string>} */
function wordsIn (text) {
  const plain = text.replace(/['’]/g, '').replace('400 to 499', '4xx').replace(/(?<=[a-z])(?=[A-Z])/g, ' ')
  const words = plain.toLowerCase().match(/[a-z]+|\d+(?:xx)?/g) ?? []
  return new Set(words.filter((word) => !stopWords.has(word)).map((word) =>
    negations.test(word) ? 'no' : word.replace(/(?<=..)(es|s|e)$|(?<=...)(ies|ed|ing)$/, '')))
}

/**
 * What a lesson's text says of a correct server, in parts that can be quoted. Pure.
 *
 * @typedef {object} Passage
 * @property {string} words without marks, in one line; the cells of a row are joined by ` | `
 * @property {string} route of a row of a table: its first cell, or that of the row above where it is empty
 */

const heading = /^\|.*\n\|[-| ]+\|$/gm
const picture = /!\[[^\]]*\]\([^)]*\)/g
const link = /\[([^\]]*)\]\([^)]*\)/g
const betweenSentences = /(?<=[.!?][)*]*)\s+(?=[*("“`]*[A-Z]|`)/
const semicolonOutsideCode = /;\s+(?=[^`]*(?:`[^`]*`[^`]*)*$)/

/**
 * Each row, sentence and clause under the heading “What a correct …”, or of the whole text if there's no such heading.
 *
 * @param {string} markdown
 * @returns {Passage[]} a clause follows the sentence that it is a part of
 */
export function passagesIn (markdown) {
  const section = sectionsIn(markdown).find(({ title }) => title.startsWith('What a correct '))?.text ?? markdown
  const text = section.replace(/^#.*$/gm, '').replace(heading, '').replace(picture, '').replace(link, '$1')
  let route = ''
  return text.split(/\n(?=\||- |\n)/).map((block) => block.trim()).filter(Boolean).flatMap((block) => {
    if (!block.startsWith('|')) return partsOf(block.replace(/^- /, '')).map((words) => ({ words, route: '' }))
    const cells = block.split('|').slice(1, -1).map((cell) => cell.trim())
    route = cells[0] === '' ? route : plainWords(cells[0])
    const [row, answer] = [cells, cells.slice(1)].map((some) => some.filter(Boolean).map(plainWords).join(' | '))
    const parts = cells.slice(1).flatMap(partsOf).filter((part) => part !== answer)
    return [row, ...parts].map((words) => ({ words, route }))
  })
}

/** @param {string} block Markdown @returns {string[]} */
function partsOf (block) {
  const parts = block.split(betweenSentences).flatMap((sentence) => [sentence, ...sentence.split(semicolonOutsideCode)])
  return [...new Set(parts.map((part) => plainWords(part).replace(/[;:]$/, '')))]
}

/**
 * Without marks, and in one line.
 *
 * @param {string} markdown
 * @returns {string}
 */
export function plainWords (markdown) {
  return markdown.replace(/[*`|]/g, '').replace(/\s+/g, ' ').trim()
}

/** The checks in place of a contract if the learner writes a load plan. */
export const loadPlanChecks = {
  isPlan: 'is a load plan',
  shows: 'shows the rate of the server, and not that of the load',
  fits: 'fits into the time budget',
  right: 'measures right answers only'
}

/**
 * Every name that a check of a lesson can have in a record. Pure.
 *
 * @param {Pick<Lesson, 'contract' | 'operations' | 'kind'>} lesson
 * @returns {string[]}
 */
export function checkNamesOf ({ contract = [], operations = {}, kind }) {
  if (kind === 'load plan') return Object.values(loadPlanChecks)
  return [
    ...contract.map(({ name }) => name),
    ...Object.values(operations).flatMap(({ rule, effect }) => [rule, effect ?? []].flat()),
    ...Object.values(rules)
  ]
}
