import jsTokens from 'js-tokens'
import { html, trusted } from '../../report/index.js'

/** @import { Html } from '../../report/index.js' */

/**
 * Which tokens are marked: enough to tell code from comments.
 *
 * @type {[RegExp, string][]}
 */
const classes = [
  [/Comment$/, 'comment'],
  [/^(StringLiteral|Template|NoSubstitutionTemplate|RegularExpression)/, 'string']
]

const keywords = new Set(`async await break case catch class const continue debugger default delete do else export
extends false finally for from function if import in instanceof let new null of return static super switch this throw
true try typeof undefined var void while with yield`.split(/\s+/))

/** Long bundles are shown without marks. */
const longest = 200_000

/**
 * JavaScript, line by line, with keywords, strings and comments marked; every other text as it is.
 *
 * @param {string} text
 * @param {string} name of the file, or a language of Markdown's
 * @returns {Html[]}
 */
export function highlightLines (text, name) {
  if (!/(^|\.)([cm]?js|javascript)$/.test(name) || text.length > longest) {
    return text.split('\n').map((line) => html`${line}`)
  }
  const marked = [...jsTokens(text)].map(({ type, value }) => {
    const name = type === 'IdentifierName' ? keywords.has(value) && 'keyword' : classOf(type)
    if (!name) return html`${value}`
    return value.split('\n').map((part) => html`<span class="${name}">${part}</span>`).join('\n')
  })
  return marked.join('').split('\n').map(trusted)
}

/**
 * @param {Html} line highlighted
 * @param {number} start in its text
 * @param {number} end
 * @returns {Html} with that part marked
 */
export function markPart (line, start, end) {
  let at = 0
  const parts = (String(line).match(/<[^>]*>|&[^;]+;|[^<&]/g) ?? []).map((part) => {
    if (part.startsWith('<')) return part
    const isMarked = at >= start && at < end
    at++
    return isMarked ? `<mark>${part}</mark>` : part
  })
  return trusted(parts.join('').replaceAll('</mark><mark>', ''))
}

/** @param {string} type */
function classOf (type) {
  return classes.find(([pattern]) => pattern.test(type))?.[1]
}
