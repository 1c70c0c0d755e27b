import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { leadingGate } from '../runner/judge/index.js'
import { loadLesson, resolveLesson } from '../runner/lesson/index.js'
import { makeTemporary } from '../runner/process/index.js'
import { probeSandbox, regrade } from '../classroom/regrade/index.js'
import { startIn } from '../classroom/regrade/index.js'
import { aboutRun } from './about.js'

/**
 * Are ratios and error rates the same in the sandbox as outside? Whole checks of identical servers and of one that is
 * 1.5 times the target, outside and inside; then the reference solutions of the lessons that are named:
 * `npm run measure sandbox -- [--runs 40] [lesson …]`. Measure alone.
 */

const { values: { runs }, positionals } = parseArgs({
  allowPositionals: true,
  options: { runs: { type: 'string', default: '40' } }
})
const sandbox = await probeSandbox()
const none = { ...sandbox, kind: /** @type {const} */ ('none'), hierarchies: [] }
const measure = fileURLToPath(new URL('measure.js', import.meta.url))
const verdicts = [measure, 'verdicts', '--neighbours', 'none', '--ratios', 'identical,1.5', '--runs', runs]
const { dir, remove } = await makeTemporary()

console.log(`Outside: ${aboutRun()}`)
measureIn(process.execPath, verdicts, process.env)
console.log(`\nInside: ${[...sandbox.enforced, ...sandbox.missing.map((what) => `not ${what}`)].join('; ')}`)
const [command, args] = startIn(sandbox, path.basename(dir), dir, [])(process.execPath, [...verdicts, '--sandbox'])
measureIn(command, args, { ...process.env, TMPDIR: dir })
if (positionals.length > 0) console.log('\n| lesson | outside | inside |\n|---|---|---|')
for (const name of positionals) {
  const lesson = await loadLesson(await resolveLesson(name))
  console.log(`| ${lesson.number} | ${await ratioOf(lesson, none)} | ${await ratioOf(lesson, sandbox)} |`)
}
await remove()

/** @param {string} command @param {readonly string[]} args @param {NodeJS.ProcessEnv} env */
function measureIn (command, args, env) {
  const { status, signal, error } = spawnSync(command, args, { stdio: 'inherit', env })
  // 1: a verdict was wrong, which its own table says.
  const how = error?.message ?? signal ?? `exit code ${status}`
  if (status !== 0 && status !== 1) console.error(`That ended with ${how}.`)
}

/**
 * @param {import('../runner/lesson/index.js').LoadedLesson} lesson
 * @param {import('../classroom/regrade/index.js').Sandbox} where
 */
async function ratioOf (lesson, where) {
  const given = { lesson, dir: lesson.solutionDir, sandbox: where, signal: new AbortController().signal }
  const { record } = await regrade(given)
  return `${record.verdict}, ${leadingGate(record.gates)?.ratio?.toFixed(2) ?? '–'}×`
}
