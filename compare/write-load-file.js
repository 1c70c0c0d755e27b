import { writeFile } from 'node:fs/promises'
import { WorkshopError } from '../runner/shared/errors.js'
import { plural } from '../runner/shared/format.js'
import { shownPath } from '../runner/shared/text.js'
import { readHar, readLog } from './recordings.js'
import { isSecretBody, withoutSecrets } from './secrets.js'

/**
 * @import { Input, Load } from './load-file.js'
 * @import { Entry, Recorded } from './recordings.js'
 */

/**
 * Writes a load file from what a server was really asked. An existing file stays as it is.
 *
 * @param {{ kind: 'log' | 'har', source: string, target: string, origin?: string }} options origin: whose requests of a
 *   HAR file; default: the one that most went to
 * @returns {Promise<string[]>} sentences about what is in it, and what isn't
 * @throws {WorkshopError} a file can't be read or written, or holds no request
 */
export async function writeLoadFile ({ kind, source, target, origin }) {
  const isHar = kind === 'har'
  const { load: { requests, ...more }, leftOut } = await gather(isHar ? await readHar(source, origin) : readLog(source))
  const without = [...leftOut].map(([why, count]) => `${count} ${why}`).join('; ')
  if (requests.length === 0) {
    const what = isHar
      ? 'A HAR file is what a browser’s network panel exports'
      : 'It reads the common and the combined format, and JSON lines that name a method, a path and a status'
    throw new WorkshopError(`${shownPath(source)} holds no request that can be sent again ` +
      `(${without || 'it’s empty'}). ${what}.`)
  }
  const text = `${JSON.stringify({ requests, ...more }, null, 2)}\n`
  await writeFile(target, text, { flag: 'wx', mode: 0o600 }).catch((error) => {
    throw new WorkshopError(error.code === 'EEXIST'
      ? `${shownPath(target)} is there already: name another file with --load.`
      : `${shownPath(target)} can’t be written (${error.code}): name another file with --load.`)
  })
  const sent = Math.round(requests.reduce((sum, { weight = 1 }) => sum + weight, 0))
  return [
    `${shownPath(target)} has ${plural(requests.length, 'request')}, with the weights ` +
      `of the ${sent} in ${shownPath(source)}.`,
    ...without ? [`Requests left out or changed: ${without}.`] : [],
    ...isHar
      ? ['Of the headers, only Accept, Accept-Encoding, Accept-Language, Content-Type and Range were copied, no ' +
        'cookies, no Authorization: log in with `before`.']
      : [],
    'Read it before you share it: a path may name a person.'
  ]
}

const [mostRequests, mostValues, mostKinds] = [200, 1000, 100_000]

/**
 * @param {Iterable<Entry> | AsyncIterable<Entry>} entries
 * @returns {Promise<{ load: Load, leftOut: Map<string, number> }>} leftOut: how many, by the reason
 */
export async function gather (entries) {
  /** @type {Map<string, { request: Recorded, count: number }>} */
  const seen = new Map()
  /** Requests beyond the bound, by their shape. @type {Map<string, number>} */
  const beyond = new Map()
  /** @type {Map<string, number>} */
  const leftOut = new Map()
  const add = (/** @type {Map<string, number>} */ to, /** @type {string} */ what, count = 1) =>
    to.set(what, (to.get(what) ?? 0) + count)
  for await (const entry of entries) {
    const given = typeof entry === 'string' ? entry : requestOf(entry)
    if (typeof given === 'string') {
      add(leftOut, given)
      continue
    }
    const key = JSON.stringify(given)
    const known = seen.get(key)
    if (known) known.count++
    else if (seen.size < mostKinds) seen.set(key, { request: given, count: 1 })
    else if (beyond.size < mostKinds) add(beyond, shapeOf(given))
  }
  const { groups, rare, unlike } = mostFrequent(groupsOf([...seen.values()]), beyond)
  if (unlike > 0) add(leftOut, `that are unlike the ${mostRequests} most frequent`, unlike)
  const { load, rareIds } = loadOf(groups)
  if (rare + rareIds > 0) add(leftOut, 'that are rare, instead of which more of their kind are sent', rare + rareIds)
  return { load, leftOut }
}

