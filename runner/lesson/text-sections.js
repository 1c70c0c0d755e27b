/**
 * The parts of a lesson's text.
 *
 * @typedef {object} Section
 * @property {string} title of a heading of the second level; empty for what stands before the first
 * @property {string} text with its heading
 */

const details = /<details>\s*<summary>([^<]*)<\/summary>([^]*?)<\/details>/g

/**
 * Pure.
 *
 * @param {string} markdown
 * @returns {Section[]} put together again they are the text
 */
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
 * What opens on request, replaced. Pure.
 *
 * @param {string} markdown
 * @param {(summary: string, inside: string) => string} replace
 * @returns {string}
 */
export function withDetails (markdown, replace) {
  return markdown.replace(details, (_, summary, inside) => replace(summary.trim(), inside.trim()))
}

/**
 * The same text with all that opens on request folded: its summary is left, and how to see it. Pure.
 *
 * @param {string} markdown
 * @param {(number: string) => string} command that opens it, by the number of its section, which may be empty
 * @returns {string}
 */
export function foldDetails (markdown, command) {
  return sectionsIn(markdown).map(({ title, text }) => {
    const [, number = ''] = /^(\d+)\. /.exec(title) ?? []
    return withDetails(text, (summary) => `**${summary}**, folded: \`${command(number)}\``)
  }).join('')
}
