import { stripVTControlCharacters } from 'node:util'

const mostBytes = 64 * 1024
const mostLines = 12
/** Patterns that look for something in a line take the square of its length. */
const longestLine = 2000
/** Lines that V8's inspector writes, which mean nothing to the learner. */
const ofInspector = new RegExp('^(Debugger (listening on ws:|attached|ending on ws:)|' +
  'For help, see: https://nodejs\\.org/|Waiting for the debugger to disconnect)')

/**
 * Keeps the first and the last part of what a stream says, and reads on for ever, so that a server that floods its
 * stdout neither blocks nor fills our memory.
 *
 * @param {import('node:stream').Readable} stream @returns {{ text: () => string, bytes: () => number }}
 */
export function capture (stream) {
  /** @type {Buffer[]} */
  let head = []
  let headBytes = 0
  let tail = Buffer.alloc(0)
  let bytes = 0
  stream.on('data', (/** @type {Buffer} */ chunk) => {
    bytes += chunk.length
    if (headBytes < mostBytes / 2) {
      head.push(chunk.subarray(0, mostBytes / 2 - headBytes))
      chunk = chunk.subarray(mostBytes / 2 - headBytes)
      headBytes = Math.min(bytes, mostBytes / 2)
    }
    if (chunk.length > 0) tail = Buffer.concat([tail, chunk.subarray(-mostBytes / 2)]).subarray(-mostBytes / 2)
  })
  stream.on('error', () => {})
  return {
    bytes: () => bytes,
    text: () => {
      head = [Buffer.concat(head)]
      const left = bytes - headBytes - tail.length
      const gap = left > 0 ? `\n… ${left} bytes left out …\n` : ''
      return head[0].toString() + gap + tail.toString()
    }
  }
}

/**
 * A server's output, as a learner should see it: its own lines, stack frames only of its own files, with paths
 * relative to its folder; at most twelve lines.
 *
 * @param {string} text
 * @param {{ dir: string, shownDir: string }} places dir: where it ran; shownDir: what to call it
 * @returns {string}
 */
export function trimOutput (text, { dir, shownDir }) {
  const own = stripVTControlCharacters(text)
    .split(/\r?\n/)
    .map((line) => line.length > longestLine ? `${line.slice(0, longestLine)}…` : line)
    .filter((line) => line.trim() !== '')
    .filter((line) => !/^\s+at /.test(line) || (line.includes(dir) && !line.includes('node_modules')))
    .filter((line) => !/^Node\.js v\d/.test(line) && !/^node:internal/.test(line))
    .filter((line) => !ofInspector.test(line))
    .map((line) => line.replace(/file:\/\/\/?/g, (match) => (match.length === 8 ? '/' : '')).replaceAll(dir, shownDir))
  const left = own.length - mostLines
  return (left > 0 ? [...own.slice(0, mostLines - 1), `… ${left + 1} more lines`] : own).join('\n')
}
