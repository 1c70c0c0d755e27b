import { isDeepStrictEqual } from 'node:util'
import { changeText } from './content.js'
import { cacheControl, wrongTag } from './tags.js'

/**
 * @import { Item, LoadAnswer, Random, Stream } from '../../runner/lesson/index.js'
 * @import { Data } from './content.js'
 *
 * @typedef {object} Model what one server must know, seen from its clients. A version is an index into `contents`
 * @property {Data[]} contents with every write that was started; two neighbours share all but one text
 * @property {number} acknowledged the version that every read sent from now on must show, at least
 * @property {boolean} writing a write is on its way: reads may show its content already
 * @property {Frame[]} frames bodies found right, the latest few
 * @property {Map<string, number>} tags the version that an ETag of a URL stood for
 * @property {Map<string, { etag: string, version: number }[]>} learnt by URL: ETags whose version is certain, newest
 *   last
 *
 * @typedef {{ version: number, before: Buffer, after: Buffer }} Frame a body around its URL
 */

/**
 * @param {{ data: { data: Data } }} given
 * @returns {Model}
 */
export function makeModel ({ data }) {
  return { contents: [data.data], acknowledged: 0, writing: false, frames: [], tags: new Map(), learnt: new Map() }
}

/** @type {Stream} */
export function seedStream ({ random, model }) {
  const known = makePaths(random)
  return () => {
    const draw = random.next()
    if (draw < 0.01 && !model.writing) return write(model, random)
    return draw > 0.92 ? readOnce(model, random) : read(model, random.pick(known))
  }
}

/** @type {Stream} */
export function conditionalStream ({ random, model }) {
  const known = makePaths(random)
  return () => {
    const draw = random.next()
    if (draw < 0.0025 && !model.writing) return write(model, random)
    if (draw > 0.98) return askForAny(random)
    const path = random.pick(known)
    const tags = model.learnt.get(path)
    if (!tags) return read(model, path)
    return revalidate(model, random, path, draw > 0.97 ? random.pick(tags) : tags.at(-1))
  }
}

/** @param {Random} random */
function makePaths (random) {
  return ['/seed/v1', ...Array.from({ length: 5 }, () => `/seed/v1?page=${random.word(6)}`)]
}

/**
 * @param {Model} model
 * @param {Random} random
 * @returns {Item}
 */
function write (model, random) {
  const data = changeText(model.contents[model.contents.length - 1], random)
  const version = model.contents.push(data) - 1
  model.writing = true
  return {
    method: 'PUT',
    path: '/seed/v1',
    json: { data },
    answered ({ status }) {
      // A write that failed stays "on its way": later reads may show it or not, and the check below reports it.
      if (status === 204) acknowledge(model, version)
    },
    check ({ status, body }) {
      if (status !== 204) return `expected status 204, got ${status}`
      if (body.length > 0) return `expected no body with a 204, got ${body.length} bytes`
    }
  }
}

/**
 * @param {Model} model
 * @param {number} version
 */
function acknowledge (model, version) {
  if (version <= model.acknowledged) return
  model.acknowledged = version
  model.writing = version < model.contents.length - 1
}

/**
 * @param {Model} model
 * @param {string} path
 * @returns {Item}
 */
function read (model, path) {
  const window = openWindow(model)
  return {
    path,
    key: `${path} ${window.from}`,
    answered: (answer) => learn(model, window, path, answer),
    check: (answer) => checkContent(model, window, path, answer, true)
  }
}

/**
 * A URL that nobody has asked for before, and nobody will again.
 *
 * @param {Model} model
 * @param {Random} random
 * @returns {Item}
 */
function readOnce (model, random) {
  const window = openWindow(model)
  const path = `/seed/v1?user=${random.word(8)}`
  return {
    path,
    answered: () => { window.to = model.contents.length - 1 },
    check: (answer) => checkContent(model, window, path, answer, false)
  }
}

/**
 * Whatever the client has is good enough: `*`.
 *
 * @param {Random} random
 * @returns {Item}
 */
function askForAny (random) {
  return {
    path: `/seed/v1?user=${random.word(8)}`,
    headers: { 'if-none-match': '*' },
    check: (answer) =>
      answer.status === 304 ? wrongNotModified(answer) : `expected 304 to If-None-Match: *, got ${answer.status}`
  }
}

/**
 * Asks whether the content has changed since the version of `tag`.
 *
 * @param {Model} model
 * @param {Random} random
 * @param {string} path
 * @param {{ etag: string, version: number }} tag
 * @returns {Item}
 */
