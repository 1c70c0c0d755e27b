/**
 * The part of a markdown-it token that is read here.
 *
 * @typedef {object} Token
 * @property {string} type
 * @property {string} tag
 * @property {string} content
 * @property {string} info
 * @property {boolean} hidden
 * @property {Token[] | null} children
 * @property {(name: string) => string | number | null} attrGet
 */

/**
 * Markdown tokens as plain text for a terminal. Code keeps its backticks, so that commands stand out.
 *
 * @param {Token[]} tokens
 * @param {{ width: number }} options characters in a line; a longer word or line of code stands alone
 * @returns {string}
 */
export function plainText (tokens, { width }) {
  /** @type {{ text: string, close: boolean }[]} */
  const blocks = []
  /** @type {{ first: string, rest: string }[]} */
  const indents = []
  /** @type {boolean[]} */
  const ordered = []
  let tight = false

  /** @param {(room: number) => string[]} linesIn */
  const add = (linesIn) => {
    const first = indents.map((indent) => indent.first).join('')
    const rest = indents.map((indent) => indent.rest).join('')
    const lines = linesIn(Math.max(1, width - rest.length))
    const text = lines.map((line, index) => ((index === 0 ? first : rest) + line).trimEnd()).join('\n')
    blocks.push({ text, close: tight && indents.length > 0 })
    // A list item shows its mark once.
    for (const indent of indents) indent.first = indent.rest
  }

  for (const token of tokens) {
    if (token.type === 'paragraph_open') tight = token.hidden
    else if (token.type === 'inline') add((room) => wrap(inlineText(token.children ?? []), room))
    else if (token.type === 'fence' || token.type === 'code_block') add(() => codeLines(token.content))
    else if (token.type === 'bullet_list_open') ordered.push(false)
    else if (token.type === 'ordered_list_open') ordered.push(true)
    else if (/^(bullet|ordered)_list_close$/.test(token.type)) ordered.pop()
    else if (token.type === 'list_item_open') {
      const mark = ordered[ordered.length - 1] ? `${token.info}. ` : '- '
      indents.push({ first: mark, rest: ' '.repeat(mark.length) })
    } else if (token.type === 'blockquote_open') indents.push({ first: '> ', rest: '> ' })
    else if (token.type === 'list_item_close' || token.type === 'blockquote_close') indents.pop()
  }
  return blocks.map(({ text, close }, index) => {
    if (index === 0) return text
    return close && blocks[index - 1].close ? `\n${text}` : `\n\n${text}`
  }).join('')
}

/** @param {string} code */
function codeLines (code) {
  return code.trimEnd().split('\n').map((line) => `    ${line}`)
}

// Stands for a space inside of code, where a line should not break: a command is easier to copy whole.
const glue = '\u00a0'

/** @param {Token[]} tokens */
function inlineText (tokens) {
  let text = ''
  /** @type {{ href: string, from: number }[]} */
  const links = []
  for (const token of tokens) {
    if (token.type === 'text') text += token.content
    else if (token.type === 'code_inline') text += '`' + token.content.replaceAll(' ', glue) + '`'
    else if (token.type === 'image') text += token.content
    else if (token.type === 'softbreak') text += ' '
    else if (token.type === 'hardbreak') text += '\n'
    else if (token.type === 'link_open') links.push({ href: String(token.attrGet('href') ?? ''), from: text.length })
    else if (token.type === 'link_close') {
      const link = links.pop()
      if (link && text.slice(link.from) !== link.href) text += ` (${link.href})`
    }
  }
  return text
}

/**
 * @param {string} text
 * @param {number} width
 * @returns {string[]}
 */
export function wrap (text, width) {
  return text.split('\n').flatMap((paragraph) => {
    /** @type {string[]} */
    const lines = []
    let line = ''
    const words = paragraph.split(/[ \t]+/).flatMap((word) => word.length > width ? word.split(glue) : [word])
    for (const word of words.filter(Boolean)) {
      if (line !== '' && line.length + 1 + word.length > width) {
        lines.push(line)
        line = word
      } else {
        line = line === '' ? word : `${line} ${word}`
      }
    }
    return [...lines, line].map((done) => done.replaceAll(glue, ' '))
  })
}
