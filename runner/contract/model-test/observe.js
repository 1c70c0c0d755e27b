import { createHash } from 'node:crypto'
import { plainText } from '../../decoders.js'

/**
 * @import { Answer } from '../answer.js'
 * @import { Request } from '../client.js'
 * @import { Operation } from './operation.js'
 *
 * What a strong ETag identified; encoding: undefined if the client may have decoded it already.
 * @typedef {{ encoding: string | undefined, content: string }} Tagged
 */

/**
 * What HTTP asks of every answer, whatever a lesson is about. One observer sees all answers of one server, even across
 * restarts.
 *
 * @returns {(request: Request, answer: Answer, operation?: Pick<Operation, 'meaning'>) => string | null} a sentence
 *   about the answer
 */
export function createObserver () {
  /** @type {Map<string, Tagged>} by path and ETag */
  const tagged = new Map()
  return (request, answer, { meaning } = {}) => {
    return wrongBody(request, answer) ?? wrongEncoding(request, answer) ?? wrongCondition(request, answer) ??
      wrongTag(request, answer, { tagged, isMasked: meaning !== undefined })
  }
}

/** @param {Request} request @param {Answer} answer RFC 9110, 15.3.5 and 15.4.5; RFC 8259 */
function wrongBody ({ method }, { status, headers, body }) {
  if ((status === 204 || status === 304 || method === 'HEAD') && body.length > 0) {
    return `an answer with status ${status} has no body, this one has ${body.length} bytes`
  }
  if (body.length === 0 || !/^application\/(.+\+)?json\b/i.test(headers['content-type'] ?? '')) return null
  const encoding = headers['content-encoding']?.toLowerCase() ?? 'identity'
  try {
    JSON.parse(plainText(body, encoding))
    return null
  } catch (error) {
    return `it says that it is ${encoding === 'identity' ? '' : `${encoding} of `}JSON, and is not: ${error.message}`
  }
}

/** @param {Request} request @param {Answer} answer RFC 9110, 12.5.3 */
function wrongEncoding ({ headers: asked = {} }, { headers, body }) {
  const accepted = Object.entries(asked).find(([name]) => name.toLowerCase() === 'accept-encoding')?.[1]
  const encoding = headers['content-encoding']?.toLowerCase() ?? 'identity'
  return body.length === 0 || encoding.split(/\s*,\s*/).every((one) => isAcceptable(accepted, one))
    ? null
    : `its Content-Encoding is ${encoding}, which the client does not accept`
}

/**
 * May a server send this content coding (RFC 9110, 12.5.3)? Without the header it may send any, and content as it is
 * always: a server may disregard the header. Pure.
 *
 * @param {string | undefined} accepted the value of Accept-Encoding
 * @param {string} coding in lower case
 */
function isAcceptable (accepted, coding) {
  if (accepted === undefined || coding === 'identity') return true
  const said = new Map(accepted.toLowerCase().split(',').map((part) => {
    const [name, ...parameters] = part.split(';').map((text) => text.trim())
    const q = parameters.find((text) => text.startsWith('q='))
    return [plainName(name), q === undefined ? 1 : Number(q.slice(2))]
  }))
  return (said.get(plainName(coding)) ?? said.get('*') ?? 0) > 0
}

/** Recipients take the one for the other (RFC 9110, 8.4.1.3). @param {string} coding */
function plainName (coding) {
  return coding === 'x-gzip' ? 'gzip' : coding
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
    : `it answers 304 with the ETag ${headers.etag}, which isn’t one of those in the request`
}

/**
 * Equal strong tags mean equal bytes, so no two encodings share one (RFC 9110, 8.8.3.3). If a part of an answer may
 * differ, the tag needn't identify that part.
 *
 * @param {Request} request
 * @param {Answer} answer
 * @param {{ tagged: Map<string, Tagged>, isMasked: boolean }} known
 */
function wrongTag ({ method = 'GET', path, headers: asked = {} }, { status, headers, body }, { tagged, isMasked }) {
  const { etag } = headers
  if (etag === undefined) return null
  if (!/^(W\/)?"[^"]*"$/.test(etag)) return `its ETag ${etag} is not quoted`
  if (status !== 200 || method !== 'GET' || etag.startsWith('W/')) return null
  const isRaw = Object.keys(asked).some((name) => name.toLowerCase() === 'accept-encoding')
  const encoding = isRaw ? headers['content-encoding']?.toLowerCase() ?? 'identity' : undefined
  const now = { encoding, content: createHash('sha256').update(body).digest('hex') }
  const key = `${path}\n${etag}`
  const before = tagged.get(key) ?? now
  tagged.set(key, { ...now, ...before.encoding !== undefined && before })
  if (before.encoding === encoding) {
    return isMasked || before.content === now.content ? null : `the ETag ${etag} came with two different answers`
  }
  return before.encoding === undefined || encoding === undefined
    ? null
    : `the strong ETag ${etag} came with ${before.encoding} bytes and with ${encoding} bytes`
}

/** @param {string} etag */
function opaque (etag) {
  return etag.replace(/^W\//, '')
}
