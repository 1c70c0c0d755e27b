import { createHash } from 'node:crypto'

/**
 * The newsroom behind the servers. It numbers all that it hands out: every answer is a separate edition, so a page
 * tells which call it was made from, and a mark that can't be foretold tells that it was made from a call at all.
 *
 * @import { Random, UpstreamOf } from '../../runner/lesson/index.js'
 *
 * @typedef {object} Newsroom
 * @property {string} salt of its marks
 * @property {string[]} ids
 * @property {Record<string, Text>} texts what stays the same from edition to edition, by language and id
 * @property {number} firstEdition
 *
 * @typedef {{ title: string, author: string, paragraphs: string[] }} Text
 * @typedef {{ id: string, lang: string, edition: number, mark: string } & Text} Article
 */

const wording = { en: 'And now', de: 'Und nun', fr: 'Et voilà' }
export const languages = Object.keys(wording)

/** ms that the newsroom takes for an answer. */
const delayMs = 8

/** @param {Random} random @returns {Newsroom} */
export function makeNewsroom (random) {
  const vocabulary = Array.from({ length: 300 }, () => random.word(random.int(3, 9)))
  const some = (/** @type {number} */ length) => Array.from({ length }, () => random.pick(vocabulary))
  const sentences = () => Array.from({ length: 6 }, () => `${capital(some(random.int(8, 12)).join(' '))}.`).join(' ')
  const write = (/** @type {string} */ greeting) => ({
    title: `${capital(some(3).join(' '))} & "${some(1)}" <${some(1)}>`,
    author: some(2).map(capital).join(' '),
    paragraphs: Array.from({ length: 12 }, () => `${greeting} – ${sentences()}`)
  })
  // Few enough for any cache that deserves the name: with each in three languages there are 90 pages.
  const ids = Array.from({ length: 30 }, () => newId(random))
  return {
    salt: random.word(24),
    ids,
    texts: Object.fromEntries(ids.flatMap((id) =>
      Object.entries(wording).map(([lang, greeting]) => [`${lang} ${id}`, write(greeting)]))),
    // Of as many digits as all that follow, so that each page of an article is as long as the next.
    firstEdition: random.int(10_000, 40_000)
  }
}

/** Of an article that there is, or that there is not. @param {Random} random */
export function newId (random) {
  return `${random.word(6)}-${random.word(5)}-${random.int(10_000, 99_999)}`
}

/** @type {UpstreamOf} */
export function answerCalls ({ data }) {
  let edition = data.firstEdition
  return ({ method, path }) => {
    const { pathname, searchParams } = new URL(path, 'http://upstream')
    const [, kind, name = ''] = pathname.split('/')
    const id = decodeURIComponent(name)
    const article = articleOf(data, { id, lang: searchParams.get('lang') ?? '', edition: ++edition })
    return method === 'GET' && kind === 'articles' && article
      ? { json: article, delayMs }
      : { status: 404, json: { error: 'not_found' }, delayMs }
  }
}

/**
 * Of each article there are any number of parts, `ID~1` and so on, with the same text. In each edition its paragraphs
 * are in another order, so that a page of one with the number of another is a wrong one.
 *
 * @param {Newsroom} newsroom
 * @param {Pick<Article, 'id' | 'lang' | 'edition'>} asked
 * @returns {Article | undefined}
 */
export function articleOf ({ salt, texts }, { id, lang, edition }) {
  const text = texts[`${lang} ${id.replace(/~\d+$/, '')}`]
  const mark = createHash('sha256').update(JSON.stringify([salt, id, lang, edition])).digest('hex').slice(0, 16)
  if (text === undefined) return
  const first = edition % text.paragraphs.length
  const paragraphs = [...text.paragraphs.slice(first), ...text.paragraphs.slice(0, first)]
  return { id, lang, edition, mark, ...text, paragraphs }
}

/** @param {string} word */
function capital (word) {
  return word[0].toUpperCase() + word.slice(1)
}
