import fs from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { runCheck } from '../runner/check/index.js'
import { median } from '../runner/judge/index.js'
import { makeTemporary } from '../runner/process/index.js'
import { launchIn, probeSandbox, removeGroups } from '../classroom/regrade/index.js'
import { aboutRun } from './about.js'
import { neighbourNames, startNeighbour } from './neighbours/index.js'
import { calibratedEntry, writeCalibrated } from './tools/calibrated/pair.js'

/**
 * How often is a verdict wrong? Whole checks of two servers whose true ratio is set, quiet and while other programs
 * run:
 * `npm run measure verdicts -- [--runs 10] [--ratios identical,1,1.5] [--neighbours none,…] [--gate rate] [--record
 * file]`. Ratios are multiples of the target; `identical` is the same server twice. Measure alone: the neighbours are
 * enough.
 * `--record` adds each check's rounds to a file of JSON lines, which `npm run measure simulate -- --recorded file`
 * reads. `--sandbox` starts the servers as `npm run grade` does (`npm run measure sandbox` compares).
 */

/** As in most lessons. */
const target = 2
const allRatios = ['identical', '1/1.5', '1/1.2', '1', '1.2', '1.5', '2', '5']
const gates = {
  rate: { name: 'work', kind: /** @type {const} */ ('rate'), load: 'work', target, look: '' },
  latency: {
    name: 'healthz beside work',
    kind: /** @type {const} */ ('latency'),
    load: 'work',
    percentile: 99,
    target,
    look: ''
  }
}

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '10' },
    ratios: { type: 'string', default: allRatios.join() },
    neighbours: { type: 'string', default: neighbourNames.join() },
    gate: { type: 'string', default: 'rate' },
    record: { type: 'string' },
    sandbox: { type: 'boolean' }
  }
})
const runs = Number(values.runs)
const gate = gates[/** @type {keyof typeof gates} */ (values.gate)]
const ratios = values.ratios.split(',')
const neighbours = values.neighbours.split(',')
const unknown = [
  ...neighbours.filter((name) => !neighbourNames.includes(name)),
  ...ratios.filter((name) => !(factorOf(name) > 0))
]
if (!gate || !(runs > 0) || unknown.length > 0) {
  console.error(
    `Unknown: ${unknown.join(', ') || values.gate}. --gate ${Object.keys(gates).join(' or ')}; --neighbours ` +
      `${neighbourNames.join(', ')}; --ratios identical or numbers.`
  )
  process.exit(3)
}

const { dir: scratch, remove } = await makeTemporary()
const overhead = await measureOverhead()
const entry = calibratedEntry({ gates: [gate], overhead })
const run = path.basename(scratch)
const sandbox = values.sandbox ? await probeSandbox() : undefined
const launch = sandbox && launchIn(sandbox, run, { baseline: scratch, yours: scratch })
let wrong = 0

console.log(
  `${aboutRun()}, gate ${values.gate}, target ${target}×, ${runs} checks a row; HTTP itself costs ` +
    `${(100 * overhead).toFixed(1)} % of an answer\n`
)
console.log(
  '| beside | true ratio | pass | fail | inconclusive | error | wrong | seconds: median, worst | rounds: median, ' +
    'worst | measured: median, extremes |'
)
console.log('|---|---|---|---|---|---|---|---|---|---|')
for (const neighbour of neighbours) {
  const program = await startNeighbour(neighbour)
  try {
    for (const name of ratios) await row(neighbour, name)
  } finally {
    await program.stop()
  }
}
console.log(wrong === 0 ? '\nNo verdict was wrong.' : `\n${wrong} verdicts were wrong.`)
process.exitCode = wrong === 0 ? 0 : 1
await remove()

/** @param {string} neighbour @param {string} name */
async function row (neighbour, name) {
  const ratio = target * factorOf(name)
  const dir = writeCalibrated(path.join(scratch, encodeURIComponent(name)), ratio)
  const counts = { pass: 0, fail: 0, inconclusive: 0, error: 0 }
  let wrongHere = 0
  const seconds = []
  const rounds = []
  const measured = []
  for (let i = 0; i < runs; i++) {
    const checked = await runCheck({ entry, dir, sampleInside: !sandbox, launch }).catch((error) => {
      // One check that breaks doesn't end the hours of the others.
      console.error(`${neighbour}, ${name}: ${error.stack}`)
      return null
    })
    const record = checked?.record ?? null
    if (sandbox) await removeGroups(sandbox.hierarchies, run)
    counts[record?.verdict ?? 'error']++
    if (record === null) {
      wrongHere++
      continue
    }
    // At the target itself a fail is no mistake: the truth is not above it.
    if (
      (record.verdict === 'pass' && ratio <= target) ||
      (record.verdict === 'fail' && ratio > target) ||
      record.verdict === 'error'
    ) {
      wrongHere++
      console.error(`${neighbour}, ${name}: ${record.verdict}, seed ${record.seed}: ${record.reason}`)
    }
    seconds.push(record.durationMs / 1000)
    rounds.push(record.rounds.length)
    if (record.gates[0]?.ratio) measured.push(record.gates[0].ratio)
    if (values.record) {
      const seen = record.rounds.map(({ baseline, yours, disturbed }) => {
        return [Math.log(yours / baseline), disturbed === null ? 0 : 1]
      })
      const { verdict, durationMs } = record
      const line = { gate: values.gate, neighbour, ratio, verdict, seconds: durationMs / 1000, rounds: seen }
      fs.appendFileSync(values.record, `${JSON.stringify(line)}\n`)
    }
  }
  wrong += wrongHere
  const two = (/** @type {number[]} */ list, digits = 1) =>
    list.length > 0 ? `${median(list).toFixed(digits)}, ${Math.max(...list).toFixed(digits)}` : '–'
  const spread =
    measured.length > 0
      ? `${median(measured).toFixed(2)} (${Math.min(...measured).toFixed(2)} to ${Math.max(...measured).toFixed(2)})`
      : '–'
  console.log(
    `| ${neighbour} | ${Number(ratio.toFixed(2))}× (${label(name)}) | ${counts.pass} | ${counts.fail} | ` +
      `${counts.inconclusive} | ${counts.error} | ${wrongHere} | ${two(seconds)} | ${two(rounds, 0)} | ${spread} |`
  )
}

/** @param {string} name */
function factorOf (name) {
  if (name === 'identical') return 1 / target
  const [over, under = '1'] = name.split('/')
  return Number(over) / Number(under)
}

/** @param {string} name */
function label (name) {
  if (name === 'identical') return name
  if (name === '1') return 'the target'
  return name.startsWith('1/') ? `target / ${name.slice(2)}` : `${name} × target`
}

/**
 * What an answer costs without its work, as a share of the slower server's work: with W work and H overhead, a server
 * with W/8 of the work measures R = (W + H) / (W/8 + H), so H/W = (1 − R/8) / (R − 1).
 */
async function measureOverhead () {
  const eighth = 8
  const { record: { verdict, reason, rounds } } = await runCheck({
    // A target that no number of rounds can decide: they go on until the time is up.
    entry: calibratedEntry({ gates: [{ ...gates.rate, target: eighth * 1.000001 }] }),
    dir: writeCalibrated(path.join(scratch, 'eighth'), eighth),
    budgetMs: 8000,
    sampleInside: false
  })
  if (verdict === 'error' || rounds.length === 0) throw new Error(reason)
  const measured = median(rounds.map(({ baseline, yours }) => yours / baseline))
  return Math.max(0, (1 - measured / eighth) / (measured - 1))
}
