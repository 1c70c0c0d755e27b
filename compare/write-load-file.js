import fs from 'node:fs'
import { writeFile } from 'node:fs/promises'
import readline from 'node:readline'
import { WorkshopError } from '../runner/shared/errors.js'
import { plural } from '../runner/shared/format.js'
import { isObject, itemsOf } from '../runner/shared/rules.js'
import { shownPath } from '../runner/shared/text.js'
import { isSecretBody, withoutSecrets } from './secrets.js'

/** @import { Input, Load, LoadRequest } from './load-file.js' */

/**
 * Writes a load file from what a server was really asked. An existing file stays as it is.
 *
 * @param {{ kind: 'log' | 'har', source: string, target: string }} options
 * @returns {Promise<string[]>} sentences about what is in it, and what isn't
 * @throws {WorkshopError} a file can't be read or written, or holds no request
 */
export async function writeLoadFile ({ kind, source, target }) {
  const isHar = kind === 'har'
  const { load: { requests, ...more }, leftOut } = await gather(isHar ? entriesOfHar(readHar(source)) : readLog(source))
  const without = [...leftOut].map(([why, count]) => `${count} ${why}`).join('; ')
  if (requests.length === 0) {
    const what = isHar
      ? 'A HAR file is what a browser’s network panel exports'
      : 'It reads the common and the combined format, and JSON lines'
    throw new WorkshopError(`${shownPath(source)} holds no request that can be sent again ` +
      `(${without || 'it’s empty'}). ${what}.`)
  }
  const text = `${JSON.stringify({ requests, ...more }, null, 2)}\n`
  await writeFile(target, text, { flag: 'wx', mode: 0o600 }).catch((error) => {
    throw new WorkshopError(error.code === 'EEXIST'
      ? `${shownPath(target)} is there already: name another file with --load.`
      : `${shownPath(target)} can’t be written (${error.code}): name another file with --load.`)
  })
  const sent = requests.reduce((sum, { weight = 1 }) => sum + weight, 0)
  return [
    `${shownPath(target)} has ${plural(requests.length, 'request')}, with the weights ` +
      `of the ${sent} in ${shownPath(source)}.`,
    ...without ? [`Requests left out: ${without}.`] : [],
    ...isHar
      ? ['Of the headers, only Accept, Accept-Language and Content-Type were copied, no cookies, no Authorization: ' +
        'log in with `before`.']
      : [],
    'Read it before you share it: a path may name a person.'
  ]
}

/** @param {string} file @returns {AsyncGenerator<Entry>} */
async function * readLog (file) {
  const input = fs.createReadStream(file)
  try {
    for await (const line of readline.createInterface({ input, crlfDelay: Infinity })) {
      if (line.trim() !== '') yield entryOfLine(line)
    }
  } catch (error) {
    throw unreadable(file, error)
  } finally {
    input.destroy()
  }
}

/** @param {string} file */
function readHar (file) {
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8'))
  } catch (error) {
    throw unreadable(file, error)
  }
}

/** @param {string} file @param {NodeJS.ErrnoException} error */
function unreadable (file, error) {
  if (error.code === 'ENOENT') return new WorkshopError(`There is no file ${shownPath(file)}.`)
  return new WorkshopError(`${shownPath(file)} can’t be read: ${error.message}.`)
}

const [mostRequests, mostValues, mostKinds] = [200, 200, 100_000]

/**
 * @typedef {Pick<LoadRequest, 'method' | 'path' | 'headers' | 'body'>} Recorded
 * @typedef {Recorded | string} Entry a string: why it's left out
 * @typedef {(why: string, count?: number) => void} LeaveOut
 *
 * @param {Iterable<Entry> | AsyncIterable<Entry>} entries
 * @returns {Promise<{ load: Load, leftOut: Map<string, number> }>} leftOut: how many, by the reason
 */
