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

export const columns = 80
export const rows = 38

/** @type {Step[]} */
export const steps = [
  { type: 'npm run list', readMs: 3000 },
  { type: 'npm run hint lesson-2', readMs: 4500 },
  { type: 'npm run check lesson-4 -- --no-speed', readMs: 7000 }
]
