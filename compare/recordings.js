import { isUtf8 } from 'node:buffer'
import fs from 'node:fs'
import { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { decoders } from '../runner/shared/http-fields.js'
import { WorkshopError } from '../runner/shared/errors.js'
import { isObject, itemsOf } from '../runner/shared/rules.js'
import { shownPath } from '../runner/shared/text.js'

/**
 * Reads what others have recorded, access logs and HAR files, whatever their encoding and whoever wrote them: a line,
 * or an entry, becomes a request, or a reason why it's left out.
 *
 * @typedef {{ method?: string, path: string, headers?: Record<string, string>, body?: unknown }} Recorded as in a load
 *   file
 * @typedef {Recorded | string} Entry a string: why it's left out
 */

/** As PowerShell's `>` and Fiddler write it, too. @param {Buffer} start of a text @returns one that skips a BOM */
function decoderFor (start) {
  const mark = start.toString('hex', 0, 2)
  return new TextDecoder(mark === 'feff' ? 'utf-16be' : mark === 'fffe' || start[1] === 0 ? 'utf-16le' : 'utf-8')
}

/** @param {Buffer} bytes @returns {string} */
export function textOf (bytes) {
  return decoderFor(bytes).decode(bytes)
}

/** By how it begins, in hex. */
const packers = new Map([['504b0304', 'zip'], ['425a68', 'bzip2'], ['fd377a58', 'xz'], ['28b52ffd', 'zstd']])

/**
 * The text of a file, piece by piece, unpacked where it's compressed with gzip.
 *
 * @param {string} file
 * @returns {AsyncGenerator<string>}
 * @throws {WorkshopError}
 */
async function * piecesOf (file) {
  try {
    let decoder = null
    for await (const bytes of unpacked(file)) {
      decoder ??= decoderFor(bytes)
      yield decoder.decode(bytes, { stream: true })
    }
  } catch (error) {
    if (error instanceof WorkshopError) throw error
    throw error.code === 'ENOENT' ? new WorkshopError(`There is no file ${shownPath(file)}.`) : unreadable(file, error)
  }
}

/** @param {string} file @returns {AsyncGenerator<Buffer>} */
async function * unpacked (file) {
  const input = fs.createReadStream(file)
  const pieces = input[Symbol.asyncIterator]()
  try {
    const { value: first = Buffer.alloc(0) } = await pieces.next()
    const start = first.toString('hex', 0, 4)
    const [, packer] = [...packers].find(([mark]) => start.startsWith(mark)) ?? []
    if (packer) throw new WorkshopError(`${shownPath(file)} is compressed with ${packer}: unpack it first.`)
    const all = Readable.from((async function * () {
      yield first
      yield * { [Symbol.asyncIterator]: () => pieces }
    })())
    yield * start.startsWith('1f8b') ? all.compose(createGunzip()) : all
  } finally {
    input.destroy()
  }
}

/** @param {string} file @param {Error} error */
function unreadable (file, error) {
  return new WorkshopError(`${shownPath(file)} can’t be read: ${error.message}.`)
}

/**
 * The requests of a HAR file, as browsers export it.
 *
 * @param {string} file
 * @param {string} [origin] default: the one that most requests went to
 * @returns {Promise<Entry[]>}
 */
export async function readHar (file, origin) {
  let text = ''
  for await (const piece of piecesOf(file)) text += piece
  try {
    return entriesOfHar(JSON.parse(text), origin)
  } catch (error) {
    throw error instanceof WorkshopError ? error : unreadable(file, error)
  }
}

/** @param {string} file @returns {AsyncGenerator<Entry>} */
export async function * readLog (file) {
  const { take, end } = createLogReader()
  let rest = ''
  for await (const piece of piecesOf(file)) {
    const lines = (rest + piece).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) yield * take(line)
  }
  yield * take(rest)
  yield * end()
}

const failed = 'that were answered with an error, or not at all'
const withoutStatus = 'whose status isn’t logged, so that errors may be among them'
const upgraded = 'that switch to another protocol'

/** @param {unknown} status @returns {string | null} why a request with it is left out */
function refusal (status) {
  if (Number(status) === 101) return upgraded
  return Number(status) > 0 && Number(status) < 400 ? null : failed
}

/** All others may say who sends it. */
const copied = ['accept', 'accept-encoding', 'accept-language', 'content-type', 'range']
const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']
const withoutBody = 'whose bodies aren’t in the file as text'

/**
 * @param {any} har
 * @param {string} [chosen] origin
 * @returns {Entry[]}
 * @throws {WorkshopError} nothing was sent to that origin
 */
