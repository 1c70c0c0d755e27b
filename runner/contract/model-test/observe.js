import { createHash } from 'node:crypto'

/**
 * @import { Answer } from '../answer.js'
 * @import { Request } from '../client.js'
 * @import { Operation } from './operation.js'
 */

/**
 * What HTTP asks of every answer, whatever a lesson is about. One observer sees all answers of one server, also over a
 * restart.
 *
 * @returns {(request: Request, answer: Answer, operation?: Pick<Operation, 'meaning'>) => string | null} a sentence
 *   about the answer
 */
export function createObserver () {
  /** What a strong ETag stood for. @type {Map<string, string>} */
  const tagged = new Map()
  return (request, answer, { meaning } = {}) => {
    return wrongBody(request, answer) ?? wrongCondition(request, answer) ??
      wrongTag(request, answer, { tagged, isMasked: meaning !== undefined })
  }
}

/** @param {Request} request @param {Answer} answer RFC 9110, 15.3.5 and 15.4.5; RFC 8259 */
function wrongBody ({ method }, { status, headers, body }) {
  if ((status === 204 || status === 304 || method === 'HEAD') && body.length > 0) {
    return `an answer with status ${status} has no body, this one has ${body.length} bytes`
  }
  if (body.length === 0 || !/^application\/(.+\+)?json\b/i.test(headers['content-type'] ?? '')) return null
  try {
    JSON.parse(body.toString())
    return null
  } catch (error) {
    return `it says that it is JSON, and is not: ${error.message}`
  }
}

/** @param {Request} request @param {Answer} answer RFC 9110, 13.1 */
function wrongCondition ({ headers: asked = {} }, { status, headers }) {
  if (status !== 304) return null
  const names = Object.fromEntries(Object.entries(asked).map(([name, value]) => [name.toLowerCase(), value]))
  const tags = names['if-none-match']
  if (tags === undefined) {
    return names['if-modified-since'] === undefined ? 'it answers 304 to a request without a condition' : null
  }
  if (headers.etag === undefined || tags.trim() === '*') return null
  const known = tags.split(/,(?=\s*(?:W\/)?")/).map((tag) => opaque(tag.trim()))
  return known.includes(opaque(headers.etag))
    ? null
    : `it answers 304 with the ETag ${headers.etag}, which is none of those that it was asked about`
}

/**
 * Equal strong tags mean equal bytes. Where a part of an answer may differ, the tag need not stand for that part.
 *
 * @param {Request} request
 * @param {Answer} answer
 * @param {{ tagged: Map<string, string>, isMasked: boolean }} known
 */
function wrongTag ({ method = 'GET', path }, { status, headers, body }, { tagged, isMasked }) {
  const { etag } = headers
  if (etag === undefined) return null
  if (!/^(W\/)?"[^"]*"$/.test(etag)) return `its ETag ${etag} is not quoted`
  if (isMasked || status !== 200 || method !== 'GET' || etag.startsWith('W/')) return null
  const key = `${path}\n${headers['content-encoding'] ?? ''}\n${etag}`
  const content = createHash('sha256').update(body).digest('hex')
  const before = tagged.get(key) ?? content
  tagged.set(key, content)
  return before === content ? null : `the ETag ${etag} stands for two different answers`
}

/** @param {string} etag */
function opaque (etag) {
  return etag.replace(/^W\//, '')
}
