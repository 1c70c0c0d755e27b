import { sectionsIn, withDetails } from '../../runner/lesson/index.js'
import { readMarkdown } from './markdown.js'
import { textsOf } from './rules.js'

/**
 * The one form of all lessons' texts, rule by rule. Pure.
 *
 * @import { Section } from '../../runner/lesson/index.js'
 * @import { Content } from './read-lesson.js'
 * @import { Finding, Rule } from './rules.js'
 */

/** Others may come between them, without a number. */
const order = [
  '1. Establish a baseline', '2. Predict', '3. Find it', '4. Fix it', '5. Verify',
  'What production would add', 'Further reading', 'Next'
]
const answered = ['2. Predict', '3. Find it']
const opening = ['You will be able to', 'Time', 'Difficulty', 'Builds on']
/** Share by which the time that is told may be off, since people write it. */
const tolerance = 0.15

/** @type {Rule[]} */
export const formRules = [
  { name: 'has a text of the one form', find: findForm },
  { name: 'answers what it asks', find: findAnswers },
  { name: 'has pictures that say what they show', find: findPictures },
  { name: 'links outside only to pages that were looked at', find: findUnseen }
]

/** @param {Content} content */
function textOf ({ entry: { folder }, files }) {
  const place = `lessons/${folder}/README.md`
  return { place, text: files.get(place) }
}

