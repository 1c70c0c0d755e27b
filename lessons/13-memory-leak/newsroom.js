import { createHash } from 'node:crypto'

/**
 * The newsroom behind the servers. It numbers all that it hands out: every answer is an edition of its own, so a page
 * tells which call it was made from, and a mark that nobody can foretell tells that it was made from a call at all.
 *
 * @import { Random, UpstreamOf } from '../../runner/lesson/index.js'
 *
 * @typedef {object} Newsroom
 * @property {string} salt without it nobody can foretell a mark
 * @property {string[]} ids
 * @property {string[]} vocabulary
 * @property {number} firstEdition
 *
 * @typedef {{ id: string, lang: string, edition: number, mark: string, title: string, author: string, paragraphs:
 *   string[] }} Article
 */

export const languages = ['en', 'de', 'fr']

/** ms that the newsroom takes for an answer. */
const delayMs = 8
const paragraphs = 12
const sentences = 6
const greetings = { en: 'And now', de: 'Und nun', fr: 'Et voilà' }
const by = { en: 'By', de: 'Von', fr: 'Par' }
const edition = { en: 'Edition', de: 'Ausgabe', fr: 'Édition' }

/** @param {Random} random @returns {Newsroom} */
export function makeNewsroom (random) {
  return {
    salt: random.word(24),
    // Few enough for any cache that deserves the name: with each in three languages there are 90 pages.
    ids: Array.from({ length: 30 }, () => newId(random)),
    vocabulary: Array.from({ length: 300 }, () => random.word(random.int(3, 9))),
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
  const ids = new Set(data.ids)
  let { firstEdition: edition } = data
  return ({ method, path }) => {
    const url = new URL(path, 'http://upstream')
    const [, kind, name = ''] = url.pathname.split('/')
    const lang = url.searchParams.get('lang') ?? ''
    edition++
    const id = decodeURIComponent(name)
    if (method !== 'GET' || kind !== 'articles' || !ids.has(id) || !languages.includes(lang)) {
      return { status: 404, json: { error: 'not_found' }, delayMs }
    }
    return { json: articleOf(data, id, lang, edition), delayMs }
  }
}

/** @type {WeakMap<Newsroom, Map<string, Pick<Article, 'title' | 'author' | 'paragraphs'>>>} */
const written = new WeakMap()

/** @param {Newsroom} newsroom @param {string} id @param {string} lang @param {number} edition @returns {Article} */
export function articleOf (newsroom, id, lang, edition) {
  const mark = createHash('sha256')
    .update(JSON.stringify([newsroom.salt, id, lang, edition]))
    .digest('hex')
    .slice(0, 16)
  return { id, lang, edition, mark, ...textOf(newsroom, id, lang) }
}

/** What stays the same from edition to edition. @param {Newsroom} newsroom @param {string} id @param {string} lang */
function textOf (newsroom, id, lang) {
  const texts = written.get(newsroom) ?? new Map()
  written.set(newsroom, texts)
  const key = `${lang} ${id}`
  if (!texts.has(key)) texts.set(key, write(newsroom, id, lang))
  return texts.get(key)
}

/** @param {Newsroom} newsroom @param {string} id @param {string} lang */
function write ({ salt, vocabulary }, id, lang) {
  let block = 0
  let left = Buffer.alloc(0)
  const draw = () => {
    if (left.length < 2) left = createHash('sha512').update(JSON.stringify([salt, id, lang, block++])).digest()
    const number = left.readUInt16LE(0)
    left = left.subarray(2)
    return number
  }
  const some = (/** @type {number} */ count) =>
    Array.from({ length: count }, () => vocabulary[draw() % vocabulary.length])
  const sentence = () => `${capital(some(8 + draw() % 5).join(' '))}.`
  return {
    title: `${capital(some(3).join(' '))} & ${some(2).join(' ')}`,
    author: some(2).map(capital).join(' '),
    paragraphs: Array.from(
      { length: paragraphs },
      () =>
        `${greetings[/** @type {'en' | 'de' | 'fr'} */ (lang)]} – ` +
          `${Array.from({ length: sentences }, sentence).join(' ')}`
    )
  }
}

/** The part of a page that is the article. @param {Article} article */
export function htmlOf (article) {
  const lang = /** @type {'en' | 'de' | 'fr'} */ (article.lang)
  return [
    `<article lang="${lang}" id="${article.id}">`,
    `<h1>${article.title.replaceAll('&', '&amp;')}</h1>`,
    `<p class="by">${by[lang]} ${article.author} · ${edition[lang]} ${article.edition} · ${article.mark}</p>`,
    ...article.paragraphs.map((paragraph) => `<p>${paragraph}</p>`),
    '</article>'
  ].join('\n')
}

/** @param {string} word */
function capital (word) {
  return word[0].toUpperCase() + word.slice(1)
}
