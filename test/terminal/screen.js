import xterm from '@xterm/headless'
import { styledRows } from './styled.js'

/**
 * What a person in front of a terminal sees: bytes in, rows out.
 *
 * @import { Piece } from './styled.js'
 *
 * @typedef {{ rows: Piece[][], cursor: { x: number, y: number } | null }} Picture cursor: null where it is hidden
 */

/** Lines that have scrolled away are kept; more than that no test writes. */
const scrollback = 10_000

/**
 * @param {object} given
 * @param {number} given.columns
 * @param {number} given.rows
 * @param {(text: string) => void} [given.answer] what a terminal says when a program asks it something
 */
export function createScreen ({ columns, rows, answer = () => {} }) {
  const terminal = new xterm.Terminal({ cols: columns, rows, scrollback, allowProposedApi: true })
  let cursorShown = true
  /** @type {Set<() => void>} */
  const watchers = new Set()
  terminal.onData(answer)
  for (const [final, shown] of Object.entries({ h: true, l: false })) {
    terminal.parser.registerCsiHandler({ prefix: '?', final }, (parameters) => {
      if (parameters.includes(25)) cursorShown = shown
      // Everything else of it is the terminal's own business.
      return false
    })
  }

  /** @param {number} at */
  const lineAt = (at) => terminal.buffer.active.getLine(at)
  const lines = () => withoutBlankEnd(
    Array.from({ length: terminal.buffer.active.length }, (_, at) => lineAt(at)?.translateToString(true) ?? '')
  )
  return {
    /** @param {string | Uint8Array} output @returns {Promise<void>} resolves when it is drawn */
    write: (output) => new Promise((resolve) => terminal.write(output, () => {
      for (const watcher of [...watchers]) watcher()
      resolve()
    })),
    /** @param {() => void} watcher called after each drawing @returns {() => void} ends it */
    onDraw: (watcher) => {
      watchers.add(watcher)
      return () => watchers.delete(watcher)
    },
    /** Rows that can be seen now, without blanks at their ends and blank rows at the end. @returns {string[]} */
    screen: () => {
      const { baseY } = terminal.buffer.active
      return withoutBlankEnd(Array.from({ length: terminal.rows }, (_, row) =>
        lineAt(baseY + row)?.translateToString(true) ?? ''))
    },
    /** The same with all rows that have scrolled away before. @returns {string[]} */
    lines,
    /** Lines that were wider than the window: the rows of them that had to go on below. @returns {string[]} */
    wrapped: () => lines().filter((_, at) => lineAt(at)?.isWrapped),
    /** @returns {Picture} */
    picture: () => ({
      rows: styledRows(terminal),
      cursor: cursorShown ? { x: terminal.buffer.active.cursorX, y: terminal.buffer.active.cursorY } : null
    }),
    /** @param {number} newColumns @param {number} newRows */
    resize: (newColumns, newRows) => terminal.resize(newColumns, newRows)
  }
}

/** @param {string[]} lines */
function withoutBlankEnd (lines) {
  return lines.slice(0, lines.findLastIndex((line) => line.trim() !== '') + 1).map((line) => line.trimEnd())
}
