import { isDeepStrictEqual } from 'node:util'
import { anyUrl } from '../shared/urls.js'
import { Versions } from '../shared/versions.js'
import { change } from './content.js'
import { cacheControl, wrongTag } from './tags.js'

/**
 * @import { Item, LoadAnswer, Random, Stream } from '../../runner/lesson/index.js'
 * @import { Window } from '../shared/versions.js'
 * @import { Data } from './content.js'
 *
 * @typedef {object} Model what one server must know, seen from its clients. A version is an index into `contents`
 * @property {Data[]} contents with every write that was started
 * @property {Versions} versions
 *
 * @typedef {{ version: number, before: Buffer, after: Buffer }} Frame a body around its URL
 */

/** @param {{ data: { data: Data } }} given @returns {Model} */
export function makeModel ({ data }) {
  const contents = [data.data]
  /** Bodies found right, the latest few. @type {Frame[]} */
  const frames = []
  return {
    contents,
    versions: new Versions(0, {
      versionOf: (body, window, path) => versionOf(contents, frames, body, window, path),
      wrongHead
    })
  }
}

/** @type {Stream} */
export function seedStream ({ random, model }) {
  const known = makePaths(random)
  return () => {
    const draw = random.next()
    if (draw < 0.01 && !model.versions.isWriting) return write(model, random)
    return draw > 0.92 ? model.versions.read(newPath(random), false) : model.versions.read(random.pick(known))
  }
}

/** @type {Stream} */
export function conditionalStream ({ random, model }) {
  const known = makePaths(random)
  return () => {
    const draw = random.next()
    if (draw < 0.0025 && !model.versions.isWriting) return write(model, random)
    return draw > 0.98 ? askForAny(random) : model.versions.revalidate(random.pick(known), random)
  }
}

/** @param {Random} random */
function makePaths (random) {
  return ['/seed/v1', ...Array.from({ length: 5 }, () => anyUrl('/seed/v1', random))]
}

/** A URL that nobody has asked for before, and nobody will again. @param {Random} random */
function newPath (random) {
  return `/seed/v1?user=${random.word(8)}`
}

/** @param {Model} model @param {Random} random */
function write ({ contents, versions }, random) {
  const data = change(contents[contents.length - 1], random)
  contents.push(data)
  return versions.write({ method: 'PUT', path: '/seed/v1', json: { data } }, 204, ({ body }) => {
    if (body.length > 0) return `expected no body with a 204, got ${body.length} bytes`
  })
}

/** Whatever the client has is good enough: `*`. @param {Random} random @returns {Item} */
function askForAny (random) {
  return {
    path: newPath(random),
    headers: { 'if-none-match': '*' },
    check: (answer) => answer.status === 304 && answer.body.length === 0
      ? wrongHead(answer)
      : `expected 304 to If-None-Match: *, and no body, got ${answer.status}`
  }
}

/** @param {LoadAnswer} answer */
function wrongHead ({ headers }) {
  return headers['cache-control'] === cacheControl
    ? wrongTag(headers.etag)
    : `Cache-Control is ${headers['cache-control']}`
}

/**
 * @param {Data[]} contents
 * @param {Frame[]} frames
 * @param {Buffer} body
 * @param {Window} window
 * @param {string} path
 * @returns {number | string} the version that the body shows, or what is wrong with it
 */
function versionOf (contents, frames, body, { from, to }, path) {
  const url = Buffer.from(JSON.stringify(path))
  const frame = frames.find((frame) => frame.version >= from && frame.version <= to && fits(frame, url, body))
  if (frame) return frame.version

  const content = JSON.parse(body.toString())
  for (let version = to; version >= Math.max(0, from - 20); version--) {
    if (!isDeepStrictEqual(content, { data: contents[version], url: path })) continue
    if (version < from) return 'shows older content, though a write was acknowledged before the read'
    const at = body.indexOf(url)
    if (at >= 0) frames.unshift({ version, before: body.subarray(0, at), after: body.subarray(at + url.length) })
    frames.splice(4)
    return version
  }
  return content?.url === path ? '`data` is not what was written' : `\`url\` is ${JSON.stringify(content?.url)}`
}

/** @param {Frame} frame @param {Buffer} url @param {Buffer} body */
function fits ({ before, after }, url, body) {
  const end = before.length + url.length
  return body.length === end + after.length &&
    before.equals(body.subarray(0, before.length)) &&
    url.equals(body.subarray(before.length, end)) &&
    after.equals(body.subarray(end))
}