export async function gather (entries) {
  /** @type {Map<string, { request: Recorded, count: number }>} */
  const seen = new Map()
  /** @type {Map<string, number>} */
  const leftOut = new Map()
  /** @type {LeaveOut} */
  const leaveOut = (why, count = 1) => { leftOut.set(why, (leftOut.get(why) ?? 0) + count) }
  for await (const entry of entries) {
    const why = typeof entry === 'string' ? entry : addTo(seen, entry)
    if (why !== null) leaveOut(why)
  }
  const groups = groupsOf([...seen.values()]).sort((a, b) => b.count - a.count)
  const rare = groups.slice(mostRequests).reduce((sum, { count }) => sum + count, 0)
  if (rare > 0) leaveOut(`that are rarer than the ${mostRequests} most frequent`, rare)
  return { load: loadOf(groups.slice(0, mostRequests), leaveOut), leftOut }
}

/**
 * @param {Map<string, { request: Recorded, count: number }>} seen
 * @param {Recorded} given
 * @returns {string | null} why it's left out
 */
function addTo (seen, given) {
  const request = { ...given, path: given.path.replace(/^https?:\/\/[^/]+/i, '').replace(/#.*/, '') }
  if (!/^\/[\x21-\x7e]*$/.test(request.path)) return 'that have no path which can be sent'
  const isSecret = withoutSecrets(request.path) !== request.path || isSecretBody(request.body)
  if (isSecret) return 'that seem to hold a secret'
  const key = JSON.stringify(request)
  const known = seen.get(key)
  if (known) known.count++
  else if (seen.size < mostKinds) seen.set(key, { request, count: 1 })
  else return `that differ from the first ${mostKinds} different ones`
  return null
}

/** A number, a UUID, MongoDB's ids. */
const id = /^(\d+|[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}|[\da-f]{24})$/i
/** Stands for an id; no path of a request holds it. */
const gap = '\0'

/**
 * @typedef {{ request: Recorded, count: number, values: Map<string, number> }} Group of requests that differ in one id;
 *   values: how often each was seen
 *
 * @param {{ request: Recorded, count: number }[]} all
 * @returns {Group[]}
 */
function groupsOf (all) {
  /** @type {Map<string, Group>} */
  const groups = new Map()
  for (const { request, count } of all) {
    const parts = request.path.split(/(?=[/?])/)
    // The last one alone: the reviews of one film aren't those of another.
    const isId = (/** @type {string} */ part) => part.startsWith('/') && id.test(part.slice(1))
    const at = request.body === undefined ? parts.findLastIndex(isId) : -1
    const path = at < 0 ? request.path : parts.with(at, `/${gap}`).join('')
    const key = JSON.stringify({ ...request, path })
    const group = groups.get(key) ?? { request: { ...request, path }, count: 0, values: new Map() }
    group.count += count
    if (at >= 0) group.values.set(parts[at].slice(1), count)
    groups.set(key, group)
  }
  return [...groups.values()]
}

/** @param {Group[]} groups @param {LeaveOut} leaveOut @returns {Load} */
function loadOf (groups, leaveOut) {
  /** @type {Record<string, Input>} */
  const inputs = {}
  const requests = groups.map(({ request, count, values }) => {
    const all = [...values].sort(([, a], [, b]) => b - a)
    const [path, rest] = request.path.split(gap).map(escape)
    const fill = (/** @type {string} */ value) => ({ ...request, path: path + value + (rest ?? ''), weight: count })
    if (all.length === 0) return fill('')
    if (all.length === 1) return fill(all[0][0])
    const name = nameFor(path, inputs)
    const rare = all.slice(mostValues).reduce((sum, [, times]) => sum + times, 0)
    if (rare > 0) leaveOut(`with ids that are rarer than the ${mostValues} most frequent of their path`, rare)
    const isEven = all.every(([, times]) => times === all[0][1])
    const some = all.slice(0, mostValues)
    inputs[name] = isEven ? some.map(([value]) => value) : { weights: Object.fromEntries(some) }
    return { ...fill(`{${name}}`), weight: count - rare }
  })
  return { requests, ...Object.keys(inputs).length > 0 && { inputs } }
}

/** Braces mean places in a load file. @param {string} path */
function escape (path) {
  return path.replaceAll('{', '%7B').replaceAll('}', '%7D')
}

/** @param {string} path that ends before an id @param {Record<string, Input>} taken */
function nameFor (path, taken) {
  const [word = 'id'] = /[A-Za-z_]\w*(?=\/$)/.exec(path) ?? []
  for (let number = 1; ; number++) {
    const name = number === 1 ? word : `${word}_${number}`
    if (!Object.hasOwn(taken, name)) return name
  }
}

/** All others may say who sends it. */
const copied = ['accept', 'accept-language', 'content-type']
const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/**
 * The requests of a HAR file, as browsers export it, to the origin that most of them went to. Pure.
 *
 * @param {any} har
 * @returns {Entry[]}
 */
export function entriesOfHar (har) {
  const entries = itemsOf(har?.log?.entries)
    .filter((entry) => isObject(entry?.request) && URL.canParse(entry.request.url))
  const origins = entries.map(({ request }) => new URL(request.url).origin)
  const main = mostFrequent(origins)
  return entries.map(({ request, response }, i) => {
    const { pathname, search } = new URL(request.url)
    const status = Number(response?.status)
    if (origins[i] !== main) return `to other origins than ${main}`
    if (!(status > 0 && status < 400)) return 'that were answered with an error, or not at all'
    if (!methods.includes(request.method)) return `other than ${methods.join(', ')}`
    const headers = itemsOf(request.headers)
      .filter((header) => copied.includes(String(header?.name).toLowerCase()))
      .map(({ name, value }) => [name.toLowerCase(), String(value)])
    return {
      ...request.method === 'GET' ? {} : { method: request.method },
      path: pathname + search,
      ...headers.length > 0 && { headers: Object.fromEntries(headers) },
      ...typeof request.postData?.text === 'string' && { body: bodyOf(request.postData) }
    }
  })
}

/** @param {string[]} names @returns {string | undefined} */
function mostFrequent (names) {
  /** @type {Map<string, number>} */
  const counts = new Map()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0]
}

/** @param {{ text: string, mimeType?: string }} postData @returns {unknown} JSON as its value */
function bodyOf ({ text, mimeType = '' }) {
  try {
    const value = JSON.parse(text)
    return /json/i.test(mimeType) && typeof value === 'object' ? value : text
  } catch {
    return text
  }
}

/** As web servers, proxies and loggers for Node.js call them. */
const methodNames = ['method', 'req.method', 'request.method', 'request_method', 'RequestMethod', 'http.request.method',
  'httpRequest.requestMethod']
const paths = ['url', 'req.url', 'request.uri', 'request.url', 'originalUrl', 'path', 'uri', 'request_uri',
  'RequestPath', 'url.original', 'httpRequest.requestUrl']
const statuses = ['status', 'statusCode', 'res.statusCode', 'res.status', 'response.status', 'DownstreamStatus',
  'http.response.status_code', 'httpRequest.status']

/**
 * One line of an access log: the common or the combined format, or JSON. Pure.
 *
 * @param {string} line
 * @returns {Entry}
 */
export function entryOfLine (line) {
  const { method, path, status } = readLine(line) ?? {}
  if (method === undefined || path === undefined) return 'whose lines have no known format'
  if (Number(status) >= 400) return 'that were answered with an error'
  return method === 'GET' ? { path } : 'other than GET, whose bodies no log holds'
}

/** @param {string} line @returns {{ method?: string, path?: string, status?: unknown } | undefined} */
function readLine (line) {
  if (!line.startsWith('{')) return ofText(line)
  try {
    const record = JSON.parse(line)
    const { method, path } = ofText(`"${record.request}" 0`) ?? {}
    return {
      method: method ?? first(record, methodNames)?.toUpperCase(),
      path: path ?? first(record, paths),
      status: first(record, statuses)
    }
  } catch {
    return undefined
  }
}

/** @param {string} text */
function ofText (text) {
  const [, method, path, status] = /"([A-Z]+) (\S+) HTTP\/[\d.]+" (\d+)/.exec(text) ?? []
  return method === undefined ? undefined : { method, path, status }
}

/** @param {any} record @param {string[]} places @returns {string | undefined} */
function first (record, places) {
  for (const place of places) {
    const value = record[place] ?? place.split('.').reduce((inside, key) => inside?.[key], record)
    if (typeof value === 'string' || typeof value === 'number') return String(value)
  }
}
