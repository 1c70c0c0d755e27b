import { sectionsIn } from '../../runner/lesson/index.js'

/**
 * Which words of a lesson's text promise a rule: the passage that shares most of its words, rare ones counting more
 * (Robertson and Zaragoza 2009, *The probabilistic relevance framework: BM25 and beyond*). Pure.
 *
 * @import { Lesson } from '../../runner/lesson/index.js'
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

/**
 * The content of promises.json.
 *
 * @param {string} markdown
 * @param {Demanding} lesson
 * @returns {Record<string, string>}
 */
export function wordsByRule (markdown, lesson) {
  return Object.fromEntries([...findPromises(markdown, lesson)].flatMap(([rule, words]) =>
    words === null ? [] : [[rule, words]]))
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
  /** The rarity of a word in this text. @param {string} word */
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

/** The route in the name of a row or an operation: `GET /movies, if changed`. @param {string} name */
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
