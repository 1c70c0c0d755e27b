import { articleOf, htmlOf } from './newsroom.js'

/**
 * @import { Answer } from '../../runner/contract/index.js'
 * @import { Newsroom } from './newsroom.js'
 */

/**
 * What is wrong with an answer to `GET /articles/:id`, in one sentence.
 *
 * @param {Newsroom} newsroom
 * @param {{ id: string, lang: string, after?: number }} asked after: the page must be of a later edition than this
 * @param {{ status: number, headers: Record<string, string>, body: Buffer }} answer
 * @returns {string | undefined}
 */
export function pageProblem (newsroom, { id, lang, after = 0 }, { status, headers, body }) {
  if (status !== 200) return `expected status 200, got ${status}`
  const problem = headProblem(headers, lang)
  if (problem) return problem
  const edition = editionOf(headers)
  if (Number.isNaN(edition)) return `X-Edition is ${headers['x-edition'] ?? 'missing'}`
  if (edition <= after) {
    return `expected an edition after ${after}, which was shown before the article was refreshed, got ${edition}`
  }
  const page = body.toString()
  if (page.includes(htmlOf(articleOf(newsroom, id, lang, edition)))) return
  const [said] = /<article [^>]*>/.exec(page) ?? ['no article']
  return `expected edition ${edition} of the article ${id} in the language ${lang}, as the newsroom wrote it, got ` +
    `${said} with another text`
}

/**
 * @param {{ status: number, headers: Record<string, string> }} answer
 * @param {string} lang
 * @returns {string | undefined}
 */
export function missingProblem ({ status, headers }, lang) {
  return status === 404
    ? headProblem(headers, lang)
    : `expected status 404 for an article that there is not, got ${status}`
}

/** @param {Record<string, string>} headers */
export function editionOf (headers) {
  return /^\d+$/.test(headers['x-edition'] ?? '') ? Number(headers['x-edition']) : NaN
}

/**
 * A page but for its edition, which has to be one of the newsroom's.
 *
 * @param {Answer} answer
 * @param {{ data: any }} given
 */
export function withoutEdition (answer, { data }) {
  if (answer.headers['content-type']?.startsWith('application/json')) return answer.json()
  const [, lang, id] = /<article lang="(\w+)" id="([^"]*)">/.exec(answer.text) ?? []
  if (lang === undefined) return answer.text
  const problem = pageProblem(data, { id, lang }, answer)
  if (problem) throw new Error(problem)
  return answer.text.replace(/ \d+ · \w+<\/p>/, '</p>')
}

/** @param {Record<string, string>} headers @param {string} lang */
function headProblem (headers, lang) {
  if (!/^text\/html; ?charset=utf-8$/i.test(headers['content-type'] ?? '')) {
    return `Content-Type is ${headers['content-type'] ?? 'missing'}`
  }
  if (headers['content-language'] !== lang) {
    return `expected Content-Language: ${lang}, got ${headers['content-language'] ?? 'none'}`
  }
}
