import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { newSeed } from '../runner/random.js'
import { runJob } from './run-job.js'

/**
 * Runs lint, types and the tests, some side by side: `node test/run.js [part of a path …]`. With a part of a path only
 * those tests run. `--engine` leaves out what says nothing about the version of Node.js; `--minutes 5` begins nothing
 * new after so many, says what is left, and then ends with 4.
 *
 * @import { Job } from './run-job.js'
 */

const here = path.dirname(fileURLToPath(import.meta.url))
const root = path.dirname(here)
const { values: { engine, minutes }, positionals: wanted } = parseArgs({
  allowPositionals: true,
  options: { engine: { type: 'boolean', default: false }, minutes: { type: 'string', default: '1000' } }
})
/** Files that take minutes are run in so many parts. */
const parts = { 'submissions/submissions.test.js': 6, 'red-team/red-team.test.js': 2 }
const notEngine = ['red-team/', 'submissions/', 'session/guard/killed', 'content/', 'architecture/', 'system/lint']
/** Begun first, so that no lane waits for one of them at the end. */
const long = [
  ...Object.keys(parts),
  'web/journey',
  'cli/check',
  'check/check',
  'web/browser',
  'profiling/command',
  'check/kinds',
  'session/guard',
  'check/plan'
]

const jobs = jobsOf(testFiles())
if (jobs.length === 0) {
  console.error(`No test file has ${wanted.join(' or ')} in its path.`)
  process.exit(3)
}
if (wanted.length === 0 && !engine) {
  jobs.push(
    tool('lint', ['eslint', 'bin', 'eslint.js'], ['.']),
    tool('types', ['typescript', 'bin', 'tsc'], ['--noEmit'])
  )
}

// An author's own lessons are tried by name only (`submissions`): everything else is about the workshop's.
if (wanted.length === 0) delete process.env.MAKE_IT_FAST_LESSONS
// All parts of a file, and its repetition, draw the same sample.
process.env.MAKE_IT_FAST_DRAW ??= newSeed()
const startedAt = Date.now()
const total = { passed: 0, skipped: 0 }
/** @type {string[]} */
const failures = []
// No more than there are cores: a check that is disturbed takes longer, and so costs the others time.
const lanes = Math.min(4, os.availableParallelism())
/** @type {Job[]} */
const again = []
await Promise.all(Array.from({ length: lanes }, async () => {
  for (let job = nextJob(); job; job = nextJob()) {
    const result = await runJob(job)
    if (report(job, result)) continue
    // A measurement beside others may have had no quiet moment. What leaves something behind has no such excuse.
    if (result.counts.failed > 0 && result.left.length === 0) again.push(job)
    else failures.push(job.name)
  }
}))
for (const job of again) {
  const isFine = report({ ...job, name: `${job.name}, once more and alone` }, await runJob(job))
  if (!isFine) failures.push(job.name)
}
const seconds = Math.round((Date.now() - startedAt) / 1000)
const lucky = again.map(({ name }) => name).filter((name) => !failures.includes(name))
if (lucky.length > 0) console.log(`\nPassed only when repeated alone:\n${lucky.map((name) => `  ${name}`).join('\n')}`)
if (failures.length > 0) console.log(`\nFailed:\n${failures.map((name) => `  ${name}`).join('\n')}`)
console.log(
  `\n${total.passed} tests passed, ${total.skipped} skipped, ${failures.length} files failed, in ${seconds} s.`
)
if (jobs.length > 0) console.log(`There was no time for:\n${jobs.map(({ name }) => `  ${name}`).join('\n')}`)
process.exitCode = failures.length > 0 ? 1 : jobs.length > 0 ? 4 : 0

function nextJob () {
  return Date.now() - startedAt < Number(minutes) * 60_000 ? jobs.shift() : undefined
}

/** @returns {string[]} relative to this folder, with slashes; the long ones first */
function testFiles () {
  const isShort = (/** @type {string} */ file) => long.some((part) => file.startsWith(part)) ? 0 : 1
  return fs
    .readdirSync(here, { recursive: true, encoding: 'utf8' })
    .map((file) => file.split(path.sep).join('/'))
    .filter((file) => file.endsWith('.test.js'))
    .filter(
      (file) => wanted.length === 0 || wanted.some((part) => `test/${file}`.includes(part.split(path.sep).join('/')))
    )
    .filter((file) => !engine || !notEngine.some((part) => file.startsWith(part)))
    .sort((a, b) => isShort(a) - isShort(b) || a.localeCompare(b))
}

/** @param {string[]} files @returns {Job[]} */
function jobsOf (files) {
  return files.flatMap((file) => {
    const count = parts[/** @type {keyof typeof parts} */ (file)] ?? 1
    return Array.from({ length: count }, (_, at) => ({
      name: count === 1 ? `test/${file}` : `test/${file} (${at + 1}/${count})`,
      args: ['--test-reporter=spec', '--test-reporter-destination=stdout', path.join(here, file)],
      env: { MAKE_IT_FAST_PART: `${at}/${count}` },
      cwd: root
    }))
  })
}

/** @param {string} name @param {string[]} place in node_modules @param {string[]} args @returns {Job} */
function tool (name, place, args) {
  return { name, args: [path.join(root, 'node_modules', ...place), ...args], env: {}, cwd: root }
}

/** @param {Job} job @param {Awaited<ReturnType<typeof runJob>>} result @returns {boolean} did it pass? */
function report ({ name }, { output, code, counts, left, seconds }) {
  for (const key of /** @type {(keyof typeof total)[]} */ (Object.keys(total))) total[key] += counts[key]
  const isFine = code === 0 && left.length === 0
  const passed =
    counts.tests > 0 ? `${counts.passed} passed${counts.skipped > 0 ? `, ${counts.skipped} skipped` : ''}, ` : ''
  console.log(`${isFine ? '✔' : '✖'} ${name}: ${passed}${seconds.toFixed(1)} s`)
  if (isFine) return true
  if (code !== 0) console.log(output.trimEnd().replace(/^/gm, '    '))
  if (left.length > 0) console.log(`    It left something behind:\n${left.map((what) => `    ${what}`).join('\n')}`)
  return false
}
