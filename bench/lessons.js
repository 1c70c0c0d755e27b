import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { runCheck } from '../runner/check/index.js'
import { marginOf } from '../classroom/commands/rehearse.js'
import { targetOf } from '../runner/judge/index.js'
import { median } from '../runner/judge/statistics.js'
import { findLessons, loadLesson, resolveLesson, startingPointOf } from '../runner/lesson/index.js'
import { judgedOn, makeTemporary } from '../runner/process/index.js'
import { writeFileAtomic } from '../runner/workspace/index.js'

/**
 * Every lesson's reference solution and slow server against the slow server, several times: verdicts, times and the
 * margin between reference and target. `npm run measure lessons -- [--runs 5] [--write] [lesson …]`. Measure alone.
 *
 * @import { ResultRecord } from '../runner/judge/record.js'
 * @import { Gate } from '../runner/lesson/index.js'
 * @import { LoadedLesson } from '../runner/lesson/load.js'
 */

/** A reference that is not this much above its target leaves a learner's honest fix no room. */
const leastMargin = 1.4

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { runs: { type: 'string', default: '5' }, write: { type: 'boolean' } }
})
const runs = Number(values.runs)
const found =
  positionals.length > 0 ? await Promise.all(positionals.map((name) => resolveLesson(name))) : await findLessons()
const cores = os.availableParallelism()
let bad = 0
const { dir: scratch, remove } = await makeTemporary()

console.log(
  `${os.cpus()[0].model.trim()}, ${cores} cores, ${process.platform}, Node.js ${process.version}, ` +
    `${new Date().toISOString().slice(0, 10)}, ${runs} runs each\n`
)
console.log(
  '| lesson | gate | target | reference (median, interval of the median run) | margin | verdicts: reference / slow | ' +
    'seconds: median, worst |'
)
console.log('|---|---|---|---|---|---|---|')
for (const entry of await Promise.all(found.map(loadLesson))) {
  const reference = await repeat(entry, entry.solutionDir)
  const slow = await repeat(entry, touchedCopy(entry))
  const seconds = reference.map(({ durationMs }) => durationMs / 1000)
  const verdicts = `${tally(reference)} / ${tally(slow)}`
  if (reference.some(({ verdict }) => verdict === 'fail' || verdict === 'error')) bad++
  if (slow.some(({ verdict }) => verdict === 'pass' || verdict === 'error')) bad++
  const rows = entry.lesson.gates.flatMap((gate) => rowsOf(gate, reference))
  for (const [i, row] of rows.entries()) {
    if (row.margin !== null && row.margin < leastMargin) bad++
    console.log(
      `| ${i === 0 ? `${entry.number} ${entry.lesson.title}` : ''} | ${row.text} | ${i === 0 ? verdicts : ''} | ` +
        `${i === 0 ? `${median(seconds).toFixed(1)}, ${Math.max(...seconds).toFixed(1)}` : ''} |`
    )
  }
  if (values.write) await writeInto(path.join(entry.solutionDir, 'README.md'), entry, rows)
}
console.log(
  bad === 0
    ? '\nNo reference failed, no slow server passed, no margin under 1.4.'
    : `\n${bad} of these are not as they should be.`
)
await remove()
process.exitCode = bad === 0 ? 0 : 1

/** @param {LoadedLesson} entry @param {string} dir */
async function repeat (entry, dir) {
  const records = []
  const expected = dir === entry.solutionDir ? 'pass' : 'fail'
  for (let i = 0; i < runs; i++) {
    const { record } = await runCheck({ entry, dir })
    records.push(record)
    if (record.verdict !== expected) {
      console.error(`lesson ${entry.number}, ${dir}: ${record.verdict}, seed ${record.seed}: ${record.reason}`)
    }
  }
  return records
}

/** The slow server itself needs no measurement; this one has a comment more. @param {LoadedLesson} entry */
function touchedCopy (entry) {
  const dir = path.join(scratch, entry.folder)
  fs.cpSync(startingPointOf(entry), dir, { recursive: true })
  fs.appendFileSync(path.join(dir, entry.file), '// touched\n')
  return dir
}