function revalidate (model, random, path, tag) {
  const window = openWindow(model)
  return {
    path,
    headers: { 'if-none-match': vary(tag.etag, random) },
    key: `${path} if changed since ${tag.version}, now ${window.from}`,
    answered: (answer) => learn(model, window, path, answer),
    check (answer) {
      if (answer.status !== 304) {
        return tag.version === window.to
          ? `expected 304 to the current ETag ${tag.etag}, got ${answer.status}`
          : checkContent(model, window, path, answer, true)
      }
      if (tag.version < window.from) {
        return `answered 304 to an old ETag, ${tag.etag}, though a write was acknowledged before the read`
      }
      if (answer.headers.etag !== tag.etag) return `a 304 with the ETag ${answer.headers.etag} instead of ${tag.etag}`
      return wrongNotModified(answer)
    }
  }
}

/** @param {LoadAnswer} answer */
function wrongNotModified ({ body, headers }) {
  if (body.length > 0) return `expected no body with a 304, got ${body.length} bytes`
  if (headers['cache-control'] !== cacheControl) return `Cache-Control of a 304 is ${headers['cache-control']}`
  return wrongTag(headers.etag)
}

/**
 * The versions that a read may show: from what was acknowledged when it was sent …
 *
 * @param {Model} model
 */
function openWindow ({ acknowledged }) {
  return { from: acknowledged, to: acknowledged }
}

/**
 * … to what was on its way when its answer came. Where both are one, its ETag belongs to that version.
 *
 * @param {Model} model
 * @param {{ from: number, to: number }} window
 * @param {string} path
 * @param {LoadAnswer} answer
 */
function learn (model, window, path, { status, headers }) {
  window.to = model.contents.length - 1
  if (status !== 200 || !headers.etag || window.from !== window.to) return
  const tags = model.learnt.get(path) ?? []
  if (tags.at(-1)?.version === window.to) return
  tags.push({ etag: headers.etag, version: window.to })
  if (tags.length > 5) tags.shift()
  model.learnt.set(path, tags)
}

/**
 * @param {Model} model
 * @param {{ from: number, to: number }} window
 * @param {string} path
 * @param {LoadAnswer} answer
 * @param {boolean} remember the ETag: this URL is asked for again
 */
function checkContent (model, window, path, answer, remember) {
  const { status, headers, body } = answer
  if (status !== 200) return `expected status 200, got ${status}`
  if (!/^application\/json\b/i.test(headers['content-type'] ?? '')) return `Content-Type is ${headers['content-type']}`
  if (headers['cache-control'] !== cacheControl) return `Cache-Control is ${headers['cache-control']}`
  const wrong = wrongTag(headers.etag)
  if (wrong) return wrong
  const version = findVersion(model, window, path, body)
  if (typeof version === 'string') return version
  // The end of a slice can cut off a write's own answer; content that shows the change tells as much.
  acknowledge(model, version)
  if (!remember) return
  const known = model.tags.get(`${path} ${headers.etag}`) ?? version
  model.tags.set(`${path} ${headers.etag}`, version)
  if (known !== version) return `the ETag ${headers.etag} stands for two different contents`
}

/**
 * @param {Model} model
 * @param {{ from: number, to: number }} window
 * @param {string} path
 * @param {Buffer} body
 * @returns {number | string} the version that the body shows, or what is wrong with it
 */
function findVersion ({ contents, frames }, { from, to }, path, body) {
  const url = Buffer.from(JSON.stringify(path))
  const frame = frames.find((frame) => frame.version >= from && frame.version <= to && fits(frame, url, body))
  if (frame) return frame.version

  const content = parse(body)
  if (typeof content !== 'object' || content === null) return 'the body is no JSON object'
  if (Object.keys(content).sort().join() !== 'data,url') {
    return `expected the keys data and url, got ${Object.keys(content)}`
  }
  if (content.url !== path) return `\`url\` is ${JSON.stringify(content.url)}`
  for (let version = to; version >= from; version--) {
    if (!isDeepStrictEqual(content.data, contents[version])) continue
    const at = body.indexOf(url)
    if (at >= 0) frames.unshift({ version, before: body.subarray(0, at), after: body.subarray(at + url.length) })
    frames.splice(4)
    return version
  }
  for (let version = from - 1; version >= Math.max(0, from - 20); version--) {
    if (isDeepStrictEqual(content.data, contents[version])) {
      return 'shows older content, though a write was acknowledged before the read'
    }
  }
  return '`data` is not what was written'
}

/** @param {Frame} frame @param {Buffer} url @param {Buffer} body */
function fits ({ before, after }, url, body) {
  const end = before.length + url.length
  return body.length === end + after.length &&
    before.equals(body.subarray(0, before.length)) &&
    url.equals(body.subarray(before.length, end)) &&
    after.equals(body.subarray(end))
}

/** @param {Buffer} body */
function parse (body) {
  try {
    return JSON.parse(body.toString())
  } catch {
    return undefined
  }
}

/**
 * The same condition in other words: as it came, weak, or in a list.
 *
 * @param {string} etag
 * @param {Random} random
 */
function vary (etag, random) {
  const form = random.int(1, 20)
  if (form === 1) return `W/${etag}`
  return form === 2 ? `"${random.word(9)}", ${etag}` : etag
}
