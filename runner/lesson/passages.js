import { sectionsIn } from './text-sections.js'

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
