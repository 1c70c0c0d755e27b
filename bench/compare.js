import { parseArgs } from 'node:util'
import { compareServers, loadOfPaths } from '../compare/index.js'
import { median } from '../runner/judge/index.js'
import { makeTemporary } from '../runner/process/index.js'
import { newSeed } from '../runner/shared/random.js'
import { aboutRun } from './about.js'
import { neighbourNames, startNeighbour } from './neighbours/index.js'
import { writeSide } from './tools/calibrated-side.js'
import { openRuns } from './tools/runs.js'

/**
 * How often is a comparison wrong, and how well does it know a ratio? Two servers whose true ratio is set, again and
 * again: `npm run measure compare -- [--ratios 1,1.5] [--runs 100,20] [--target 1.1] [--precision 5] [--seconds 60]
 * [--neighbours none] [--out FILE]`. FILE gets a line of JSON for each run, and the next time only what is lacking
 * there is measured. With `--precision 0.01` each takes the whole time, and shows what precision that buys. Measure
 * alone.
 *
 * @typedef {{ says: string, reason: string, seed: string, ratio: number | null, interval95: [number, number] | null,
 *   seconds: number }} Found
 */

const { values } = parseArgs({
  options: {
    ratios: { type: 'string', default: '1,1.5' },
    runs: { type: 'string', default: '100,20' },
    target: { type: 'string' },
    precision: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '60' },
    neighbours: { type: 'string', default: 'none' },
    out: { type: 'string' }
  }
})
const file = openRuns(values.out)
const ratios = values.ratios.split(',').map(Number)
const runs = values.runs.split(',').map(Number)
const neighbours = values.neighbours.split(',')
const target = values.target === undefined ? null : Number(values.target)
if (![...ratios, ...runs, Number(values.seconds), Number(values.precision), target ?? 1].every((value) => value > 0) ||
  !neighbours.every((name) => neighbourNames.includes(name))) {
  console.error('--ratios, --runs, --target, --precision and --seconds take numbers; --neighbours ' +
    `${neighbourNames.join(', ')}.`)
  process.exit(3)
}
const says = /** @type {const} */ (['faster', 'slower', 'no difference', 'inconclusive'])
const { dir: scratch, remove } = await makeTemporary()
const original = writeSide(scratch, 'original', 1)
let wrong = 0

console.log(`${aboutRun()}, ${target === null ? 'no target' : `target ${target}×`}, at most ${values.seconds} s\n`)
console.log(`| beside | true ratio | ${says.join(' | ')} | else | wrong | measured: median, extremes | ` +
  '± of 95 %: median, worst | seconds: median, worst |')
console.log(`|${'---|'.repeat(says.length + 7)}`)
for (const neighbour of neighbours) {
  const program = await startNeighbour(neighbour)
  try {
    for (const [i, ratio] of ratios.entries()) await row(neighbour, ratio, runs[i] ?? runs[0])
  } finally {
    await program.stop()
  }
}
console.log(wrong === 0 ? '\nNothing that was said was wrong.' : `\n${wrong} were wrong.`)
process.exitCode = wrong === 0 ? 0 : 1
await remove()

/** @param {string} neighbour @param {number} ratio @param {number} times */
async function row (neighbour, ratio, times) {
  const changed = writeSide(scratch, `ratio-${ratio}`, ratio)
  const how = { target, precision: Number(values.precision) / 100, seconds: Number(values.seconds) }
  const records = await file.gather({ neighbour, ratio, ...how }, times, () => compareOnce(changed, how))
  const isWrong = (/** @type {Found} */ { says: found, seed, reason }) => {
    const bad = (found === 'faster' && ratio <= 1) || (found === 'slower' && ratio >= 1) ||
      !says.some((one) => one === found)
    if (bad) console.error(`${neighbour}, ${ratio}: ${found}, seed ${seed}: ${reason}`)
    return bad
  }
  const wrongHere = records.filter(isWrong).length
  wrong += wrongHere
  const counts = says.map((one) => records.filter(({ says }) => says === one).length)
  const measured = records.map(({ ratio }) => ratio ?? NaN).filter((one) => one > 0)
  const widths = records.flatMap(({ interval95 }) =>
    interval95 ? [100 * (Math.sqrt(interval95[1] / interval95[0]) - 1)] : [])
  const seconds = records.map(({ seconds }) => seconds)
  const two = (/** @type {number[]} */ list) =>
    list.length > 0 ? `${median(list).toFixed(1)}, ${Math.max(...list).toFixed(1)}` : '–'
  console.log(`| ${[
    neighbour,
    `${ratio}×`,
    ...counts,
    records.length - counts.reduce((sum, count) => sum + count, 0),
    wrongHere,
    measured.length > 0
      ? `${median(measured).toFixed(3)} (${Math.min(...measured).toFixed(3)} to ${Math.max(...measured).toFixed(3)})`
      : '–',
    two(widths),
    two(seconds)
  ].join(' | ')} |`)
}

/**
 * @param {ReturnType<typeof writeSide>} changed
 * @param {{ target: number | null, precision: number, seconds: number }} how
 * @returns {Promise<Found>}
 */
async function compareOnce (changed, how) {
  const { comparison, reason, seed, durationMs, gates: [gate] } = await compareServers({
    ...how,
    sides: [original, changed],
    load: loadOfPaths(['/hello']),
    gates: [],
    seed: newSeed(),
    signal: new AbortController().signal
  })
  return {
    says: comparison?.says ?? 'error',
    reason,
    seed,
    ratio: gate?.ratio ?? null,
    interval95: gate?.interval95 ?? null,
    seconds: durationMs / 1000
  }
}
