import path from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * A name in the text of `--prof-process`, made readable. Pure, except for the platform's idea of a path.
 *
 * @typedef {object} TickName
 * @property {string} name `sha512`, `libc.so.6`, `RegExp: ^a+$`
 * @property {string} place `server.js:55`, `express/lib/router.js:12`, `node:crypto:8`; may be empty
 * @property {'yours' | 'package' | 'node' | 'recorder' | 'native'} owner
 * @property {boolean} isJavaScript
 */

const ownFiles = fileURLToPath(new URL('../..', import.meta.url))

/**
 * @param {string} text
 * @param {{ dir: string }} options the folder of the server
 * @returns {TickName}
 */
export function readName (text, { dir }) {
  // The sign before a name says which of V8's tiers ran it; it's the same function.
  const [, rest] = /^(?:JS|LazyCompile|Function|Script|Eval): ?[~^+*]?(.*)$/.exec(text) ?? []
  if (rest === undefined) {
    return { name: nativeName(text), place: '', owner: 'native', isJavaScript: /^(Builtin|RegExp|Wasm)/.test(text) }
  }
  // A name may contain spaces (`get headers`); a place begins with a URL or a path.
  const [, name, url, line] = /^(.*?) ?((?:file:\/\/|node:|internal\/|\/|[A-Za-z]:[\\/]).*?)(?::(\d+):\d+)?$/.exec(
    rest
  ) ?? [undefined, rest, '', '']
  const { file, owner } = whose(url, dir)
  const place = file === '' ? '' : `${file}${line ? `:${line}` : ''}`
  return {
    name: name === '' || /^[(<]anonymous[)>]$/.test(name) ? `function at ${place || 'an unknown place'}` : name,
    place,
    owner,
    isJavaScript: true
  }
}

/** @param {string} url @param {string} dir @returns {{ file: string, owner: TickName['owner'] }} */
function whose (url, dir) {
  if (url === '') return { file: '', owner: 'node' }
  if (/^(node:|internal\/)/.test(url)) return { file: url, owner: 'node' }
  const file = asPath(url)
  const slashed = file.replaceAll('\\', '/')
  const at = slashed.lastIndexOf('/node_modules/')
  if (at >= 0) return { file: slashed.slice(at + '/node_modules/'.length), owner: 'package' }
  if (file.startsWith(dir + path.sep)) return { file: slashed.slice(dir.length + 1), owner: 'yours' }
  return { file, owner: file.startsWith(ownFiles) ? 'recorder' : 'yours' }
}

/** @param {string} url */
function asPath (url) {
  try {
    return url.startsWith('file:') ? fileURLToPath(url) : url
  } catch {
    return url
  }
}

/** @param {string} name */
function nativeName (name) {
  if (name === 'UNKNOWN') return 'native code (UNKNOWN)'
  // `/usr/lib/libc.so.6` is a library wherever it is; `malloc@@GLIBC_2.2.5` a function of whatever version.
  if (/^(\/|[A-Za-z]:\\)/.test(name)) return name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1)
  return name.replace(/@@\S+$/, '')
}
