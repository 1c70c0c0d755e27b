import { parseArgs } from 'node:util'
import { compareServers, loadOfPaths } from '../compare/index.js'
import { selfTestEntry } from '../runner/check/self-test/self-test.js'
import { runClosedLoop } from '../runner/load/closed-loop.js'
import { makeTemporary, withSession } from '../runner/process/index.js'
import { createRandom, newSeed } from '../runner/shared/random.js'
import { aboutRun } from './about.js'
import { neighbourNames, startNeighbour } from './neighbours/index.js'
import { writeSide } from './tools/calibrated-side.js'
import { openRuns } from './tools/runs.js'

/**
 * What three ways say about a pair of servers whose true ratio is set, each with the same seconds of measuring:
 * `npm run measure compare-others -- [--slower 0,5,10,20] [--runs 5] [--seconds 60] [--neighbours none,…]
 * [--out FILE]`. FILE gets a line of JSON for each run, and the next time only what is lacking there is measured.
 * Measure alone.
 *
 * @import { Session } from '../runner/process/index.js'
 *
 * @typedef {string} Said `faster`, `slower`, `no difference`, or of ours another
 * @typedef {{ seconds: number, before: ReturnType<typeof writeSide>, after: ReturnType<typeof writeSide> }} Pair
 */

const { values } = parseArgs({
  options: {
    slower: { type: 'string', default: '0,5,10,20' },
    runs: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '60' },
    neighbours: { type: 'string', default: 'none' },
    out: { type: 'string' }
  }
})
const file = openRuns(values.out)
const [runs, seconds] = [Number(values.runs), Number(values.seconds)]
const slower = values.slower.split(',').map(Number)
const neighbours = values.neighbours.split(',')
if (![runs, seconds].every((value) => value > 0) || !slower.every((share) => share >= 0) ||
  !neighbours.every((name) => neighbourNames.includes(name))) {
  console.error(`--slower, --runs and --seconds take numbers; --neighbours ${neighbourNames.join(', ')}.`)
  process.exit(3)
}
const load = loadOfPaths(['/hello'])
const connections = 16
const threshold = 0.25
const roundsOfNoise = 5
const signal = new AbortController().signal

/** @type {Record<string, (pair: Pair) => Promise<Said>>} */
const ways = {
  'this workshop': compareHere,
  'two single runs, threshold 25 %': compareSingleRuns,
  'base against base as the noise': compareWithNoise
}

const { dir: scratch, remove } = await makeTemporary()
console.log(`${aboutRun()}, ${runs} runs a row, ${seconds} s of measuring each\n`)
console.log(`| beside | AFTER is | ${Object.keys(ways).join(' | ')} |`)
console.log(`|${'---|'.repeat(2 + Object.keys(ways).length)}`)
const before = writeSide(scratch, 'before', 1)
for (const neighbour of neighbours) {
  const program = await startNeighbour(neighbour)
  try {
    for (const share of slower) await row(neighbour, share)
  } finally {
    await program.stop()
  }
}
await remove()

/** @param {string} neighbour @param {number} share in per cent */
async function row (neighbour, share) {
  const after = writeSide(scratch, `slower-${share}`, 1 / (1 + share / 100))
  const cells = []
  for (const [name, way] of Object.entries(ways)) {
    /** @type {Map<Said, number>} */
    const counts = new Map()
    const all = await file.gather({ way: name, neighbour, share, seconds }, runs, () => way({ before, after, seconds }))
    for (const said of all) counts.set(said, (counts.get(said) ?? 0) + 1)
    cells.push([...counts].map(([said, count]) => `${said} ${count}`).join(', '))
  }
  console.log(`| ${neighbour} | ${share === 0 ? 'identical' : `${share} % slower`} | ${cells.join(' | ')} |`)
}

/** @param {Pair} pair @returns {Promise<Said>} */
async function compareHere ({ before, after, seconds }) {
  const record = await compareServers({
    sides: [before, after], load, gates: ['rate'], target: null, seconds, seed: newSeed(), signal
  })
  return record.comparison?.says ?? 'error'
}

/** As many workflows do: one after the other, once each. @param {Pair} pair @returns {Promise<Said>} */
function compareSingleRuns ({ before, after, seconds }) {
  return inSession(async (start) => {
    const rates = []
    for (const side of [before, after]) {
      const server = await start(side)
      rates.push(await server.rate(seconds / 2))
      await server.stop()
    }
    return sayOf(rates[1] / rates[0], threshold)
  })
}

/**
 * As node-postgres does (docs/compare.md): two processes of each, in rounds; what moves further than two processes of
 * the same code, in every round, is a difference.
 *
 * @param {Pair} pair
 * @returns {Promise<Said>}
 */
function compareWithNoise ({ before, after, seconds }) {
  return inSession(async (start) => {
    const servers = await Promise.all([before, before, after, after].map(start))
    const random = createRandom(newSeed())
    const rounds = []
    for (let round = 0; round < roundsOfNoise; round++) {
      const rates = [0, 0, 0, 0]
      for (const i of random.shuffle([0, 1, 2, 3])) rates[i] = await servers[i].rate(seconds / roundsOfNoise / 4)
      rounds.push(rates)
    }
    const noise = Math.max(...rounds.flatMap(([a, b, c, d]) => [a / b, b / a, c / d, d / c])) - 1
    const said = new Set(rounds.map(([a, b, c, d]) => sayOf((c + d) / (a + b), noise)))
    return said.size === 1 ? [...said][0] : 'no difference'
  })
}

/** @param {number} ratio @param {number} margin a share @returns {Said} */
function sayOf (ratio, margin) {
  if (ratio < 1 - margin) return 'slower'
  return ratio > 1 + margin ? 'faster' : 'no difference'
}

/**
 * @template T
 * @param {(start: (side: Pair['before']) => ReturnType<typeof startSide>) => Promise<T>} use
 */
function inSession (use) {
  return withSession(selfTestEntry(), { seed: newSeed(), signal }, (session) =>
    use((side) => startSide(session, side)))
}

/** @param {Session} session @param {Pair['before']} side */
async function startSide (session, side) {
  const { server, failure } = await session.start('yours', { dir: side.dir(), shownDir: side.name })
  if (failure !== null) throw new Error(failure)
  return { stop: () => session.stop(server), rate: (/** @type {number} */ seconds) => rateOf(server.port, seconds) }
}

/** @param {number} port @param {number} seconds @returns {Promise<number>} answers a second */
async function rateOf (port, seconds) {
  const startedAt = performance.now()
  let answers = 0
  const { broken } = await runClosedLoop({
    port,
    connections,
    next: () => ({ path: load.requests[0].path, check: () => undefined }),
    onAnswer: () => {
      answers++
      return performance.now() - startedAt < seconds * 1000
    }
  })
  if (broken) throw new Error(broken.message)
  return answers / (performance.now() - startedAt) * 1000
}
