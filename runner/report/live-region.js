import { clearScreenDown, cursorTo, moveCursor } from 'node:readline'
import { stripVTControlCharacters } from 'node:util'
import { createTheme, textWidth } from './theme.js'

/** @import { Theme, ThemeOptions } from './theme.js' */

/** Lines at the end of the terminal that are redrawn in place. */

/**
 * Draws at once if the last drawing is old enough, else as soon as it is; and once a second, so that the clock
 * keeps moving. Drawing takes CPU time from the measurement, so it's never done more often.
 *
 * @param {object} given
 * @param {Output} given.stream
 * @param {() => string[]} given.lay lays out the lines; none wider than the window
 * @param {number} [given.shortestMs] between two drawings
 * @param {number} [given.longestMs] between two drawings
 * @param {() => number} [given.now] ms
 * @returns {{ changed: () => void, clear: () => void, freeze: () => void }} clear: wipes the region and stops the
 *   clock; freeze: stops the clock, and the region stays
 */
export function createLiveRegion ({ stream, lay, shortestMs = 100, longestMs = 1000, now = () => performance.now() }) {
  /** @type {string[]} */
  let drawn = []
  let drawnAt = -Infinity
  let ended = false
  /** @type {NodeJS.Timeout | undefined} */
  let timer

  /** @param {number} ms */
  const drawAfter = (ms) => {
    clearTimeout(timer)
    timer = setTimeout(draw, ms)
    // A live picture doesn't keep the process alive.
    timer.unref()
  }

  // node:readline calls only a stream's write.
  const terminal = /** @type {NodeJS.WritableStream} */ (/** @type {unknown} */ (stream))

  const wipe = () => {
    if (drawn.length === 0) return
    cursorTo(terminal, 0)
    moveCursor(terminal, 0, -rowsOf(drawn, stream.columns))
    clearScreenDown(terminal)
  }

  const draw = () => {
    if (ended) return
    const lines = lay()
    if (lines.join('\n') !== drawn.join('\n')) {
      inOneWrite(stream, () => {
        wipe()
        stream.write(lines.map((line) => line + '\n').join(''))
      })
      drawn = lines
    }
    drawnAt = now()
    drawAfter(longestMs)
  }

  return {
    changed: () => {
      if (ended) return
      const early = drawnAt + shortestMs - now()
      if (early > 0) drawAfter(early)
      else draw()
    },
    clear: () => {
      clearTimeout(timer)
      if (!ended) wipe()
      ended = true
    },
    freeze: () => {
      clearTimeout(timer)
      ended = true
    }
  }
}

/**
 * A window made narrower has wrapped what was drawn before.
 *
 * @param {string[]} lines
 * @param {number | undefined} columns
 */
function rowsOf (lines, columns) {
  if (!columns) return lines.length
  return lines.reduce((sum, line) =>
    sum + Math.max(1, Math.ceil(textWidth(stripVTControlCharacters(line)) / columns)), 0)
}

/**
 * Wiping and drawing in separate writes would flicker.
 *
 * @param {Output} stream
 * @param {() => void} write
 */
function inOneWrite (stream, write) {
  stream.cork?.()
  try {
    write()
  } finally {
    stream.uncork?.()
  }
}

/** What the output stream can show. */

/**
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
