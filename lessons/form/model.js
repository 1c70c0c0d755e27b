import { isDeepStrictEqual } from 'node:util'
import { plainText } from '../../runner/shared/http-fields.js'
import { Versions } from '../shared/versions.js'
import { Copies } from './copies.js'

/**
 * What clients know under load. One write is in flight at a time, so the states are a line, and a read shows one of
 * those that it may.
 *
 * @import { VersionOf, Window } from '../shared/versions.js'
 * @import { ParsedRoute } from './types.js'
 *
 * @typedef {object} Model
 * @property {any[]} states by version, the last one maybe still being written
 * @property {Versions} versions
 * @property {(read: Read) => VersionOf} versionOf
 * @property {any[]} sent what was written to come to each of them
 * @property {Copies} copies
 * @property {any[]} crowd clients, where a lesson has them
 * @property {Set<string>} seen in their answers, for what may not come twice
 *
 * @typedef {{ route: ParsedRoute, path: string, encoding?: string }} Read
 *
 * A body that was right, around the URL that it may hold.
 * @typedef {{ version: number, before: Buffer, after: Buffer }} Frame
 */

/** So far back an old state is told as that. */
export const oldest = 20
export const isOld = 'it shows old content, though a write was acknowledged before the read'
/** Bodies that are kept for each route and encoding. */
const mostKept = 4

/** @param {any} data @returns {Model} */
export function createModel (data) {
  const states = [data]
  /** The newest first. @type {Map<string, Frame[]>} */
  const frames = new Map()
  return {
    states,
    versions: new Versions(),
    sent: [undefined],
    copies: new Copies(),
    crowd: [],
    seen: new Set(),
    versionOf: ({ route, path, encoding }) => (body, { from, to }) => {
      const url = Buffer.from(route.anyQuery ? JSON.stringify(path) : '')
      const kind = `${route.name} ${encoding}`
      const kept = frames.get(kind) ?? []
      const same = kept.find((frame) => frame.version >= from && frame.version <= to && fits(frame, url, body))
      if (same) return same.version
      const shown = JSON.parse(plainText(body, encoding))
      const version = versionShown(states, shown, { from, to }, (state) => route.is?.(state, path))
      const at = body.indexOf(url)
      if (typeof version === 'number' && at >= 0) {
        const frame = { version, before: body.subarray(0, at), after: body.subarray(at + url.length) }
        frames.set(kind, [frame, ...kept].slice(0, mostKept))
      }
      return version
    }
  }
}

/**
 * @param {any[]} states
 * @param {unknown} shown JSON
 * @param {Window} window
 * @param {(state: any) => unknown} is what it shows in a state
 * @returns {number | string} the oldest version in the window that it shows, or what is wrong with it
 */
function versionShown (states, shown, { from, to }, is) {
  for (let version = from; version <= to; version++) {
    if (isDeepStrictEqual(shown, is(states[version]))) return version
  }
  for (let version = from - 1; version >= Math.max(0, from - oldest); version--) {
    if (isDeepStrictEqual(shown, is(states[version]))) return isOld
  }
  return 'it shows content that never existed'
}

/** @param {Frame} frame @param {Buffer} url @param {Buffer} body */
function fits ({ before, after }, url, body) {
  const end = before.length + url.length
  return body.length === end + after.length &&
    before.equals(body.subarray(0, before.length)) &&
    url.equals(body.subarray(before.length, end)) &&
    after.equals(body.subarray(end))
}
