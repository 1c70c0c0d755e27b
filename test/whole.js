import { spawn } from 'node:child_process'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * The long proof, before a release and whenever judge, load or lessons change: `npm run test:whole`. The engine on
 * other versions of Node.js, then everything of which `npm test` takes a sample, then every honest fix and every gate
 * in full. MAKE_IT_FAST_MINUTES=25 begins nothing new after so many minutes; what was left out is said, and then it is
 * not called passed.
 */

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))
const minutes = Number(process.env.MAKE_IT_FAST_MINUTES ?? 30)
/** Whoever gives a limit has asked for a part. */
const isLimited = process.env.MAKE_IT_FAST_MINUTES !== undefined
/** The exit code of a stage that had no time for everything, and of this where nobody gave a limit. */
const noTime = 4
const versions = ['22', '24', '26']
const startedAt = Date.now()

/** @type {[what: string, command: string, args: string[], env?: Record<string, string>][]} */
const stages = [
  ...versions.map((version) => /** @type {typeof stages[0]} */ ([`engine on Node.js ${version}`, ...onNode(version)])),
  [
    'submissions and attacks that `npm test` draws from',
    process.execPath,
    ['test/run.js', 'submissions/submissions', 'red-team', 'guard', 'room/killed'],
    { MAKE_IT_FAST_WHOLE: '1' }
  ],
  ['honest fixes and gates in full', process.execPath, ['test/full.js']]
]

/** @type {string[]} */
const incomplete = []
/** @type {string[]} */
const failed = []
for (const [what, command, args, env] of stages) {
  const goneMinutes = (Date.now() - startedAt) / 60_000
  console.log(`\n${what}, from minute ${goneMinutes.toFixed(1)} on\n`)
  const code = goneMinutes < minutes
    ? await run(command, [...args, '--minutes', String(minutes - goneMinutes)], env)
    : noTime
  if (code === noTime) incomplete.push(what)
  else if (code !== 0) failed.push(what)
}
const took = `${((Date.now() - startedAt) / 60_000).toFixed(1)} min`
if (failed.length > 0) console.log(`\nFailed: ${failed.join('; ')}.`)
if (incomplete.length > 0) console.log(`\nINCOMPLETE, there was no time for all of: ${incomplete.join('; ')}.`)
const end = failed.length > 0 ? 'Failed' : incomplete.length > 0 ? 'No failure so far' : 'All passed'
console.log(`\n${end}, in ${took}.`)
process.exitCode = failed.length > 0 ? 1 : incomplete.length > 0 && !isLimited ? noTime : 0

/** npm brings another version. @param {string} version @returns {[command: string, args: string[]]} */
function onNode (version) {
  const npm = process.env.npm_execpath
  const args = ['exec', '--yes', `--package=node@${version}`, '--', 'node', 'test/run.js', '--engine']
  return npm === undefined ? ['npm', args] : [process.execPath, [npm, ...args]]
}

/**
 * @param {string} command
 * @param {string[]} args
 * @param {Record<string, string>} [env]
 * @returns {Promise<number | null>}
 */
function run (command, args, env = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: root, env: { ...process.env, ...env }, stdio: 'inherit' })
    child.on('error', (error) => {
      console.error(error.message)
      resolve(null)
    })
    child.on('close', resolve)
  })
}