/** @param {Content} content @returns {Finding[]} */
function findForm (content) {
  const { place, text } = textOf(content)
  if (text === undefined) return []
  const { entry: { lesson }, next } = content
  const sections = sectionsIn(text)
  const lacks = opening.filter((word) => !sections[0].text.includes(`\n- **${word}**`))
  // Wherever it's needed, since few want to read it first.
  const contract = lesson.check !== undefined ? 'What a correct load plan does' : 'What a correct server does'
  const titles = sections.map(({ title }) => title)
  const lost = [contract, ...order].filter((title) => !titles.includes(title))
  if (lacks.length === opening.length) {
    const parts = ['the list at its beginning', ...lost.map((title) => `“## ${title}”`)].join(', ')
    return [{ place, what: `is not written after the one form of docs/authors.md yet: it lacks ${parts}.` }]
  }
  return [
    ...text.startsWith(`# ${lesson.title}\n`) ? [] : [`must begin with the lesson's title, “# ${lesson.title}”.`],
    ...lacks.length === 0
      ? findOpening(sections[0].text, minutesToRead(text))
      : [`has no list before its first section with ${lacks.map((word) => `“- **${word}**”`).join(', ')}.`],
    ...lost.length === 0
      ? findOrder(titles.filter((title) => order.includes(title)))
      : [`has no ${lost.map((title) => `“## ${title}”`).join(', ')}.`],
    ...titles.filter((title) => /^\d/.test(title) && !order.includes(title)).map((title) => (
      `numbers “## ${title}”, which isn’t one of the five steps: leave the number out.`)),
    ...findEnd(sections, next)
  ].map((what) => ({ place, what }))
}

/** @param {string} text before the first section @param {number} minutes @returns {string[]} */
function findOpening (text, minutes) {
  const item = (/** @type {string} */ word) =>
    text.split(`\n- **${word}**`)[1].split(/\n(?! )/)[0].replace(/\s+/g, ' ').trim()
  const places = opening.map((word) => text.indexOf(`\n- **${word}**`))
  const [, told] = /^about (\d+) minutes? to read and \d+ to work\./.exec(item('Time')) ?? []
  const builds = item('Builds on')
  return [
    ...places.some((at, index) => at < places[index - 1]) ? [`opens with ${opening.join(', ')}: in this order.`] : [],
    ...told === undefined ? ['must say the time as “about 9 minutes to read and 30 to work.”'] : [],
    ...Math.abs(Number(told) - minutes) > Math.max(1, tolerance * minutes)
      ? [`says ${told} minutes to read: its words take ${minutes}, without what is folded.`]
      : [],
    ...['easy', 'medium', 'hard'].includes(item('Difficulty'))
      ? []
      : ['has a difficulty other than easy, medium or hard.'],
    ...builds === 'nothing' || /\[[^\]]+\]\(\.\.\/\d+-/.test(builds)
      ? []
      : ['must say what it builds on: links to earlier lessons, or “nothing”.']
  ]
}

/** @param {string[]} titles all of the order */
function findOrder (titles) {
  const at = order.findIndex((title, index) => title !== titles[index])
  return at === -1 ? [] : [`has “## ${titles[at]}” where “## ${order[at]}” belongs.`]
}

/** @param {Section[]} sections @param {string | null} next folder */
function findEnd (sections, next) {
  const linksOf = (/** @type {string} */ wanted) =>
    readMarkdown(sections.find(({ title }) => title === wanted)?.text ?? '').links
  const isThere = (/** @type {string} */ wanted) => sections.some(({ title }) => title === wanted)
  return [
    ...isThere('Further reading') && !linksOf('Further reading').some(isOutside)
      ? ['links to nothing outside under “## Further reading”.']
      : [],
    ...next !== null && isThere('Next') && !linksOf('Next').includes(`../${next}/README.md`)
      ? [`does not link to ../${next}/README.md under “## Next”.`]
      : []
  ]
}

/** @param {Content} content @returns {Finding[]} */
function findAnswers (content) {
  const { place, text = '' } = textOf(content)
  const count = (/** @type {RegExp} */ pattern) => text.match(pattern)?.length ?? 0
  const broken = count(/<details\b/g) !== count(/<\/details>/g) ||
    count(/<details>\s*<summary>[^<\n]+<\/summary>\n\n/g) !== count(/<details\b/g)
  if (broken) {
    return [{ place, what: 'has a <details> that is not closed, or without a <summary> and an empty line after it.' }]
  }
  // Together, because a prediction is answered where it's measured.
  const both = sectionsIn(text).filter(({ title }) => answered.includes(title)).map(({ text }) => text).join('\n')
  const marked = withDetails(both, (summary, inside) => summary === 'Answers' ? '\n§\n' : inside)
  const open = asked(marked.split('\n§\n').at(-1) ?? '')
  return open === null
    ? []
    : [{ place, what: `asks what no <details><summary>Answers</summary> up to “## 4. Fix it” answers: “${open}”` }]
}

/** The first question of a text, without code and addresses. @param {string} markdown @returns {string | null} */
function asked (markdown) {
  const prose = markdown.replace(/^#.*$/gm, '').replace(/```[^]*?```/g, '').replace(/^ {4}\S.*$/gm, '')
    .replace(/`[^`]*`/g, '…').replace(/\]\([^)]*\)/g, ']').replace(/\s+/g, ' ')
  const [, question] = /([^.?!:]*\?)/.exec(prose) ?? []
  return question === undefined ? null : question.trim()
}

/** @param {Content} content @returns {Finding[]} */
function findPictures (content) {
  return textsOf(content).flatMap(([place, text]) => readMarkdown(text).pictures
    .filter(({ alt }) => alt.trim().split(/\s+/).length < 3)
    .map(({ src }) => (
      { place, what: `shows ${src} without saying what it shows: give it an alternative text.` })))
}

/** @param {Content} content @returns {Finding[]} */
function findUnseen (content) {
  return textsOf(content).flatMap(([place, text]) => findUnlisted(place, text, content.outside))
}

/**
 * @param {string} place
 * @param {string} text
 * @param {ReadonlySet<string> | null} outside addresses that were looked at; null: no list is kept
 * @returns {Finding[]}
 */
export function findUnlisted (place, text, outside) {
  if (outside === null) return []
  return readMarkdown(text).links.filter((link) => isOutside(link) && !outside.has(link.split('#')[0]))
    .map((link) => ({ place, what: `links to ${link}: look at it, and write it into docs/links.json with the date.` }))
}

/** @param {string} link */
function isOutside (link) {
  return /^https?:\/\/(?!127\.0\.0\.1)/.test(link)
}

/**
 * Silent readers of English prose average 238 (Brysbaert, "How many words do we read per minute?", Journal of Memory
 * and Language 109, 2019). Half of that is our estimate for technical texts that make people stop and think.
 */
const wordsPerMinute = 125

/**
 * How long a text takes to read, without folded parts and the addresses of links. Pure.
 *
 * @param {string} text Markdown
 * @returns {number} whole minutes, at least one
 */
export function minutesToRead (text) {
  const words = withDetails(text, (summary) => summary).replace(/<!--[\s\S]*?-->|\]\([^)]*\)/g, ' ')
    .match(/[\p{L}\p{N}]+(?:['’.-][\p{L}\p{N}]+)*/gu) ?? []
  return Math.max(1, Math.round(words.length / wordsPerMinute))
}