/** @param {Gate} gate @param {ResultRecord[]} records */
function rowsOf (gate, records) {
  if (!gate.tiers) return [rowOf(gate, targetOf(gate, judgedOn()), records)]
  return Object.entries(gate.tiers).map(([tier, target]) => rowOf(gate, target, records, `${gate.name}, ${tier}`))
}

/**
 * @param {Gate} gate
 * @param {number | undefined} target
 * @param {ResultRecord[]} records
 * @param {string} [name]
 */
function rowOf (gate, target, records, name = gate.name) {
  if (target === undefined) return { margin: null, text: `${name} | dropped | – | –`, gate, target, typical: undefined }
  const results = records
    .map(({ gates }) => gates.find(({ name }) => name === gate.name))
    .filter((result) => result && result.ratio !== null)
  const sorted = results.sort((a, b) => /** @type {any} */ (a).ratio - /** @type {any} */ (b).ratio)
  const typical = sorted[Math.floor((sorted.length - 1) / 2)]
  if (!typical?.ratio) {
    return { margin: null, text: `${name} | ${round(target)} | not measured | –`, gate, target, typical: undefined }
  }
  const margin = marginOf(typical, target)
  const unit = typical.ratioUnit === '×' ? '' : typical.ratioUnit
  const interval = typical.interval ? ` (${round(typical.interval[0])} to ${round(typical.interval[1])})` : ''
  return {
    margin,
    text: `${name} | ${typical.direction} ${round(target)}${unit} | ${round(typical.ratio)}${unit}${interval} | ` +
      `${round(margin)}`,
    gate,
    target,
    typical
  }
}

/** @param {ResultRecord[]} records */
function tally (records) {
  const counts = new Map()
  for (const { verdict } of records) counts.set(verdict, (counts.get(verdict) ?? 0) + 1)
  return [...counts].map(([verdict, count]) => `${count} ${verdict}`).join(', ')
}

/**
 * Puts the measured figures between the marks in a solution's write-up.
 *
 * @param {string} file
 * @param {LoadedLesson} entry
 * @param {ReturnType<typeof rowOf>[]} rows
 */
async function writeInto (file, entry, rows) {
  const text = fs.readFileSync(file, 'utf8')
  const figure = (/** @type {number | null | undefined} */ value, /** @type {string | undefined} */ unit) =>
    value === null || value === undefined ? '–' : `${round(value)} ${unit}`
  const lines = new Set(
    rows
      .filter(({ typical }) => typical)
      .map(
        ({ gate, typical }) =>
          `| ${gate.name} | ${figure(typical?.baseline, typical?.unit)} | ${figure(typical?.yours, typical?.unit)} | ` +
            // What is judged for one server alone is no comparison.
            (typical?.ratioUnit === '×' && gate.kind !== 'degradation' ? `${round(typical.ratio ?? NaN)}× |` : '– |')
      )
  )
  const today = new Date().toISOString().slice(0, 10)
  const machine = `${os.cpus()[0].model.trim()}, ${cores} shared cores, Node.js ${process.version}, ${today}`
  const again = `npm run measure lessons -- ${entry.number} --write`
  const times = runs === 1 ? 'one\ncheck' : `the median\nof ${runs} checks`
  const block = `<!-- measured -->
| gate | ${entry.lesson.check !== undefined ? 'one server | the other' : 'slow server | this solution'} | ratio |
|---|---|---|---|
${[...lines].join('\n')}

Measured by the project: ${machine}, ${times}. \`${again}\` measures it on your machine.
<!-- /measured -->`
  if (!/<!-- measured -->[^]*<!-- \/measured -->/.test(text)) {
    throw new Error(`${file} has no place for measured figures`)
  }
  await writeFileAtomic(file, text.replace(/<!-- measured -->[^]*<!-- \/measured -->/, block))
}

/** @param {number} value */
function round (value) {
  return value >= 100 ? String(Math.round(value)) : String(Number(value.toPrecision(3)))
}
