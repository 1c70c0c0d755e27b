import { parseArgs } from 'node:util'
import { createRandom } from '../runner/catalogue/index.js'
import { judgeGate } from '../runner/judge/index.js'
import { mostRounds, plan } from '../runner/judge/plan.js'
import { median, quantile } from '../runner/judge/statistics.js'

/**
 * The judge's own plan on synthetic rounds, thousands of times: how often does it pass a fix that is only at the target,
 * how often does it miss one that is better, and after how many rounds? `npm run bench:simulate -- [--runs 2000]`.
 * Nothing is measured, so it may run beside other work.
 */

const { values } = parseArgs({ options: { runs: { type: 'string', default: '2000' }, spread: { type: 'string', default: '0.25' }, seed: { type: 'string', default: 'simulate' } } })
const runs = Number(values.runs)
const spread = Number(values.spread)
const target = 4
const random = createRandom(values.seed)

/** Box and Muller. */
const normal = () => Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next())

/** Noise on the log ratio of a round; `spread` is about its standard deviation. @type {Record<string, () => () => number>} */
const models = {
  Gaussian: () => () => spread * normal(),
  'heavy tails (15 % of the rounds 6 times as noisy)': () => () => (random.next() < 0.85 ? 0.6 : 3.5) * spread * normal(),
  'Student’s t with 2 degrees of freedom': () => () => 0.7 * spread * normal() / Math.sqrt((normal() ** 2 + normal() ** 2) / 2),
  'bursts that slow yours down': () => () => 0.6 * spread * normal() - (random.next() < 0.15 ? random.next() * 4 * spread : 0),
  'bursts that slow the baseline down': () => () => 0.6 * spread * normal() + (random.next() < 0.15 ? random.next() * 4 * spread : 0),
  'autocorrelated (0.3)': () => {
    let previous = spread * normal()
    return () => (previous = 0.3 * previous + Math.sqrt(1 - 0.09) * spread * normal())
  },
  drifting: () => {
    const slope = (random.next() - 0.5) * 0.06 * spread
    let round = 0
    return () => slope * round++ + spread * normal()
  }
}
const factors = [1 / 1.5, 1, 1.2, 1.5, 2, 4]

console.log(`${runs} checks for each cell; standard deviation of a round ${spread} in the log ratio; looks after ${plan.looks.join(', ')} rounds\n`)
console.log(`| noise | ${factors.map((factor) => `${Number(factor.toFixed(2))} × target`).join(' | ')} |`)
console.log(`|---|${factors.map(() => '---').join('|')}|`)
for (const [name, model] of Object.entries(models)) {
  console.log(`| ${name} | ${factors.map((factor) => cell(model, factor)).join(' | ')} |`)
}
console.log('\nEach cell: passed % / failed %, rounds at the median and at the 90th percentile.')

/** @param {() => () => number} model @param {number} factor */
function cell (model, factor) {
  const counts = { pass: 0, fail: 0, inconclusive: 0 }
  const rounds = []
  for (let i = 0; i < runs; i++) {
    const { verdict, rounds: used } = oneCheck(model(), target * factor)
    counts[/** @type {keyof typeof counts} */ (verdict)]++
    rounds.push(used)
  }
  const percent = (/** @type {number} */ count) => Number((100 * count / runs).toFixed(2))
  return `${percent(counts.pass)} / ${percent(counts.fail)}, ${Math.round(median(rounds))} … ${Math.round(quantile(rounds, 0.9))}`
}

/** @param {() => number} noise @param {number} ratio */
function oneCheck (noise, ratio) {
  const gate = /** @type {const} */ ({ name: 'gate', kind: 'rate', load: 'load', target, look: '' })
  const observations = []
  for (;;) {
    observations.push({ baseline: 100, yours: 100 * ratio * Math.exp(noise()), seconds: 0.5 })
    if (!plan.looks.includes(observations.length)) continue
    const result = judgeGate(gate, { cores: 2 }, observations)
    if (result.verdict !== 'inconclusive' || observations.length >= mostRounds) return result
  }
}
