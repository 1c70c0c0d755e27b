import { withDetails } from './text-sections.js'

/**
 * Words that people read in a minute. For English prose in silence it is 238 on average (Brysbaert, "How many words do
 * we read per minute?", Journal of Memory and Language 109, 2019); our texts are technical, and not everybody's first
 * language is English.
 */
const wordsPerMinute = 200

/**
 * How long it takes, without what opens on request, and without the addresses of links. Pure.
 *
 * @param {string} text Markdown
 * @returns {number} whole minutes, at least one
 */
export function minutesToRead (text) {
  const words = withDetails(text, (summary) => summary).replace(/<!--[\s\S]*?-->|\]\([^)]*\)/g, ' ')
    .match(/[\p{L}\p{N}]+(?:['’.-][\p{L}\p{N}]+)*/gu) ?? []
  return Math.max(1, Math.round(words.length / wordsPerMinute))
}
