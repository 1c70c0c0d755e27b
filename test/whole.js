import { spawn } from 'node:child_process'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { ofShard } from './chosen.js'

/**
 * The long proof, before a release and whenever judge, load or lessons change: `npm run test:whole`. The engine on
 * other versions of Node.js, then all cases of the long files, of which `npm test` takes a few. `-- --shard 1/4` is a
 * quarter of it. Ends with 0 when all passed, else with 1.
 */

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))
const { values: { shard } } = parseArgs({ options: { shard: { type: 'string', default: '1/1' } } })
const versions = ofShard(['22', '24', '26'], shard)
const startedAt = Date.now()

/** @type {[what: string, command: string, args: string[]][]} */
const stages = [
  ...versions.map((version) => /** @type {typeof stages[0]} */ ([`engine on Node.js ${version}`, ...onNode(version)])),
  ['all cases of the long files', process.execPath, ['test/run.js', '--whole', '--shard', shard]]
]

/** @type {string[]} */
const failed = []
for (const [what, command, args] of stages) {
  console.log(`\n${what}, from minute ${minutes()} on\n`)
  if (await run(command, args) !== 0) failed.push(what)
}
const end = failed.length > 0 ? `Failed: ${failed.join('; ')}` : 'All passed'
console.log(`\n${end}, shard ${shard}, in ${minutes()} min.`)
process.exitCode = failed.length > 0 ? 1 : 0

function minutes () {
  return ((Date.now() - startedAt) / 60_000).toFixed(1)
}

/** npm brings another version. @param {string} version @returns {[command: string, args: string[]]} */
function onNode (version) {
  const npm = process.env.npm_execpath
  const args = ['exec', '--yes', `--package=node@${version}`, '--', 'node', 'test/run.js', '--engine']
  return npm === undefined ? ['npm', args] : [process.execPath, [npm, ...args]]
}

/** @param {string} command @param {string[]} args @returns {Promise<number | null>} */
function run (command, args) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: root, stdio: 'inherit' })
    child.on('error', (error) => {
      console.error(error.message)
      resolve(null)
    })
    child.on('close', resolve)
  })
}
