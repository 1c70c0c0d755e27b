import fs from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { WorkshopError } from '../shared/errors.js'

/**
 * The parts of a lesson's text.
 *
 * @typedef {object} Section
 * @property {string} title a second-level heading; empty for what precedes the first
 * @property {string} text including the heading
 */

const details = /<details>\s*<summary>([^<]*)<\/summary>([^]*?)<\/details>/g

/** Pure. @param {string} markdown @returns {Section[]} joined, they are the text */
export function sectionsIn (markdown) {
  /** @type {Section[]} */
  const sections = [{ title: '', text: '' }]
  let inCode = false
  for (const line of markdown.split(/(?<=\n)/)) {
    if (/^ {0,3}(```|~~~)/.test(line)) inCode = !inCode
    const [, title] = (inCode ? null : /^## (.+?)\s*$/.exec(line)) ?? []
    if (title !== undefined) sections.push({ title, text: '' })
    sections[sections.length - 1].text += line
  }
  return sections
}

/**
 * Replaces folded parts. Pure.
 *
 * @param {string} markdown
 * @param {(summary: string, inside: string) => string} replace
 */
export function withDetails (markdown, replace) {
  return markdown.replace(details, (_, summary, inside) => replace(summary.trim(), inside.trim()))
}

/**
 * The text with each folded part as its summary and the command that shows it. Pure.
 *
 * @param {string} markdown
 * @param {(number: string) => string} command by the number of the section, which may be empty
 * @returns {string}
 */
export function foldDetails (markdown, command) {
  return sectionsIn(markdown).map(({ title, text }) => {
    const [, number = ''] = /^(\d+)\. /.exec(title) ?? []
    return withDetails(text, (summary) => `**${summary}**, folded: \`${command(number)}\``)
  }).join('')
}

/**
 * A text of the workshop.
 *
 * @param {string} file
 * @param {{ root: string }} entry
 * @throws {WorkshopError} it cannot be read
 */
export async function readText (file, { root }) {
  return readFile(file, 'utf8').catch((error) => tellMissing(error, path.relative(root, file)))
}

/** @param {any} cause @param {string} shown the file @returns {never} */
export function tellMissing (cause, shown) {
  throw new WorkshopError(`${shown} cannot be read (${cause.code}): \`git checkout -- ${shown}\` brings it back.`,
    { cause })
}

/**
 * The hints of a lesson, from gentle to plain: the texts under the headings `## 1`, `## 2`, … of its hints.md.
 *
 * @param {{ dir: string, root: string }} entry
 * @returns {Promise<string[]>} Markdown
 * @throws {WorkshopError} hints.md is missing or has no hints
 */
export async function readHints (entry) {
  const file = path.join(entry.dir, 'hints.md')
  const hints = sectionsIn((await readText(file, entry)).replaceAll('\r\n', '\n'))
    .filter(({ title }) => /^\d+\b/.test(title)).map(({ text }) => text.replace(/^.*/, '').trim()).filter(Boolean)
  if (hints.length === 0) {
    throw new WorkshopError(`${path.relative(entry.root, file)} has no hints: write one under a heading \`## 1\`.`)
  }
  return hints
}

/**
 * The work that a lesson takes, from the list at the beginning of its text. Pure.
 *
 * @param {string} text Markdown
 * @returns {{ minutes: number | null, difficulty: string | null }} minutes to work; null where it isn't said
 */
export function effortIn (text) {
  const [, minutes] = /^- \*\*Time\*\* .* and (\d+) to work/m.exec(text) ?? []
  const [, difficulty = null] = /^- \*\*Difficulty\*\* (easy|medium|hard)$/m.exec(text) ?? []
  return { minutes: minutes === undefined ? null : Number(minutes), difficulty }
}

/**
 * The aim of a lesson, as its text says under "You will be able to". Pure.
 *
 * @param {string} text Markdown
 * @returns {string | null} Markdown without links; null where it isn't said
 */
export function aimIn (text) {
  const [, aim] = /^- \*\*You will be able to\*\* (.+(?:\n {2}.+)*)/m.exec(text) ?? []
  return aim?.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').replace(/\s+/g, ' ') ?? null
}

/**
 * The questions of a lesson's text under "Predict", each to be answered on its own. Pure.
 *
 * @typedef {object} QuestionGroup
 * @property {string} intro Markdown: the paragraph that leads to a list of questions; may be empty
 * @property {string[]} questions Markdown, each on one line
 *
 * @param {string} text of the lesson, Markdown
 * @returns {QuestionGroup[]} empty where it asks nothing
 */
export function questionsIn (text) {
  const section = sectionsIn(text).find(({ title }) => /^(\d+\. )?Predict$/.test(title))
  const blocks = withDetails(section?.text ?? '', () => '').split(/\n\s*\n/).slice(1)
  return blocks.flatMap((block, at) => {
    const items = itemsIn(block)
    if (items.length > 0) {
      const [before = ''] = blocks.slice(Math.max(0, at - 1), at)
      return [{ intro: isProse(before) ? oneLine(before) : '', questions: items }]
    }
    // A list asks for the paragraph that leads to it.
    if (!isProse(block) || itemsIn(blocks[at + 1] ?? '').length > 0) return []
    const question = askedIn(oneLine(block))
    return question === '' ? [] : [{ intro: '', questions: [question] }]
  })
}

/** @param {string} block @returns {string[]} of a list, without their numbers; empty for any other block */
function itemsIn (block) {
  if (!/^\s{0,3}(?:\d+\.|-) /.test(block)) return []
  return block.split(/^(?:\d+\.|-) /m).slice(1).map((item) => oneLine(item).replace(/,$/, ''))
}

/** @param {string} block */
function isProse (block) {
  return block !== '' && !/^(?: {4}|[|#<]|```)/.test(block)
}

/** The questions of a paragraph, from the sentence before the first: that says what about. @param {string} prose */
function askedIn (prose) {
  const sentences = prose.split(/(?<=[.?!:])\s+(?=[^a-z])/)
  const first = sentences.findIndex((sentence) => sentence.endsWith('?'))
  const last = sentences.findLastIndex((sentence) => sentence.endsWith('?'))
  return first === -1 ? '' : sentences.slice(Math.max(0, first - 1), last + 1).join(' ')
}

/** @param {string} text */
function oneLine (text) {
  return text.replace(/\s+/g, ' ').trim()
}

/**
 * Rules in the order in which a text promises them. Pure.
 *
 * @param {Record<string, string>} promises by rule: words of the text, without marks
 * @param {string} text Markdown
 * @returns {Record<string, string>}
 */
export function inOrderOfText (promises, text) {
  const bare = (/** @type {string} */ some) => some.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').replace(/[*`|\s]+/g, '')
  const whole = bare(text)
  const placed = Object.entries(promises).map(([rule, words]) => ({ rule, words, at: whole.indexOf(bare(words)) }))
  return Object.fromEntries(placed.sort((a, b) => a.at - b.at).map(({ rule, words }) => [rule, words]))
}

/**
 * How long a check of each reference solution took on the project's machine; `npm run measure time -- --write` makes
 * the file.
 *
 * @param {string} root the workshop, or a lesson pack
 * @returns {{ pace: number, seconds: Record<string, number> } | null} pace: of that machine; seconds: by folder
 */
export function readTimes (root) {
  try {
    return JSON.parse(fs.readFileSync(timesFile(root), 'utf8'))
  } catch {
    return null
  }
}

/** @param {string} root */
export function timesFile (root) {
  return path.join(root, 'lessons', 'times.json')
}
