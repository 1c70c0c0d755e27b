import MarkdownIt from 'markdown-it'

const parser = new MarkdownIt({ html: true })

/**
 * Slides of one Markdown text: a line `---` ends a slide, an HTML comment in its own block is a note
 * for the speaker. Within code both are plain text, and a `---` right below a line of text makes it a heading, as
 * everywhere in Markdown. Slides without any text are left out. Pure.
 *
 * @param {string} markdown
 * @returns {{ markdown: string, notes: string }[]} the text to show, without its notes, and the notes as Markdown, `''`
 *   if there are none
 */
export function slidesOf (markdown) {
  const lines = markdown.split(/\r?\n/)
  /** @type {{ shown: string, notes: string[] }[]} */
  const slides = [{ shown: '', notes: [] }]
  let done = 0
  const showUntil = (/** @type {number} */ line) => {
    slides[slides.length - 1].shown += lines.slice(done, line).join('\n') + '\n'
    done = line
  }
  for (const { type, markup, content, level, map } of parser.parse(markdown, {})) {
    if (level > 0 || !map) continue
    const isEnd = type === 'hr' && /^-+$/.test(markup)
    const [, note] = (type === 'html_block' && /^\s*<!--([^]*?)-->\s*$/.exec(content)) || []
    if (!isEnd && note === undefined) continue
    showUntil(map[0])
    done = map[1]
    if (isEnd) slides.push({ shown: '', notes: [] })
    else slides[slides.length - 1].notes.push(note.trim())
  }
  showUntil(lines.length)
  return slides
    .map(({ shown, notes }) => ({ markdown: shown.trim(), notes: notes.filter(Boolean).join('\n\n') }))
    .filter(({ markdown }) => markdown !== '')
}
