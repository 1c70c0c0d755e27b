import fs from 'node:fs'

/**
 * Noise on the log ratio of a round. A model makes the noise of one check: a function that is called once a round.
 *
 * @import { Random } from '../runner/lesson/index.js'
 *
 * @typedef {() => () => number} Model
 */

/** A pair of servers is restarted after so many rounds (runner/check/rounds.js). */
const roundsPerPair = 10

/**
 * Synthetic noise; `spread` is about its standard deviation.
 *
 * @param {Random} random
 * @param {number} spread
 * @returns {Record<string, Model>}
 */
export function syntheticModels (random, spread) {
  /** Box and Muller. */
  const normal = () => Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next())
  return {
    Gaussian: () => () => spread * normal(),
    'heavy tails (15 % of the rounds 6 times as noisy)': () => () =>
      (random.next() < 0.85 ? 0.6 : 3.5) * spread * normal(),
    'Student’s t with 2 degrees of freedom': () => () =>
      (0.7 * spread * normal()) / Math.sqrt((normal() ** 2 + normal() ** 2) / 2),
    'bursts that slow yours down': () => () =>
      0.6 * spread * normal() - (random.next() < 0.15 ? random.next() * 4 * spread : 0),
    'bursts that slow the baseline down': () => () =>
      0.6 * spread * normal() + (random.next() < 0.15 ? random.next() * 4 * spread : 0),
    'autocorrelated (0.3)': () => {
      let previous = spread * normal()
      return () => (previous = 0.3 * previous + Math.sqrt(1 - 0.09) * spread * normal())
    },
    drifting: () => {
      const slope = (random.next() - 0.5) * 0.06 * spread
      let round = 0
      return () => slope * round++ + spread * normal()
    },
    'each pair of servers has its own luck (5 %)': () => {
      let luck = 0
      let round = 0
      return () => {
        if (round++ % roundsPerPair === 0) luck = 0.05 * normal()
        return luck + spread * normal()
      }
    }
  }
}

/**
 * Noise that was recorded by `npm run measure verdicts -- --record file`: blocks of consecutive rounds of real checks,
 * drawn at random (Künsch's moving block bootstrap, 1989), so that what neighbouring rounds have in common is kept.
 * Each round counts, also those that the judge would have called disturbed.
 *
 * @param {Random} random
 * @param {string} file
 * @returns {Record<string, Model>} by gate and neighbour
 */
export function recordedModels (random, file) {
  /** @type {Map<string, number[][]>} */
  const series = new Map()
  for (const line of fs.readFileSync(file, 'utf8').split('\n').filter(Boolean)) {
    const { gate, neighbour, ratio, rounds } = JSON.parse(line)
    if (gate !== 'rate' || rounds.length < blockLength) continue
    const name = `recorded beside: ${neighbour}`
    const noise = rounds.map((/** @type {[number, number]} */ [log]) => log - Math.log(ratio))
    series.set(name, [...series.get(name) ?? [], noise])
  }
  return Object.fromEntries([...series].map(([name, checks]) => [name, () => {
    /** @type {number[]} */
    let block = []
    return () => {
      if (block.length === 0) {
        const check = random.pick(checks)
        const start = random.int(0, check.length - blockLength)
        block = check.slice(start, start + blockLength)
      }
      return /** @type {number} */ (block.shift())
    }
  }]))
}
const blockLength = 4
