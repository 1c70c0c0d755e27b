import { parseArgs } from 'node:util'
import { answerOf, createComparisonStandings, gatesOf } from '../compare/index.js'
import { median } from '../runner/judge/index.js'
import { createRandom } from '../runner/shared/random.js'
import { syntheticModels } from './noise.js'

/**
 * Comparisons without a target on synthetic rounds, thousands of times: how often is a difference seen where there is
 * none, how small a one is seen, and after how many pairs of servers? `npm run measure compare-simulate -- [--runs
 * 1000] [--spread 0.1] [--luck 0.03] [--pairs 20]`. Each server that is started has its own luck. Nothing is measured.
 *
 * @import { Round } from '../runner/judge/index.js'
 */

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '1000' },
    spread: { type: 'string', default: '0.1' },
    luck: { type: 'string', default: '0.03' },
    pairs: { type: 'string', default: '20' },
    seed: { type: 'string', default: 'simulate' }
  }
})
const [runs, spread, luck, mostPairs] = [values.runs, values.spread, values.luck, values.pairs].map(Number)
const random = createRandom(values.seed)
/** Those whose mean is the true ratio: what slows one server down alone is told by the machine's accounts. */
const models = Object.entries(syntheticModels(random, spread)).filter(([name]) => !/bursts|drifting|luck/.test(name))
const lucky = syntheticModels(random, luck * Math.SQRT2).Gaussian
const ratios = [1, 1.05, 1.1, 1.2, 1.5]
const how = { target: null, precision: 0.05, cyclesPerPair: 4 }
const conditions = { steal: 0, foreign: 0, busy: 0, waiting: 0, idleServer: 0 }
const answers = /** @type {const} */ (['above', 'same', 'below', 'unknown'])

console.log(`${runs} comparisons for each cell, of at most ${mostPairs} pairs; standard deviation of a round ` +
  `${spread}, of a server’s luck ${luck}, in the log ratio\n`)
console.log(`| noise | ${ratios.map((ratio) => `${ratio}×`).join(' | ')} |`)
console.log(`|---|${ratios.map(() => '---').join('|')}|`)
for (const [name, model] of models) {
  console.log(`| ${name} | ${ratios.map((ratio) => cell(model, ratio)).join(' | ')} |`)
}
console.log('\nEach cell: faster / no difference / slower / inconclusive in %, and pairs at the median.')

/** @param {() => () => number} model @param {number} ratio */
function cell (model, ratio) {
  const seen = Array.from({ length: runs }, () => compareOnce(model(), lucky(), ratio))
  const shares = answers.map((one) => seen.filter(({ answer }) => answer === one).length / runs)
  const percents = shares.map((share) => Number((100 * share).toFixed(2)))
  return `${percents.join(' / ')}, ${median(seen.map(({ pairs }) => pairs))}`
}

/** @param {() => number} noise @param {() => number} luckOfPair @param {number} ratio */
function compareOnce (noise, luckOfPair, ratio) {
  const { gates } = gatesOf([], how)
  const standings = createComparisonStandings(gates, { cores: 2 }, how)
  /** @type {Round[]} */
  const rounds = []
  let pairs = 0
  while (pairs < mostPairs && (pairs === 0 || standings.isOpen('busy', rounds))) {
    pairs++
    const shift = Math.log(ratio) + luckOfPair()
    for (let cycle = 0; cycle < how.cyclesPerPair; cycle++) rounds.push(roundOf(pairs, Math.exp(shift + noise())))
    standings.judge(rounds)
  }
  const [gate] = standings.judge(rounds, { last: true })
  return { pairs, answer: answerOf(gate, how.precision) }
}

/** @param {number} pair @param {number} yours @returns {Round} */
function roundOf (pair, yours) {
  const slice = (/** @type {number} */ rate) => ({ rate, conditions, busy: 0, littlesLaw: null })
  const result = { load: 'busy', number: pair }
  return /** @type {any} */ ({ result, pair, baseline: slice(1), yours: slice(yours), seconds: 0.5, disturbed: null })
}
