import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { runCheck } from '../runner/check/index.js'
import { median } from '../runner/judge/statistics.js'
import { findLessons, loadLesson, readTimes, resolveLesson, timesFile } from '../runner/lesson/index.js'
import { coreSpeed, cpuLimit, paceOf } from '../runner/process/index.js'
import { workshopRoot } from '../runner/shared/workshop.js'

/**
 * Where the seconds of a check go: each phase, lesson by lesson, at the median of some checks of the reference solution
 * (or of the folders in `--server`). `npm run measure time -- [--runs 3] [--server DIR] [--record FILE] [lesson …]`.
 * `--write` keeps the medians for `npm run doctor`. Measure alone.
 *
 * @import { CheckProgress, ResultRecord } from '../runner/judge/index.js'
 * @import { LoadedLesson } from '../runner/lesson/load.js'
 *
 * @typedef {{ record: ResultRecord, took: Map<string, number>, verdictMs: number }} Timed took: ms by phase
 */

const phases = ['start', 'contract', 'warm-up', 'rounds', 'after', 'inside']

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    runs: { type: 'string', default: '3' },
    server: { type: 'string' },
    record: { type: 'string' },
    write: { type: 'boolean' }
  }
})
const found =
  positionals.length > 0 ? await Promise.all(positionals.map((name) => resolveLesson(name))) : await findLessons()
console.log(`${os.cpus()[0].model.trim()}, ${os.availableParallelism()} cores, Node.js ${process.version}, ` +
  `${new Date().toISOString().slice(0, 10)}, ${values.runs} runs each; seconds\n`)
console.log(`| lesson | verdicts | until the verdict: median, worst | ${phases.join(' | ')} | rounds |`)
console.log(`|---|---|---|${phases.map(() => '---|').join('')}---|`)
/** @type {number[]} */
const all = []
/** @type {number[]} */
const paces = []
/** @type {Record<string, number>} */
const medians = {}
for (const entry of await Promise.all(found.map(loadLesson))) {
  /** @type {Timed[]} */
  const timed = []
  for (let run = 0; run < Number(values.runs); run++) timed.push(await timeOne(entry))
  const verdicts = timed.map(({ verdictMs }) => verdictMs)
  all.push(...verdicts)
  paces.push(paceOf(coreSpeed(), cpuLimit()))
  medians[entry.folder] = Number(seconds(median(verdicts)))
  const cells = phases.map((name) => seconds(median(timed.map(({ took }) => took.get(name) ?? 0))))
  console.log(`| ${entry.number} ${entry.lesson.title} | ${timed.map(({ record }) => record.verdict).join(', ')} | ` +
    `${seconds(median(verdicts))}, ${seconds(Math.max(...verdicts))} | ${cells.join(' | ')} | ` +
    `${median(timed.map(({ record }) => record.rounds.length))} |`)
}
console.log(`\nAll: ${seconds(median(all))} at the median, ${seconds(Math.max(...all))} at worst.`)
if (values.write) {
  const times = { pace: Number(median(paces).toFixed(2)), seconds: { ...readTimes(workshopRoot)?.seconds, ...medians } }
  fs.writeFileSync(timesFile(workshopRoot), `${JSON.stringify(times, null, 2)}\n`)
}

/** @param {LoadedLesson} entry @returns {Promise<Timed>} */
async function timeOne (entry) {
  const dir = values.server === undefined ? entry.solutionDir : path.join(values.server, entry.folder)
  /** @type {Map<string, number>} */
  const took = new Map()
  const startedAt = performance.now()
  let [current, since, verdictMs] = ['start', startedAt, NaN]
  const close = (/** @type {string} */ next) => {
    const now = performance.now()
    took.set(current, (took.get(current) ?? 0) + now - since)
    ;[current, since] = [next, now]
  }
  const { record } = await runCheck({
    entry,
    dir,
    onProgress: (/** @type {CheckProgress} */ event) => {
      if (event.type === 'phase') close(event.phase)
      if (event.type === 'verdict') verdictMs = performance.now() - startedAt
    }
  })
  close('')
  if (values.record) fs.appendFileSync(values.record, `${JSON.stringify(record)}\n`)
  return { record, took, verdictMs: Number.isNaN(verdictMs) ? performance.now() - startedAt : verdictMs }
}

/** @param {number} ms */
function seconds (ms) {
  return (ms / 1000).toFixed(1)
}
