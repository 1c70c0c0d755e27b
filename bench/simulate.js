import { parseArgs } from 'node:util'
import { plan } from '../runner/judge/gate.js'
import { judgeGate, kindOf } from '../runner/judge/index.js'
import { median, quantile } from '../runner/judge/statistics.js'
import { createRandom } from '../runner/shared/random.js'
import { recordedModels, syntheticModels } from './noise.js'

/** @import { Gate } from '../runner/lesson/index.js' */

/**
 * The judge's own plan on synthetic rounds, thousands of times: how often does it pass a fix that is only at the
 * target, how often does it miss one that is better, and after how many rounds? `npm run measure simulate -- [--runs
 * 2000] [--spread 0.25] [--recorded file] [--gate rate] [--plan '{"tail":0.002}']`: with rounds that bench:verdicts
 * recorded, for another kind of gate, with another plan than the judge's, and with another usual spread of such gates
 * (`--usual 0.3`). Nothing is measured, so it may run while something else does.
 *
 * Of the kinds of gates, `rate` represents all that depend on the speed of a process, `calls` and `accepted` for those
 * that do not, `alike` for twins, where the target is how far two equal figures may typically lie apart.
 */

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '2000' },
    spread: { type: 'string', default: '0.25' },
    seed: { type: 'string', default: 'simulate' },
    recorded: { type: 'string' },
    gate: { type: 'string', default: 'rate' },
    plan: { type: 'string', default: '{}' },
    usual: { type: 'string' }
  }
})
const runs = Number(values.runs)
const spread = Number(values.spread)
const kind = /** @type {Gate['kind']} */ (values.gate)
const twins = kind === 'alike'
const target = twins ? 1.25 : 4
const random = createRandom(values.seed)

Object.assign(plan, JSON.parse(values.plan))
if (values.usual) kindOf(kind).spread = Number(values.usual)
const models = {
  ...syntheticModels(random, spread),
  ...(values.recorded ? recordedModels(random, values.recorded) : {})
}
// Where less is better, better is below the target. Of twins it is the scatter that is so many times the target's.
const factors = {
  rate: [1 / 1.5, 1, 1.2, 1.5, 2, 4],
  accepted: [1 / 1.5, 1, 1.2, 1.5, 2, 4],
  calls: [1.5, 1, 1 / 1.2, 1 / 1.5, 1 / 2, 1 / 4],
  alike: [1.5, 1, 1 / 1.2, 1 / 1.5, 1 / 2, 1 / 4]
}[/** @type {string} */ (kind)]
if (!factors) {
  console.error('--gate rate, accepted, calls or alike.')
  process.exit(3)
}

console.log(
  `${runs} checks for each cell; standard deviation of a round ${spread} in the log ratio; looks after ` +
    `${plan.interimAnalyses.join(', ')} rounds\n`
)
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
    const { verdict, rounds: used } = oneCheck(model(), factor)
    counts[/** @type {keyof typeof counts} */ (verdict)]++
    rounds.push(used)
  }
  const percent = (/** @type {number} */ count) => Number((100 * count / runs).toFixed(2))
  return `${percent(counts.pass)} / ${percent(counts.fail)}, ${Math.round(median(rounds))} … ` +
    `${Math.round(quantile(rounds, 0.9))}`
}

/** @param {() => number} noise @param {number} factor */
function oneCheck (noise, factor) {
  const gate = { name: 'gate', kind, load: 'load', target, look: '' }
  // The noise has the requested spread; twins are judged by theirs.
  const logOf = () => twins ? noise() / spread * Math.log(target) * factor : Math.log(target * factor) + noise()
  const observations = []
  for (;;) {
    observations.push({ baseline: 100, yours: 100 * Math.exp(logOf()), seconds: 0.5 })
    if (!plan.interimAnalyses.includes(observations.length)) continue
    const result = judgeGate(gate, { cores: 2 }, observations)
    const isLast = observations.length >= Math.max(...plan.interimAnalyses)
    if (result.verdict !== 'inconclusive' || isLast) return result
  }
}
