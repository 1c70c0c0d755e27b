import { createInterface, emitKeypressEvents } from 'node:readline'

/**
 * @typedef {object} Keys
 * @property {boolean} pressed keys work when they are pressed; false: there is no terminal, and a line with the letter
 *   does the same
 * @property {() => void} pause leaves the terminal to another program, such as an editor
 * @property {() => void} resume
 * @property {() => void} close
 */

/**
 * @param {NodeJS.ReadStream} stdin
 * @param {(key: string) => void} onKey `b`, `q`, `escape`, `ctrl-c`
 * @returns {Keys}
 */
export function listenForKeys (stdin, onKey) {
  if (!stdin.isTTY || typeof stdin.setRawMode !== 'function') return listenForLines(stdin, onKey)
  /** @param {string | undefined} text @param {{ name?: string, ctrl?: boolean }} key */
  const hear = (text, { name = '', ctrl = false }) => {
    if (ctrl) onKey(`ctrl-${name}`)
    else onKey(text?.length === 1 && text > ' ' ? text.toLowerCase() : name)
  }
  emitKeypressEvents(stdin)
  const resume = () => {
    stdin.setRawMode(true)
    stdin.on('keypress', hear).resume()
  }
  const pause = () => {
    stdin.off('keypress', hear).pause()
    stdin.setRawMode(false)
  }
  resume()
  return { pressed: true, pause, resume, close: pause }
}

/** @param {NodeJS.ReadStream} stdin @param {(key: string) => void} onKey @returns {Keys} */
function listenForLines (stdin, onKey) {
  const lines = createInterface({ input: stdin }).on('line', (line) => {
    if (line.trim() !== '') onKey(line.trim()[0].toLowerCase())
  })
  return { pressed: false, pause: () => {}, resume: () => {}, close: () => lines.close() }
}
