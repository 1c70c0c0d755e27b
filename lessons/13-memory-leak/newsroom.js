import { createHash } from 'node:crypto'

/**
 * The newsroom behind the servers, and what a page of its articles must be like. It numbers all that it hands out:
 * every answer is a separate edition, so a page tells which call it was made from, and a mark that can't be foretold
 * tells that it was made from a call at all.
 *
 * @import { Answer } from '../../runner/contract/index.js'
 * @import { Random, UpstreamOf } from '../../runner/lesson/index.js'
 *
 * @typedef {ReturnType<typeof makeNewsroom>} Newsroom texts: what stays the same from edition to edition
 * @typedef {Pick<Answer, 'status' | 'headers' | 'body'>} Page
 */

/** By language: how its texts begin, and what a page says. @type {Record<string, string[]>} */
const says = { en: ['And now', 'By', 'Edition'], de: ['Und nun', 'Von', 'Ausgabe'], fr: ['Et voilà', 'Par', 'Édition'] }
export const languages = Object.keys(says)
/** @type {Record<string, string>} */
const entities = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** @param {Random} random */
export function makeNewsroom (random) {
  const capital = (/** @type {string} */ word) => word[0].toUpperCase() + word.slice(1)
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
    texts: Object.fromEntries(ids.flatMap((id) => languages.map((lang) => [`${lang} ${id}`, write(says[lang][0])]))),
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
    const isFound = method === 'GET' && kind === 'articles' && article
    return { ...isFound ? { json: article } : { status: 404, json: { error: 'not_found' } }, delayMs: 8 }
  }
}

/**
 * Of each article there are any number of parts, `ID~1` and so on, with the same text. In each edition its paragraphs
 * are in another order, so that a page of one with the number of another is a wrong one.
 *
 * @param {Newsroom} newsroom @param {{ id: string, lang: string, edition: number }} asked
 */
function articleOf ({ salt, texts }, { id, lang, edition }) {
  const text = texts[`${lang} ${id.replace(/~\d+$/, '')}`]
  const mark = createHash('sha256').update(JSON.stringify([salt, id, lang, edition])).digest('hex').slice(0, 16)
  if (text === undefined) return
  const first = edition % text.paragraphs.length
  const paragraphs = [...text.paragraphs.slice(first), ...text.paragraphs.slice(0, first)]
  return { id, lang, edition, mark, ...text, paragraphs }
}

/**
 * What is wrong with an answer to `GET /articles/:id`, in one sentence.
 *
 * @param {Newsroom} newsroom
 * @param {{ id: string, lang: string, after?: number, isMissing?: boolean }} asked after: its edition must be later;
 *   isMissing: there's no such article
 * @param {Page} answer
 */
export function wrongPage (newsroom, { id, lang, after = 0, isMissing = false }, { status, headers, body }) {
  const { 'content-type': type = 'missing', 'content-language': language = 'none' } = headers
  const wanted = isMissing ? 404 : 200
  if (status !== wanted) return `expected status ${wanted}, got ${status}`
  if (!/^text\/html; ?charset=utf-8$/i.test(type)) return `Content-Type is ${type}`
  if (language !== lang) return `expected Content-Language: ${lang}, got ${language}`
  if (isMissing) return
  const edition = editionOf({ headers })
  if (edition === 0) return `X-Edition is ${headers['x-edition'] ?? 'missing'}`
  if (edition <= after) {
    return `expected an edition after ${after}, which was sent before the article was refreshed, got ${edition}`
  }
  const page = body.toString()
  const article = articleOf(newsroom, { id, lang, edition })
  if (article && page.includes(htmlOf(article))) return
  const [said] = /<article [^>]*>/.exec(page) ?? ['no article']
  return `expected edition ${edition} of the article ${id} in the language ${lang}, as the newsroom wrote it, got ` +
    `${said} with another text`
}

/** @param {Pick<Page, 'headers'>} answer @returns {number} 0: it shows none */
export function editionOf ({ headers }) {
  return Number(/^\d+$/.exec(headers['x-edition'] ?? '')?.[0] ?? 0)
}

/** A page around its article, an edition of the newsroom's. @param {Answer} answer @param {{ data: any }} given */
export function withoutEdition (answer, { data }) {
  if (answer.headers['content-type']?.startsWith('application/json')) return answer.json()
  const [, lang, id] = /<article lang="(\w+)" id="([^"]*)">/.exec(answer.text) ?? []
  if (!lang) return answer.text
  const wrong = wrongPage(data, { id, lang }, answer)
  if (wrong) throw new Error(wrong)
  return answer.text.replace(/(<article [^>]*>)[^]*<\/article>/, '$1')
}

/** @param {NonNullable<ReturnType<typeof articleOf>>} article */
function htmlOf ({ id, lang, title, author, edition, mark, paragraphs }) {
  const [, by, called] = says[lang]
  return [
    `<article lang="${lang}" id="${id}">`,
    `<h1>${title.replace(/[&<>"]/g, (sign) => entities[sign])}</h1>`,
    `<p class="by">${by} ${author} · ${called} ${edition} · ${mark}</p>`,
    ...paragraphs.map((paragraph) => `<p>${paragraph}</p>`),
    '</article>'
  ].join('\n')
}