/** @param {Recorded} given @returns {Recorded | string} a string: why it's left out */
function requestOf (given) {
  const request = { ...given, path: given.path.replace(/^https?:\/\/[^/]+/i, '').replace(/#.*/, '') }
  if (!/^\/[\x21-\x7e]*$/.test(request.path)) return 'that have no path which can be sent'
  const isSecret = withoutSecrets(request.path) !== request.path || isSecretBody(request.body)
  return isSecret ? 'that seem to hold a secret' : request
}

/**
 * What requests of one kind have in common: all but ids, the last word of the path and the values of the query.
 *
 * @param {Recorded} request
 */
function shapeOf ({ method, path }) {
  const [pathname, query = ''] = path.split('?')
  const parts = pathname.split('/').map((part) => id.test(part) || part === gap ? '#' : part)
  const last = parts.pop() === '#' ? '#' : '*'
  return [method, ...parts, last, ...new Set(new URLSearchParams(query).keys())].join('/')
}

/**
 * The mix stays that of all: the most frequent of each shape go first, and what is left out of a shape counts for what
 * is kept of it, in equal parts.
 *
 * @param {Group[]} all
 * @param {Map<string, number>} beyond further requests, by their shape
 */
function mostFrequent (all, beyond) {
  const groups = all.map((group) => ({ ...group, shape: shapeOf(group.request) })).sort((a, b) => b.count - a.count)
  /** @type {Map<string, typeof groups[0]>} */
  const first = new Map()
  for (const group of groups) if (!first.has(group.shape)) first.set(group.shape, group)
  const isFirst = (/** @type {typeof groups[0]} */ group) => Number(first.get(group.shape) === group)
  const ranked = groups.toSorted((a, b) => isFirst(b) - isFirst(a))
  const kept = ranked.slice(0, mostRequests)
  const others = new Map(beyond)
  for (const { shape, count } of ranked.slice(mostRequests)) others.set(shape, (others.get(shape) ?? 0) + count)
  let [rare, unlike] = [0, 0]
  for (const [shape, count] of others) {
    const alike = kept.filter((group) => group.shape === shape)
    for (const group of alike) group.count += count / alike.length
    if (alike.length > 0) rare += count
    else unlike += count
  }
  return { groups: kept.sort((a, b) => b.count - a.count), rare, unlike }
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

/** @param {Group[]} groups @returns {{ load: Load, rareIds: number }} rareIds: how many requests had others */
function loadOf (groups) {
  /** @type {Record<string, Input>} */
  const inputs = {}
  let rareIds = 0
  const requests = groups.map(({ request, count, values }) => {
    const all = [...values].sort(([, a], [, b]) => b - a)
    const [path, rest] = request.path.split(gap).map(escape)
    const weight = exact(count)
    const fill = (/** @type {string} */ value) => ({ ...request, path: path + value + (rest ?? ''), weight })
    if (all.length === 0) return fill('')
    if (all.length === 1) return fill(all[0][0])
    const name = nameFor(path, inputs)
    const some = all.slice(0, mostValues)
    const rare = all.slice(mostValues).reduce((sum, [, times]) => sum + times, 0)
    rareIds += rare
    const weights = some.map(([value, times]) => [value, exact(times + rare / some.length)])
    const isEven = all.every(([, times]) => times === all[0][1])
    inputs[name] = isEven ? some.map(([value]) => value) : { weights: Object.fromEntries(weights) }
    return fill(`{${name}}`)
  })
  return { load: { requests, ...Object.keys(inputs).length > 0 && { inputs } }, rareIds }
}

/** @param {number} weight */
function exact (weight) {
  return Number(weight.toFixed(2))
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