export function entriesOfHar (har, chosen) {
  const entries = itemsOf(har?.log?.entries)
    .filter((entry) => isObject(entry?.request) && URL.canParse(entry.request.url))
    .map(({ request, response }) => ({ request, status: response?.status, url: new URL(request.url) }))
  /** @type {Map<string, number>} */
  const counts = new Map()
  for (const { url } of entries) if (isWeb(url)) counts.set(url.origin, (counts.get(url.origin) ?? 0) + 1)
  const origins = [...counts].sort(([, a], [, b]) => b - a)
  const wanted = chosen && URL.canParse(chosen) ? new URL(chosen).origin : chosen
  const main = wanted ?? origins[0]?.[0]
  const list = origins.slice(0, 5).map(([origin, count]) => `${origin} (${count})`).join(', ')
  if (wanted !== undefined && !counts.has(wanted)) {
    throw new WorkshopError(`No request went to --origin ${chosen}: the file has ${list || 'none'}.`)
  }
  const others = `to other origins than ${main} (--origin chooses one of ${list})`
  return entries.map(({ request, status, url }) => {
    if (/^wss?:$/.test(url.protocol)) return upgraded
    if (!isWeb(url)) return 'that no server gets, such as data: and blob:'
    return url.origin === main ? refusal(status) ?? recordedOf(request, url) : others
  })
}

/** @param {URL} url */
function isWeb ({ protocol }) {
  return protocol === 'http:' || protocol === 'https:'
}

/** @param {any} request @param {URL} url @returns {Entry} */
function recordedOf ({ method, headers: given, postData, bodySize }, { pathname, search }) {
  if (!methods.includes(method)) return `other than ${methods.join(', ')}`
  const headers = Object.fromEntries(itemsOf(given)
    .map((header) => [String(header?.name).toLowerCase(), String(header?.value)])
    .filter(([name]) => copied.includes(name)))
  if (headers['accept-encoding'] !== undefined) headers['accept-encoding'] = readable(headers['accept-encoding'])
  const text = isObject(postData) ? bodyTextOf(postData) : ''
  if (text === null || (text === '' && bodySize > 0)) return withoutBody
  const type = headers['content-type'] ?? (postData?.mimeType || undefined)
  const body = bodyOf(text, type)
  if (typeof body === 'string' && text !== '' && type !== undefined) headers['content-type'] = String(type)
  return {
    ...method === 'GET' ? {} : { method },
    path: pathname + search,
    ...Object.keys(headers).length > 0 && { headers },
    ...text !== '' && { body }
  }
}

/** Without codings that we can't unpack. @param {string} codings @returns {string} */
function readable (codings) {
  const known = codings.split(/\s*,\s*/).filter((one) => /^(identity|\*)/i.test(one) ||
    Object.hasOwn(decoders, one.split(';')[0].trim().toLowerCase()))
  return known.join(', ') || 'identity'
}

/** Some tools write a form's parameters only, some bytes. @param {any} postData @returns {string | null} null: none */
function bodyTextOf ({ text, params, encoding, mimeType = '' }) {
  if (typeof text === 'string' && text !== '') {
    if (encoding !== 'base64') return text
    const bytes = Buffer.from(text, 'base64')
    return isUtf8(bytes) && !bytes.includes(0) ? bytes.toString() : null
  }
  const pairs = itemsOf(params).map((param) => [String(param?.name), String(param?.value ?? '')])
  if (pairs.length === 0) return ''
  return /multipart/i.test(mimeType) ? null : new URLSearchParams(pairs).toString()
}

/** @param {string} text @param {string} [type] @returns {unknown} JSON as its value */
function bodyOf (text, type = '') {
  try {
    const value = JSON.parse(text)
    return /json/i.test(type) && typeof value === 'object' ? value : text
  } catch {
    return text
  }
}

/** As web servers, proxies and loggers call them, whatever is around: in lower case, without `_` and `-`. */
const names = {
  method: [/(^|\.)(\w*(request|http))?method$/],
  path: [/(^|\.)originalurl$/, /(^|\.)\w*requesturi$/, /(^|\.)(request)?ur[li]$/, /(^|\.)url\.original$/,
    /(^|\.)(request|raw|url\.)?path$/, /(^|\.)\w*requestur[li]$/, /(^|\.)csuristem$/],
  query: [/(^|\.)url\.query$/, /(^|\.)(raw)?querystring$/, /(^|\.)csuriquery$/],
  status: [/(^|\.)statuscode$/, /(^|\.)(\w*response|downstream)(status|code|statuscode)$/, /(^|\.)(http)?status$/],
  line: [/(^|\.)request(line)?$/],
  id: [/(^|\.)(req|request|correlation|trace)\.?id$/],
  /** A line in a line: of Docker, Kubernetes, journald, CloudWatch, Winston. */
  inner: [/^(log|message|msg|line|textpayload|@message)$/]
}
/** Of the response, and of no request. */
const ofOthers = /(^|\.)(res|response|headers|upstream|error|err)\./

/**
 * @typedef {{ method?: string, path?: string, status?: string, id?: string }} Row what a line says
 *
 * Some loggers write a request's beginning and its end in a line each. A row waits for the other by its id.
 */
