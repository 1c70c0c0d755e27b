import { isDeepStrictEqual } from 'node:util'
import { Versions } from '../shared/versions.js'
import { plainText } from './encodings.js'

/**
 * What clients know under load. One write is in flight at a time, so the states are a line, and a read shows one of
 * those that it may.
 *
 * @import { Window } from '../shared/versions.js'
 * @import { ParsedRoute } from './types.js'
 *
 * @typedef {object} Model
 * @property {any[]} states by version, the last one maybe still being written
 * @property {Versions} versions
 * @property {(key: string, read: KnownRead) => void} know what a key of `versions` stands for
 * @property {any[]} crowd clients, where a lesson has them
 * @property {Set<string>} seen in their answers, for what may not come twice
 *
 * @typedef {{ route: ParsedRoute, encoding?: string }} KnownRead
 */

/** So far back an old state is told as that. */
const oldest = 20
/** Bodies that are kept for each key. */
const mostKept = 3

/** @param {any} data @returns {Model} */
export function createModel (data) {
  const states = [data]
  /** @type {Map<string, KnownRead>} */
  const known = new Map()
  /** Bodies that were right, by key. @type {Map<string, { version: number, body: Buffer }[]>} */
  const accepted = new Map()
  /** @param {Buffer} body @param {Window} window @param {string} key */
  const versionOf = (body, { from, to }, key) => {
    const kept = accepted.get(key) ?? []
    const same = kept.find((one) => one.version >= from && one.version <= to && one.body.equals(body))
    if (same) return same.version
    const { route, encoding } = known.get(key) ?? {}
    const version = versionShown(states, JSON.parse(plainText(body, encoding)), { from, to }, route)
    if (typeof version === 'number') accepted.set(key, [{ version, body }, ...kept].slice(0, mostKept))
    return version
  }
  return {
    states,
    versions: new Versions(0, { versionOf, wrongHead: () => undefined }),
    know: (key, read) => known.set(key, read),
    crowd: [],
    seen: new Set()
  }
}

/**
 * @param {any[]} states
 * @param {unknown} shown JSON
 * @param {Window} window
 * @param {ParsedRoute | undefined} route
 * @returns {number | string} the oldest version in the window that it shows, or what is wrong with it
 */
function versionShown (states, shown, { from, to }, route) {
  const is = route?.is ?? (() => undefined)
  for (let version = from; version <= to; version++) {
    if (isDeepStrictEqual(shown, is(states[version], ''))) return version
  }
  for (let version = from - 1; version >= Math.max(0, from - oldest); version--) {
    if (isDeepStrictEqual(shown, is(states[version], ''))) {
      return 'it shows what was there before a write that was acknowledged before the read'
    }
  }
  return 'it shows what never was there'
}
