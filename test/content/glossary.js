import { sectionsIn } from '../../runner/lesson/index.js'
import { slugOf } from '../../runner/web/pages/lesson-text.js'
import { readMarkdown } from './markdown.js'

/**
 * The glossary, and where a lesson should link to it. Pure.
 *
 * @import { Content } from './read-lesson.js'
 * @import { Finding } from './rules.js'
 *
 * @typedef {object} Term
 * @property {string} term
 * @property {string} id of its heading
 * @property {string[]} lessons folders of those in which it is met first
 */

/** @param {string} glossary Markdown @returns {Term[]} */
export function termsIn (glossary) {
  return sectionsIn(glossary).filter(({ title }) => title !== '').map(({ title, text }) => ({
    term: title,
    id: slugOf(title),
    lessons: readMarkdown(text).links.flatMap((link) => /^\.\.\/lessons\/([^/]+)\//.exec(link)?.[1] ?? [])
  }))
}

/**
 * @param {Content} content
 * @returns {Finding[]} a term at its first use in the lesson where it is met, without a link: a proposal, no fault
 */
export function proposeLinks ({ entry: { folder }, files, glossary }) {
  const place = `lessons/${folder}/README.md`
  const text = files.get(place) ?? ''
  const { links } = readMarkdown(text)
  return termsIn(glossary ?? '')
    .filter(({ lessons, id }) => lessons.includes(folder) && !links.includes(`../../docs/glossary.md#${id}`))
    .map(({ term, id }) => (
      { place, what: `could link “${term}”, at its first use, to ../../docs/glossary.md#${id}.` }))
}
