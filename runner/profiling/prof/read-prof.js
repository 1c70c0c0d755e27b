import { readName } from './name.js'

/**
 * Reads the bottom-up section. Pure.
 *
 * @import { TickName } from './name.js'
 * @import { HeavyRow } from './parse.js'
 *
 * @typedef {object} Reading
 * @property {TickName} hottest with most of the ticks that JavaScript caused
 * @property {number} hottestTicks
 * @property {TickName | null} yours the learner's function that most of them came through, as their nearest one
 * @property {number} yoursTicks
 */

/**
 * @param {HeavyRow[]} heavy
 * @param {{ dir: string }} options the folder of the server
 * @returns {Reading | null} null: JavaScript caused no ticks
 */
export function readHeavy (heavy, { dir }) {
  const read = (/** @type {string} */ name) => readName(name, { dir })
  const lines = heavy
    .map((row) => ({ row, name: read(row.name), ticks: causedTicks(row, read) }))
    .sort((a, b) => b.ticks - a.ticks)
  const [hottest] = lines
  if (hottest === undefined || hottest.ticks === 0) return null
  /** @type {Map<string, { name: TickName, ticks: number }>} */
  const nearest = new Map()
  addNearest(hottest.row, read, nearest)
  const [yours] = [...nearest.values()].sort((a, b) => b.ticks - a.ticks)
  return {
    hottest: hottest.name,
    hottestTicks: hottest.row.ticks,
    yours: yours?.name ?? null,
    yoursTicks: yours?.ticks ?? 0
  }
}

/**
 * Waiting (epoll) and V8's own threads have no caller in JavaScript.
 *
 * @param {HeavyRow} row
 * @param {(name: string) => TickName} read
 * @returns {number}
 */
function causedTicks (row, read) {
  return read(row.name).isJavaScript
    ? row.ticks
    : row.callers.reduce((sum, caller) => sum + causedTicks(caller, read), 0)
}

/**
 * V8 lists a function once per tier: they're added up.
 *
 * @param {HeavyRow} row @param {(name: string) => TickName} read
 * @param {Map<string, { name: TickName, ticks: number }>} nearest
 */
function addNearest (row, read, nearest) {
  const name = read(row.name)
  if (name.owner !== 'yours') return row.callers.forEach((caller) => addNearest(caller, read, nearest))
  const entry = nearest.get(`${name.name} ${name.place}`) ?? { name, ticks: 0 }
  entry.ticks += row.ticks
  nearest.set(`${name.name} ${name.place}`, entry)
}
