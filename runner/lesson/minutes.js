import { withDetails } from './text-sections.js'

/**
 * Silent readers of English prose average 238 (Brysbaert, "How many words do we read per minute?", Journal of Memory
 * and Language 109, 2019). Half of that is our estimate for technical texts that make people stop and think.
 */
const wordsPerMinute = 125

/**
 * What the list at the beginning of a lesson's text says of the work. Pure.
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
 * What a lesson teaches, as its text says under "You will be able to". Pure.
 *
 * @param {string} text Markdown
 * @returns {string | null} Markdown without links; null where it isn't said
 */
export function aimIn (text) {
  const [, aim] = /^- \*\*You will be able to\*\* (.+(?:\n {2}.+)*)/m.exec(text) ?? []
  return aim?.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').replace(/\s+/g, ' ') ?? null
}

/**
 * How long a text takes to read, without folded parts and the addresses of links. Pure.
 *
 * @param {string} text Markdown
 * @returns {number} whole minutes, at least one
 */
export function minutesToRead (text) {
  const words = withDetails(text, (summary) => summary).replace(/<!--[\s\S]*?-->|\]\([^)]*\)/g, ' ')
    .match(/[\p{L}\p{N}]+(?:['’.-][\p{L}\p{N}]+)*/gu) ?? []
  return Math.max(1, Math.round(words.length / wordsPerMinute))
}
