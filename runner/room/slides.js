import fs from 'node:fs/promises'
import path from 'node:path'
import MarkdownIt from 'markdown-it'
import { frame } from '../http/index.js'
import { loadLesson, readHints } from '../lesson/index.js'
import { html, trusted } from '../report/index.js'
import { isInWorkshop, workshopRoot } from '../workshop.js'

/** @import { LessonEntry } from '../lesson/index.js' */

/** The presenter's view, empty: its script fetches the notes with the instructor's secret. @returns {string} HTML */
export function presenterPage () {
  return frame({
    title: 'Presenter · Make It Fast',
    name: 'presenter-page',
    home: null,
    styles: ['/static/room/browser/slides.css'],
    scripts: ['/static/room/browser/presenter.js'],
    main: html`<noscript><p class="note">This page needs JavaScript.</p></noscript>
<p id="refused" role="alert"></p>
<div id="presenter" hidden>
<div class="bar"><h1>Slide <span id="at" aria-live="polite"></span></h1>
<p class="buttons"><button type="button" id="back">← Back</button>
<button type="button" id="on" class="main">Next →</button></p>
<p class="soft">The arrow keys turn the slides in your other windows of this browser, too.</p><p id="clock"></p></div>
<section class="now" aria-label="This slide" id="slide"></section>
<section class="after" aria-labelledby="next-title"><h2 id="next-title">Next</h2><div id="next"></div></section>
<section class="say" aria-labelledby="notes-title"><h2 id="notes-title">Notes</h2><div id="notes"></div></section>
</div>`
  })
}

/**
 * @typedef {{ html: string, notes: string }} Slide both as HTML; notes: may be empty
 *
 * @param {string} text Markdown, as `slidesOf` reads it
 * @returns {Slide[]} for the presenter
 */
export function slidesWithNotes (text) {
  const md = new MarkdownIt()
  md.normalizeLink = (url) => url.replace(/^(\.\.\/)+lessons\/([\w-]+)\/pictures\//, '/pictures/$2/')
  return slidesOf(text).map(({ markdown, notes }) => ({ html: md.render(markdown), notes: md.render(notes) }))
}

/**
 * Slides for the wall, one below the other, each as large as the window. Anyone with the code may read them, so they
 * have no notes.
 *
 * @param {{ code: string, text: string }} given text: Markdown, as `slidesOf` reads it
 * @returns {string} HTML
 */
export function slidesPage ({ code, text }) {
  const slides = slidesWithNotes(text)
  return frame({
    title: 'Slides · Make It Fast',
    name: 'slides-page',
    home: `/${code}`,
    styles: ['/static/room/browser/slides.css'],
    scripts: ['/static/room/browser/slides.js'],
    main: html`${slides.map((slide, at) =>
      html`<section class="slide" aria-label="Slide ${at + 1} of ${slides.length}"><div>${trusted(slide.html)}</div>
<p class="at" aria-hidden="true">${at + 1} / ${slides.length}</p></section>`)}`
  })
}

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

/** The longest message, in characters. */
const longest = 500

/**
 * What an instructor can say to learners who share a reason: a part of their page.
 *
 * @param {{ number: number, talk: Talk }} given number: of the lesson
 */
export function talkHtml ({ number, talk: { wants, mistakes, debrief, hints } }) {
  const md = new MarkdownIt()
  const said = (/** @type {string} */ markdown) => trusted(md.render(markdown))
  return html`${wants === null ? '' : html`<h3>What the check says</h3><blockquote>${said(wants)}</blockquote>`}
${mistakes === '' ? '' : html`<h3>What to ask them</h3>${said(mistakes)}`}
${hints.length === 0
? ''
: html`<h3>Hints</h3>${hints.map((hint, at) => html`<section class="hint">
<p class="buttons"><strong>${at + 1}</strong>
<button type="button" class="small" data-hint="${at + 1}" data-text="${messageOf(hint, number, at + 1)}"></button></p>
${said(hint)}</section>`)}`}
${debrief === '' ? '' : html`<h3>In the debrief</h3>${said(debrief)}`}`
}

/**
 * The hint as a message, or where it is, if it's too long for one. Pure.
 *
 * @param {string} hint
 * @param {number} lesson
 * @param {number} at
 */
function messageOf (hint, lesson, at) {
  const text = `Hint ${at}, lesson ${lesson}: ${hint.replace(/\s+/g, ' ').trim()}`
  if (text.length <= longest && !hint.includes('```')) return text
  return `Take hint ${at} of lesson ${lesson}: it’s on the lesson’s page, or \`npm run hint lesson-${lesson}\`.`
}

/**
 * What an instructor can say to learners who share a reason.
 *
 * @typedef {object} Talk
 * @property {string | null} wants what the check or the gate wants, as the lesson says it; null: not said
 * @property {string} mistakes Markdown: those in the debrief that end with this reason; may be empty
 * @property {string} debrief Markdown: what else to ask the room; may be empty
 * @property {string[]} hints Markdown
 */

/**
 * @param {LessonEntry} entry
 * @param {string} reason as `leadingReason` puts it
 * @returns {Promise<Talk>}
 */
export async function readTalk (entry, reason) {
  const [loaded, hints, debriefs] = await Promise.all([
    loadLesson(entry).catch(() => null),
    readHints(entry).catch(() => []),
    fs.readFile(path.join(workshopRoot, 'docs', 'teaching', 'debriefs.md'), 'utf8')
  ])
  if (loaded === null) return { wants: null, mistakes: '', debrief: '', hints }
  const { lesson } = loaded
  const promise = Object.entries(lesson.promises ?? {}).find(([rule]) => reason === `wrong answer: “${rule}”`)?.[1]
  const gate = lesson.gates?.find(({ name }) => reason.endsWith(`: ${name}`))
  return {
    wants: promise ?? gate?.look ?? null,
    ...debriefOf(isInWorkshop(entry.dir) ? debriefs : '', entry.number, reason),
    hints
  }
}

/**
 * What to ask. The common mistakes are those with the name of the check or gate, or all if none mention it. Pure.
 *
 * @param {string} debriefs
 * @param {number} number of the lesson
 * @param {string} reason
 * @returns {Pick<Talk, 'mistakes' | 'debrief'>}
 */
function debriefOf (debriefs, number, reason) {
  const own = debriefs.split(/^## /m).find((part) => part.startsWith(`${number} · `)) ?? ''
  const [, ask = ''] = own.split(/(?=\*\*Ask\.\*\*)/)
  const [questions, mistakes = ''] = ask.split('**Common mistakes.**')
  const [, name = ''] = /(?:: “(.+)”|: (.+))$/.exec(reason)?.filter(Boolean) ?? []
  const named = mistakes.split(/^(?=- )/m).filter((one) => one.includes(`*${name}*`))
  return named.length > 0
    ? { mistakes: named.join('').trim(), debrief: questions.trim() }
    : { mistakes: '', debrief: ask.trim() }
}
