import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { runJob } from './run-job.js'

/**
 * Runs lint, types and the tests, as many files at once as there are cores: `node test/run.js [part of a path …]`. With
 * a part of a path only those tests run. What takes minutes is called `*.long.test.js`, is begun first, and takes a few
 * of its cases (`chosen.js` has the flags for more).
 *
 * `--whole` runs the long files alone, with all of their cases and one after the other; `--engine` leaves them out, for
 * one more version of Node.js. Ends with 1 when something failed, and with 3 when there is no such test.
 *
 * @import { Job, JobResult } from './run-job.js'
 */

const here = path.dirname(fileURLToPath(import.meta.url))
const root = path.dirname(here)
const { values: { engine, whole, ...others }, positionals: wanted } = parseArgs({
  allowPositionals: true,
  options: {
    engine: { type: 'boolean', default: false },
    whole: { type: 'boolean', default: false },
    everywhere: { type: 'boolean', default: false },
    shard: { type: 'string' },
    only: { type: 'string' }
  }
})
const isAll = wanted.length === 0 && !engine && !whole

const jobs = jobsOf(testFiles())
if (jobs.length === 0) {
  console.error(`No test file has ${wanted.join(' or ')} in its path.`)
  process.exit(3)
}
// After the long ones: types take longer than most.
if (isAll) {
  const at = jobs.findIndex(({ name }) => !isLong(name))
  jobs.splice(at, 0, tool('lint', 'eslint/bin/eslint.js', '.'), tool('types', 'typescript/bin/tsc', '--noEmit'))
}
// An author's own lessons are tried by name only (`submissions`): everything else is about the workshop's.
if (wanted.length === 0) delete process.env.MAKE_IT_FAST_LESSONS

const startedAt = Date.now()
const total = { passed: 0, failed: 0, skipped: 0 }
/** @type {string[]} */
const failures = []
/** @type {{ job: Job, failed: string }[]} */
const again = []
// No more than there are cores: a check that is disturbed takes longer, and so costs the others time.
const lanes = whole ? 1 : Math.min(4, os.availableParallelism())
await Promise.all(Array.from({ length: lanes }, async () => {
  for (let job = jobs.shift(); job; job = jobs.shift()) {
    const result = await runJob(job, show)
    const failed = report(job, result)
    if (failed === null) continue
    // A measurement may have had no quiet moment among others. Leaving something behind has no such excuse.
    if (lanes > 1 && result.left.length === 0) again.push({ job, failed })
    else failures.push(failed)
  }
}))
/** @type {string[]} */
const lucky = []
for (const { job, failed } of again) {
  const stillFailed = report({ ...job, name: `${job.name}, once more and alone` }, await runJob(job, show))
  if (stillFailed === null) lucky.push(failed)
  else failures.push(stillFailed)
}
if (lucky.length > 0) {
  console.log(`\nFAILED AT FIRST, and passed only when repeated alone. Find out why:\n${lucky.join('\n')}`)
}
if (failures.length > 0) console.log(`\nFailed:\n${failures.join('\n')}`)
console.log(
  `\n${total.passed} tests passed, ${total.skipped} skipped, ${failures.length} files failed, ` +
    `in ${Math.round((Date.now() - startedAt) / 1000)} s.`
)
process.exitCode = failures.length > 0 ? 1 : 0

/** @returns {string[]} relative to this folder, with slashes; long ones first, then by their size */
function testFiles () {
  const sizeOf = (/** @type {string} */ file) => isLong(file) ? Infinity : fs.statSync(path.join(here, file)).size
  const parts = wanted.map((part) => part.split(path.sep).join('/'))
  return fs
    .readdirSync(here, { recursive: true, encoding: 'utf8' })
    .map((file) => file.split(path.sep).join('/'))
    .filter((file) => file.endsWith('.test.js'))
    .filter((file) => parts.length === 0 || parts.some((part) => `test/${file}`.includes(part)))
    .filter((file) => isLong(file) ? !engine : !whole)
    .sort()
    .sort((a, b) => sizeOf(a) === sizeOf(b) ? 0 : sizeOf(b) - sizeOf(a))
}

/** @param {string} file */
function isLong (file) {
  return file.endsWith('.long.test.js')
}

/** @param {string[]} files @returns {Job[]} */
function jobsOf (files) {
  const flags = Object.entries({ whole, ...others })
    .flatMap(([name, value]) => value === true ? [`--${name}`] : value ? [`--${name}`, `${value}`] : [])
  return files.map((file) => ({ name: `test/${file}`, args: [path.join(here, file), ...flags], cwd: root }))
}

/** @param {string} name @param {string} file in node_modules @param {string} arg @returns {Job} */
function tool (name, file, arg) {
  return { name, args: [path.join(root, 'node_modules', file), arg], cwd: root }
}

/** What runs alone for an hour shows how far it is. @param {string} text */
function show (text) {
  if (whole) process.stdout.write(text)
}

/** @param {Job} job @param {JobResult} result @returns {string | null} what failed, in lines; null: nothing */
function report ({ name }, { output, code, tests, left, seconds }) {
  const counts = { passed: 0, failed: 0, skipped: 0 }
  for (const { outcome } of tests) {
    counts[outcome]++
    total[outcome]++
  }
  const isFine = code === 0 && left.length === 0
  const shown = Object.entries(counts).map(([outcome, count]) => count > 0 ? `${count} ${outcome}, ` : '').join('')
  console.log(`${isFine ? '✔' : '✖'} ${name}: ${shown}${seconds.toFixed(1)} s`)
  if (isFine) return null
  if (code !== 0 && !whole) console.log(output.trimEnd().replace(/^/gm, '    '))
  if (left.length > 0) console.log(`    It left something behind:\n${left.map((what) => `    ${what}`).join('\n')}`)
  return [name, ...tests.filter(({ outcome }) => outcome === 'failed').map(({ name }) => `  ${name}`)].join('\n')
}
