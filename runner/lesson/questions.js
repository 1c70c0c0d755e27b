import { sectionsIn, withDetails } from './text-sections.js'

/**
 * What a lesson's text asks under "Predict", so that each question can be answered on its own. Pure.
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
    // What leads to a list is asked by its items.
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
