import { sizedSeed } from '../random.js'
import { textWidth, truncateText, wrapText } from './theme.js'

/**
 * @import { ResultRecord } from '../judge/index.js'
 * @import { Theme } from './theme.js'
 */

/** Commands to copy: a broken line ends the way the shell wants it, and words are never broken. */

const longestCommand = 1500

/**
 * The command that runs the same check again.
 *
 * @param {ResultRecord} record
 * @param {Theme} theme
 * @returns {string} `npm run check lesson-3 -- --seed 1a2b`
 */
export function repeatCommand (record, theme) {
  const { lesson, submission } = record
  const server = isUsual(record) ? '' : ` --server ${argument(submission, theme, 'DIR')}`
  return `npm run check lesson-${lesson.number} --${server} --seed ${seedOf(record, theme)}`
}

/**
 * The command that starts what was graded, or the slow server, on the same data.
 *
 * @param {ResultRecord} record
 * @param {'mine' | 'slow'} which
 * @param {Theme} theme
 * @returns {string} `npm run serve lesson-3 mine -- --seed 1a2b`
 */
export function serveCommand (record, which, theme) {
  const { lesson, submission } = record
  const isNamed = which === 'slow' || isUsual(record)
  const server = isNamed ? ` ${which} --` : ` -- --server ${argument(submission, theme, 'DIR')}`
  return `npm run serve lesson-${lesson.number}${server} --seed ${seedOf(record, theme)}`
}

/** @param {ResultRecord} record @param {Theme} theme */
function seedOf ({ seed, machine }, theme) {
  return argument(sizedSeed(seed, machine.work), theme, 'SEED')
}

/**
 * Is it where a learner's copy is?
 *
 * @param {ResultRecord} record
 */
function isUsual ({ lesson, submission }) {
  const usual = `workspace/${String(lesson.number).padStart(2, '0')}-${lesson.id}`
  const folder = String(submission).replaceAll('\\', '/').replace(/\/+$/, '')
  return folder === usual || folder.endsWith(`/${usual}`)
}

/**
 * Commands are copied, so a name that a shell could misread is left out.
 *
 * @param {string} value
 * @param {Theme} theme
 * @param {string} placeholder
 */
function argument (value, theme, placeholder) {
  const text = theme.line(value)
  if (text !== String(value) || !/^[\p{L}\p{M}\p{N}_./\\:~ +@-]+$/u.test(text)) return placeholder
  return text.includes(' ') ? `"${text}"` : text
}

/**
 * A line for a shell, broken between words if it's too long. One that begins with # is a comment and does
 * nothing.
 *
 * @param {string} command
 * @param {Theme} theme
 * @returns {string[]} a line is wider than the theme's columns only where one word is
 */
export function layoutCommand (command, { columns, lines: clean, marks }) {
  const text = truncateText(clean(command).join(' '), longestCommand, marks.ellipsis)
  if (text.startsWith('#')) return wrapText(text.slice(1).trim(), columns - 2).map((line) => `# ${line}`)
  const lines = ['']
  for (const word of wordsOf(text)) {
    const line = lines[lines.length - 1]
    const longer = line === '' ? word : `${line} ${word}`
    // Two columns are for the mark that continues a line.
    if (line === '' || textWidth(longer) <= columns - 2) lines[lines.length - 1] = longer
    else lines.push(`  ${word}`)
  }
  return lines.map((line, at) => at < lines.length - 1 ? `${line} \\` : line)
}

/** Split as a shell would, with options and their values together. @param {string} text */
function wordsOf (text) {
  /** @type {string[]} */
  const joined = []
  let isValue = false
  for (const word of text.match(/(?:'[^']*'|"[^"]*"|\\.|[^\s'"\\]|['"\\])+/g) ?? []) {
    if (isValue) joined.push(`${joined.pop()} ${word}`)
    else joined.push(word)
    isValue = !isValue && takesValue.test(word)
  }
  return joined
}

const takesValue = /^(-[HXd]|--seed|--server)$/
