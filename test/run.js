import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { runJob } from './run-job.js'
import { ofShard } from './shard.js'

/**
 * `node test/run.js [part of a path …]` runs the files of tests that need no load and no clock, as many at once as
 * there are cores (`npm test`). With `--load` it runs those that do (`*.load.test.js`), one after the other, then every
 * submission in full and the engine on other versions of Node.js (`npm run test:load`). A part of a name chooses among
 * these, too: `red-team`, `submissions`, `node-22`. `--shard 1/4` is a quarter of that, and `--only TEXT` the cases
 * with that in their title.
 *
 * Prints each file's CPU seconds with those of the processes that it waited for, and with `--table` all of them again,
 * the most costly first. Ends with 1 when something failed, and with 3 when there is no such test.
 *
 * @import { Job, JobResult } from './run-job.js'
 */

const here = path.dirname(fileURLToPath(import.meta.url))
const root = path.dirname(here)
const { values: { load, table, shard, only }, positionals: wanted } = parseArgs({
  allowPositionals: true,
  options: {
    load: { type: 'boolean', default: false },
    table: { type: 'boolean', default: false },
    shard: { type: 'string', default: '1/1' },
    only: { type: 'string' }
  }
})
const flags = [`--shard=${shard}`, ...only === undefined ? [] : [`--only=${only}`]]

const jobs = load ? loadJobs() : testFiles().map((file) => fileJob(file))
const { length: count } = jobs
if (jobs.length === 0) {
  console.error(`No ${load ? 'part of test:load' : 'test file'} has ${wanted.join(' or ')} in its name.`)
  process.exit(3)
}
// An author's own lessons are tried by name only (`submissions`): everything else is about the workshop's.
if (wanted.length === 0) delete process.env.MAKE_IT_FAST_LESSONS

const startedAt = Date.now()
const total = { passed: 0, failed: 0, skipped: 0 }
/** @type {string[]} */
const failures = []
/** @type {[name: string, cpuSeconds: number, seconds: number][]} */
const costs = []
// What's measured has no neighbours.
const lanes = load ? 1 : Math.min(4, os.availableParallelism())
await Promise.all(Array.from({ length: lanes }, async () => {
  for (let job = jobs.shift(); job; job = jobs.shift()) report(job, await runJob(job, show))
}))
if (table) {
  console.log('\nCPU s  seconds  file')
  costs.sort(([, a], [, b]) => b - a)
  for (const [name, cpu, seconds] of costs) console.log(`${column(cpu, 5)}  ${column(seconds, 7)}  ${name}`)
}
if (failures.length > 0) console.log(`\nFailed:\n${failures.join('\n')}`)
const cpuSeconds = costs.reduce((sum, [, cpu]) => sum + cpu, 0)
console.log(
  `\n${total.passed} tests passed, ${total.skipped} skipped, ${total.failed} failed; ${failures.length} of ` +
    `${count} files failed. It took ${Math.round((Date.now() - startedAt) / 1000)} s and ` +
    `${Math.round(cpuSeconds)} CPU seconds.`
)
process.exitCode = failures.length > 0 ? 1 : 0

/** @returns {string[]} relative to this folder, with slashes; those that take longest first, as far as size tells */
function testFiles () {
  const isWanted = (/** @type {string} */ file) => matches(`test/${file}`)
  const sizeOf = (/** @type {string} */ file) =>
    file === 'submissions/answers.test.js' ? Infinity : fs.statSync(path.join(here, file)).size
  return fs
    .readdirSync(here, { recursive: true, encoding: 'utf8' })
    .map((file) => file.split(path.sep).join('/'))
    .filter((file) => file.endsWith('.test.js') && file.endsWith('.load.test.js') === load && isWanted(file))
    .sort()
    .sort((a, b) => sizeOf(b) - sizeOf(a))
}

/** Files that choose among their cases get the shard themselves; the others are dealt out. @returns {Job[]} */
function loadJobs () {
  const hasCases = (/** @type {string} */ file) => fs.readFileSync(path.join(here, file), 'utf8').includes("/shard.js'")
  const files = testFiles()
  const others = [
    ...files.filter((file) => !hasCases(file)).map((file) => fileJob(file)),
    ...['node-22', 'node-24', 'node-26'].filter(matches).map(onNode)
  ]
  const submissions = { name: 'submissions', args: ['test/submissions/main.js', ...flags], cwd: root, hasTests: false }
  return [
    ...only === undefined ? ofShard(others, shard) : [],
    ...files.filter(hasCases).map((file) => fileJob(file, flags)),
    ...[submissions].filter(({ name }) => matches(name))
  ]
}

/** @param {string} name */
function matches (name) {
  const parts = wanted.map((part) => part.split(path.sep).join('/'))
  return parts.length === 0 || parts.some((part) => name.includes(part))
}

/** @param {string} file @param {string[]} [args] @returns {Job} */
function fileJob (file, args = []) {
  return { name: `test/${file}`, args: [path.join(here, file), ...args], cwd: root, hasTests: true }
}

/** `npm test` on another version, which npm brings. @param {string} name `node-22` @returns {Job} */
function onNode (name) {
  const version = name.replace('-', '@')
  const npm = process.env.npm_execpath ?? path.join(path.dirname(process.execPath), 'npm')
  const args = [npm, 'exec', '--yes', `--package=${version}`, '--', 'node', 'test/run.js']
  return { name, args, cwd: root, hasTests: false }
}

/** What runs alone for an hour shows how far it is. @param {string} text */
function show (text) {
  if (load) process.stdout.write(text)
}

/** @param {Job} job @param {JobResult} result */
function report ({ name }, { output, code, tests, left, seconds, cpuSeconds }) {
  const counts = { passed: 0, failed: 0, skipped: 0 }
  for (const { outcome } of tests) {
    counts[outcome]++
    total[outcome]++
  }
  costs.push([name, cpuSeconds, seconds])
  const isFine = code === 0 && left.length === 0
  const shown = Object.entries(counts).map(([outcome, count]) => count > 0 ? `${count} ${outcome}, ` : '').join('')
  console.log(`${isFine ? '✔' : '✖'} ${name}: ${shown}${cpuSeconds.toFixed(1)} CPU s, ${seconds.toFixed(1)} s`)
  if (isFine) return
  if (code !== 0 && !load) console.log(output.trimEnd().replace(/^/gm, '    '))
  if (left.length > 0) console.log(`    It left something behind:\n${left.map((what) => `    ${what}`).join('\n')}`)
  const failed = tests.filter(({ outcome }) => outcome === 'failed')
  failures.push([name, ...failed.map(({ name }) => `  ${name}`)].join('\n'))
}

/** @param {number} number @param {number} width */
function column (number, width) {
  return number.toFixed(1).padStart(width)
}
