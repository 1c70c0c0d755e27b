/**
 * The parts of a lesson's text.
 *
 * @typedef {object} Section
 * @property {string} title a second-level heading; empty for what precedes the first
 * @property {string} text including the heading
 */

const details = /<details>\s*<summary>([^<]*)<\/summary>([^]*?)<\/details>/g

/**
 * Pure.
 *
 * @param {string} markdown
 * @returns {Section[]} joined, they are the text
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
 * Replaces folded parts. Pure.
 *
 * @param {string} markdown
 * @param {(summary: string, inside: string) => string} replace
 * @returns {string}
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
