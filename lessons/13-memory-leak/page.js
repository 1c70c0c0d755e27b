import { articleOf } from './newsroom.js'

/**
 * What a page must be like. Pure.
 *
 * @import { Answer } from '../../runner/contract/index.js'
 * @import { Article, Newsroom } from './newsroom.js'
 *
 * @typedef {{ status: number, headers: Record<string, string>, body: Buffer }} Page
 */

/** @type {Record<string, string>} */
const entities = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const words = { en: ['By', 'Edition'], de: ['Von', 'Ausgabe'], fr: ['Par', 'Édition'] }

/**
 * @param {Newsroom} newsroom
 * @param {{ id: string, lang: string, after?: number }} asked after: its edition must be later
 * @param {Page} answer to `GET /articles/:id`
 * @returns {string | undefined} what is wrong with it, in one sentence
 */
export function wrongPage (newsroom, { id, lang, after = 0 }, answer) {
  const wrong = wrongHead(answer, 200, lang)
  if (wrong) return wrong
  const edition = editionOf(answer)
  if (edition === 0) return `X-Edition is ${answer.headers['x-edition'] ?? 'missing'}`
  if (edition <= after) {
    return `expected an edition after ${after}, which was sent before the article was refreshed, got ${edition}`
  }
  const page = answer.body.toString()
  const article = articleOf(newsroom, { id, lang, edition })
  if (article && page.includes(htmlOf(article))) return
  const [said] = /<article [^>]*>/.exec(page) ?? ['no article']
  return `expected edition ${edition} of the article ${id} in the language ${lang}, as the newsroom wrote it, got ` +
    `${said} with another text`
}

/** @param {Omit<Page, 'body'>} answer @param {number} wanted a status @param {string} lang */
export function wrongHead ({ status, headers }, wanted, lang) {
  const { 'content-type': type = 'missing', 'content-language': language = 'none' } = headers
  if (status !== wanted) return `expected status ${wanted}, got ${status}`
  if (!/^text\/html; ?charset=utf-8$/i.test(type)) return `Content-Type is ${type}`
  if (language !== lang) return `expected Content-Language: ${lang}, got ${language}`
}

/** @param {Pick<Page, 'headers'>} answer @returns {number} 0: it shows none */
export function editionOf ({ headers }) {
  return Number(/^\d+$/.exec(headers['x-edition'] ?? '')?.[0] ?? 0)
}

/**
 * A page around its article, which has to be an edition of the newsroom's.
 *
 * @param {Answer} answer
 * @param {{ data: any }} given
 */
export function withoutEdition (answer, { data }) {
  if (answer.headers['content-type']?.startsWith('application/json')) return answer.json()
  const [, lang, id] = /<article lang="(\w+)" id="([^"]*)">/.exec(answer.text) ?? []
  if (!lang) return answer.text
  const wrong = wrongPage(data, { id, lang }, answer)
  if (wrong) throw new Error(wrong)
  return answer.text.replace(/(<article [^>]*>)[^]*<\/article>/, '$1')
}

/** @param {Article} article */
function htmlOf ({ id, lang, title, author, edition, mark, paragraphs }) {
  const [by, called] = words[/** @type {'en' | 'de' | 'fr'} */ (lang)]
  return [
    `<article lang="${lang}" id="${id}">`,
    `<h1>${title.replace(/[&<>"]/g, (sign) => entities[sign])}</h1>`,
    `<p class="by">${by} ${author} · ${called} ${edition} · ${mark}</p>`,
    ...paragraphs.map((paragraph) => `<p>${paragraph}</p>`),
    '</article>'
  ].join('\n')
}