export function createLogReader () {
  /** @type {Map<string, Row>} */
  const begun = new Map()
  /** @param {string} line @returns {Entry[]} */
  const take = (line) => {
    if (line.trim() === '') return []
    const row = rowOf(line.trim())
    const { id = '', method, path, status } = row ?? {}
    if (row !== null && method !== undefined && path !== undefined) {
      if (status !== undefined || id === '' || begun.size >= mostBegun) return entriesOf(row)
      begun.set(id, row)
      return []
    }
    const start = status === undefined ? undefined : begun.get(id)
    if (start === undefined) return [status === undefined ? 'whose lines have no known format' : 'that hold no request']
    begun.delete(id)
    return entriesOf({ ...start, status })
  }
  return { take, end: () => [...begun.values()].flatMap(entriesOf) }
}

/** That wait for their end. */
const mostBegun = 100_000

/** @param {Row} row @returns {Entry[]} one, and where its status is unknown a remark */
function entriesOf ({ method = '', path = '', status }) {
  const why = status === undefined ? null : refusal(status)
  if (why !== null) return [why]
  if (method.toUpperCase() !== 'GET') return ['other than GET, whose bodies no log holds']
  return [{ path }, ...status === undefined ? [withoutStatus] : []]
}

/** @param {string} line @param {number} [depth] of lines in lines @returns {Row | null} */
function rowOf (line, depth = 0) {
  const at = line.indexOf('{')
  if (at >= 0 && line.endsWith('}')) {
    // Without escape=json, nginx writes bytes that JSON doesn't know; in a path they're percent-encoded.
    for (const text of [line.slice(at), line.slice(at).replace(/\\x(?=[\dA-Fa-f]{2})/g, '%')]) {
      try {
        return rowOfRecord(JSON.parse(text), depth)
      } catch {}
    }
  }
  return rowOfText(line)
}

/** @param {any} record @param {number} depth @returns {Row | null} */
function rowOfRecord (record, depth) {
  const fields = [...fieldsOf(record)]
  const find = (/** @type {RegExp[]} */ patterns, /** @type {RegExp} */ value = /./) => {
    for (const pattern of patterns) {
      const found = fields.find(([name, text]) => pattern.test(name) && value.test(text) &&
        (patterns === names.status || !ofOthers.test(name)))
      if (found) return found[1]
    }
  }
  const status = find(names.status, /^(\d{1,3}|-)$/)
  const id = find(names.id)
  const { method = find(names.method), path = find(names.path) } = rowOfText(`"${find(names.line)}" 200`) ?? {}
  if (method !== undefined && path !== undefined) {
    const query = path.includes('?') ? undefined : find(names.query, /^[^-]/)
    return { method, path: encoded(Buffer.from(query ? `${path}?${query.replace(/^\?/, '')}` : path)), status, id }
  }
  const inner = depth < 3 ? find(names.inner) : undefined
  const row = inner === undefined ? null : rowOf(inner.trim(), depth + 1)
  return row?.method !== undefined ? { ...row, status: row.status ?? status } : { status, id }
}

/**
 * @param {any} value
 * @param {string} [name] of its place
 * @returns {Generator<[string, string]>} texts and numbers by their places
 */
function * fieldsOf (value, name = '') {
  if (typeof value === 'string' || typeof value === 'number') yield [name, String(value)]
  if (!isObject(value) || name.split('.').length > 5) return
  for (const [key, item] of Object.entries(/** @type {any} */ (value))) {
    const own = key.toLowerCase().replace(/[_-]/g, '')
    yield * fieldsOf(item, name === '' ? own : `${name}.${own}`)
  }
}

/**
 * The common and the combined format, whatever is before and after. Each part is looked for once: a stranger wrote it.
 *
 * @param {string} line @returns {Row | null}
 */
function rowOfText (line) {
  const [, method] = /"([A-Za-z]+) (?=\/|https?:\/\/)/.exec(line) ?? []
  if (method === undefined) return /"(-|\\x[^"]*)?" (\d{3}) /.test(line) ? { status: '0' } : null
  const rest = line.slice(line.indexOf(`"${method} `) + method.length + 2)
  const end = /(?: HTTP\/[\d.]+)?" (\d{3}|-)(?= |$)/.exec(rest)
  return end && { method, path: encoded(unescaped(rest.slice(0, end.index))), status: end[1] }
}

/** What Apache and nginx escape, as the bytes that it was. @param {string} text @returns {Buffer} */
function unescaped (text) {
  return Buffer.concat(text.split(/(\\x[\dA-Fa-f]{2}|\\["\\])/).map((part) => {
    if (part.startsWith('\\x') && part.length === 4) return Buffer.from(part.slice(2), 'hex')
    return Buffer.from(/^\\["\\]$/.test(part) ? part[1] : part)
  }))
}

/** @param {Buffer} bytes of a path @returns {string} with % for what a request can't hold */
function encoded (bytes) {
  return bytes.toString('latin1').replace(/[^\x21-\x7e]/g, (sign) =>
    `%${sign.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`)
}
