import { clearScreenDown, cursorTo, moveCursor } from 'node:readline'
import { stripVTControlCharacters } from 'node:util'
import { textWidth } from './theme.js'

/** @import { Output } from './theme.js' */

const longestMs = 1000

/**
 * Lines at the end of the terminal that are redrawn in place: at once if the last drawing is old
 * enough, else as soon as it is; and once a second, so that the clock keeps moving. Drawing takes CPU time from the
 * measurement, so it's never done more often.
 *
 * @param {object} given
 * @param {Output} given.stream
 * @param {() => string[]} given.lay lays out the lines; none wider than the window
 * @param {number} [given.shortestMs] between two drawings
 * @param {() => number} [given.now] ms
 * @returns {{ changed: () => void, clear: () => void, freeze: () => void }} clear: wipes the region and stops the
 *   clock; freeze: stops the clock, and the region stays
 */
export function createLiveRegion ({ stream, lay, shortestMs = 100, now = () => performance.now() }) {
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

/** A window made narrower has wrapped what was drawn. @param {string[]} lines @param {number | undefined} columns */
function rowsOf (lines, columns) {
  if (!columns) return lines.length
  return lines.reduce((sum, line) =>
    sum + Math.max(1, Math.ceil(textWidth(stripVTControlCharacters(line)) / columns)), 0)
}

/** Wiping and drawing in separate writes would flicker. @param {Output} stream @param {() => void} write */
function inOneWrite (stream, write) {
  stream.cork?.()
  try {
    write()
  } finally {
    stream.uncork?.()
  }
}
