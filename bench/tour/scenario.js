/**
 * What the tour shows: what a person does, one step after the other.
 *
 * @import { keys } from '../../test/terminal/keys.js'
 *
 * @typedef {object} Step one of `type`, `key` and `save`
 * @property {string} [type] a command: typed, then Enter
 * @property {keyof typeof keys} [key] pressed
 * @property {{ file: string, from: string, to: string }} [save] text that is replaced in a file, as in an editor; the
 *   file's path in `workspace/`
 * @property {RegExp} [until] what the screen shows when that is done, and not before; default: the prompt again
 * @property {number} readMs how long a reader gets then
 */

export const columns = 84
export const rows = 50

/** @type {Step[]} */
export const steps = [
  { type: 'npm run watch lesson-4', until: /✗ \d+ of \d+ checks[^]+Saved, but nothing happened/, readMs: 5000 },
  {
    save: {
      file: '04-regex-in-loop/server.js',
      from: "new RegExp(genre, 'i').test(movie.Genre.toLowerCase())",
      to: 'movie.Genre.toLowerCase().includes(genre.toLowerCase())'
    },
    until: /✓ \d+ of \d+ checks[^]+Saved, but nothing happened/,
    readMs: 3500
  },
  {
    save: {
      file: '04-regex-in-loop/server.js',
      from: 'return JSON.parse(JSON.stringify(movies))',
      to: 'return movies'
    },
    until: /History +\S+ +≈[\d.]+×( \(rough\))? +≈[\d.]+×[^]+Saved, but nothing happened/,
    readMs: 3500
  },
  { type: 'b', until: /✓ PASS[^]+Verdict +✓ pass[^]+Saved, but nothing happened/, readMs: 8000 }
]
