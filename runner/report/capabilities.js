/** What the output stream can show. */
import { createTheme } from './layout/theme.js'

/**
 * @import { ThemeOptions, Theme } from './layout/theme.js'
 *
 * @typedef {object} Capabilities
 * @property {number} columns
 * @property {boolean} colour
 * @property {boolean} unicode
 * @property {boolean} live may be redrawn in place
 * @property {boolean} uncut has no width: a file or another program
 * @property {boolean} links shows clickable links, or ignores them
 *
 * @typedef {object} Output a tty.WriteStream, or anything else that takes text
 * @property {(text: string) => unknown} write
 * @property {boolean} [isTTY]
 * @property {number} [columns]
 * @property {number} [rows]
 * @property {() => void} [cork]
 * @property {() => void} [uncork]
 *
 * @typedef {ThemeOptions & { stream?: Output }} TextOptions the rest is found out from the stream, default stdout
 */

const usualColumns = 80
// A live region in fewer columns would wrap and could not be redrawn.
const narrowestLive = 41

/**
 * @param {Output} stream
 * @param {Record<string, string | undefined>} [env]
 * @param {string} [platform] as process.platform
 * @returns {Capabilities}
 */
export function capabilitiesOf (stream, env = process.env, platform = process.platform) {
  const terminal = stream.isTTY === true
  const columns = (terminal && stream.columns) || Number(env.COLUMNS) || usualColumns
  const colour = showsColour(terminal, env)
  return {
    columns,
    colour,
    unicode: showsUnicode(env, platform),
    live: terminal && env.TERM !== 'dumb' && columns >= narrowestLive,
    uncut: !terminal && !Number(env.COLUMNS),
    // The Linux console prints sequences it doesn't know.
    links: terminal && colour && env.TERM !== 'dumb' && env.TERM !== 'linux'
  }
}

/** @param {TextOptions} [options] @returns {Theme} */
export function themeFor ({ stream = process.stdout, ...options } = {}) {
  const found = capabilitiesOf(stream)
  return createTheme({ ...found, uncut: found.uncut && options.columns === undefined, ...options })
}

/**
 * FORCE_COLOR wins over NO_COLOR, as it does in Node.
 *
 * @param {boolean} terminal
 * @param {Record<string, string | undefined>} env
 */
function showsColour (terminal, env) {
  if (env.FORCE_COLOR !== undefined) return env.FORCE_COLOR !== '0' && env.FORCE_COLOR !== 'false'
  if (env.NO_COLOR !== undefined && env.NO_COLOR !== '') return false
  return terminal && env.TERM !== 'dumb'
}

/**
 * @param {Record<string, string | undefined>} env
 * @param {string} platform
 */
function showsUnicode (env, platform) {
  // The legacy Windows console sets none of these; its fonts lack the marks and bars.
  if (platform === 'win32') return Boolean(env.WT_SESSION || env.TERM_PROGRAM)
  if (env.TERM === 'linux' || env.TERM === 'dumb') return false
  const locale = env.LC_ALL || env.LC_CTYPE || env.LANG
  return locale === undefined || locale === '' || /utf-?8/i.test(locale)
}
