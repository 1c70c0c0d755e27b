import fs from 'node:fs'
import { SourceMap } from 'node:module'
import { fileURLToPath } from 'node:url'

/**
 * Where code was before a compiler or a bundler wrote it: TypeScript is to be named by its own lines.
 *
 * @typedef {object} Place
 * @property {string} url of a file
 * @property {number} line from 1
 * @property {number} column from 1
 *
 * @typedef {{ map: SourceMap, base: string }} Loaded base: what its sources are relative to
 */

/** By the URL of the compiled file; a file that was built again is read again. */
const known = /** @type {Map<string, { version: string, loaded: Loaded | null }>} */ (new Map())

const comment = /^\/[/*][#@] sourceMappingURL=([^\s*]+)/gm
const bundled = /^webpack:\/\/[^/]*\//

/**
 * For one profile, which asks for many places of few files: each file is looked at once.
 *
 * @returns {(compiled: Place) => Place | null} of a place, where column is Infinity for the end of its line; null: the
 *   file has no source map, or the map doesn't know the place
 */
export function sourceMaps () {
  /** @type {Map<string, Loaded | null>} */
  const maps = new Map()
  return (compiled) => {
    const { url } = compiled
    if (!maps.has(url)) maps.set(url, mapOf(url))
    const loaded = maps.get(url) ?? null
    return loaded && placeIn(loaded, compiled)
  }
}

/** @param {Loaded} loaded @param {Place} compiled */
function placeIn (loaded, { line, column }) {
  const entry = /** @type {any} */ (loaded.map.findEntry(line - 1, Math.min(column - 1, 1e9)))
  if (typeof entry.originalSource !== 'string') return null
  const source = entry.originalSource.replace(bundled, './')
  if (!URL.canParse(source, loaded.base)) return null
  return {
    url: new URL(source, loaded.base).href,
    line: entry.originalLine + 1,
    column: entry.originalColumn + 1
  }
}

/** @param {string} url @returns {Loaded | null} */
function mapOf (url) {
  if (!url.startsWith('file:')) return null
  const version = versionOf(url)
  const earlier = known.get(url)
  if (earlier?.version === version) return earlier.loaded
  const loaded = version === '' ? null : read(url)
  known.set(url, { version, loaded })
  return loaded
}

/** @param {string} url */
function versionOf (url) {
  const stats = fs.statSync(fileURLToPath(url), { throwIfNoEntry: false })
  return stats ? `${stats.mtimeMs} ${stats.size}` : ''
}

/** @param {string} url @returns {Loaded | null} */
function read (url) {
  try {
    const [last] = [...fs.readFileSync(fileURLToPath(url), 'utf8').matchAll(comment)].slice(-1)
    if (last === undefined) return null
    const base = new URL(last[1], url).href
    const [, inline] = /^data:application\/json;(?:charset=[^;]+;)?base64,(.*)$/.exec(last[1]) ?? []
    const text = inline === undefined
      ? fs.readFileSync(fileURLToPath(base), 'utf8')
      : Buffer.from(inline, 'base64').toString()
    return { map: new SourceMap(JSON.parse(text)), base: inline === undefined ? base : url }
  } catch {
    // Without its map, a file is named by its compiled lines.
    return null
  }
}
