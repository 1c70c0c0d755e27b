/**
 * @import { ResultRecord } from '../../judge/index.js'
 * @import { Theme } from './theme.js'
 */

/** The command that runs the same check again. */

/**
 * @param {ResultRecord} record
 * @param {Theme} theme
 * @returns {string} `npm run check lesson-3 -- --seed 1a2b`
 */
export function repeatCommand ({ lesson, submission, seed }, theme) {
  const usual = `workspace/${String(lesson.number).padStart(2, '0')}-${lesson.id}`
  const folder = String(submission).replaceAll('\\', '/').replace(/\/+$/, '')
  const options = folder === usual || folder.endsWith(`/${usual}`)
    ? ''
    : ` --server ${argument(submission, theme, 'DIR')}`
  return `npm run check lesson-${lesson.number} --${options} --seed ${argument(seed, theme, 'SEED')}`
}

/**
 * A command is there to be copied: a name that a shell could take for something else is not put into it.
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
