import { spawn } from 'node:child_process'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * The long proof, before a release and whenever judge, load or lessons change: `npm run test:whole`. Everything of
 * which
 * `npm test` takes a sample, then every honest fix and every gate in full, then the engine on other versions of
 * Node.js. MAKE_IT_FAST_MINUTES=25 begins nothing new after so many minutes, and says what was left out.
 */

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))
const minutes = Number(process.env.MAKE_IT_FAST_MINUTES ?? 30)
const versions = ['22', '24', '26']
const startedAt = Date.now()

/** @type {[what: string, command: string, args: string[], env?: Record<string, string>][]} */
const stages = [
  ...versions.map(
    (version) => /** @type {typeof stages[0]} */ ([`the engine on Node.js ${version}`, ...onNode(version)])
  ),
  [
    'every submission and every attack',
    process.execPath,
    ['test/run.js', 'submissions', 'red-team', 'guard'],
    { MAKE_IT_FAST_WHOLE: '1' }
  ],
  ['every honest fix, and every gate', process.execPath, ['test/full.js', '--minutes', 'MINUTES']]
]

/** @type {string[]} */
const left = []
let failed = 0
for (const [what, command, args, env] of stages) {
  const goneMinutes = (Date.now() - startedAt) / 60_000
  if (goneMinutes >= minutes) {
    left.push(what)
    continue
  }
  console.log(`\n${what}, from minute ${goneMinutes.toFixed(1)} on\n`)
  const minutesLeft = String(minutes - goneMinutes)
  if (await run(command, args.map((arg) => arg === 'MINUTES' ? minutesLeft : arg), env) !== 0) {
    failed++
    console.log(`\nFailed: ${what}.`)
  }
}
const took = `${((Date.now() - startedAt) / 60_000).toFixed(1)} min`
console.log(`\n${failed === 0 ? 'All passed' : `${failed} of ${stages.length} failed`}, in ${took}.` +
  (left.length > 0 ? ` There was no time for: ${left.join('; ')}.` : ''))
process.exitCode = failed === 0 ? 0 : 1

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
