import fs from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { fileURLToPath } from 'node:url'
import { findLessons, loadLesson, resolveLesson } from '../runner/lesson/index.js'
import { runCheck } from '../runner/check/index.js'
import { aboutRun } from './about.js'

/**
 * No honest fix refused: every valid submission of test/submissions, checked in full as a learner's would be.
 * `npm run measure honest -- [--runs 1] [lesson …]`. Measure alone. A fail is a fault of the grader; an inconclusive
 * one is not, but asks for a look.
 */

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { runs: { type: 'string', default: '1' } }
})
const submissions = fileURLToPath(new URL('../test/submissions/', import.meta.url))
const found =
  positionals.length > 0 ? await Promise.all(positionals.map((name) => resolveLesson(name))) : await findLessons()
const counts = { pass: 0, inconclusive: 0, fail: 0, error: 0 }

console.log(`${aboutRun()}, ${values.runs} checks each\n`)
console.log('| lesson | honest fixes | pass | inconclusive | fail |')
console.log('|---|---|---|---|---|')
for (const entry of await Promise.all(found.map(loadLesson))) {
  const names = fs
    .readdirSync(path.join(submissions, entry.folder))
    .filter((name) => name.startsWith('valid-') && runsHere(path.join(submissions, entry.folder, name)))
  const own = { pass: 0, inconclusive: 0, fail: 0, error: 0 }
  for (const name of names) {
    for (let i = 0; i < Number(values.runs); i++) {
      const { verdict, reason, seed } = await runCheck({ entry, dir: path.join(submissions, entry.folder, name) })
      own[verdict]++
      counts[verdict]++
      if (verdict !== 'pass') console.error(`${entry.folder}/${name}: ${verdict}, seed ${seed}: ${reason}`)
    }
  }
  console.log(
    `| ${entry.number} ${entry.lesson.title} | ${names.length} | ${own.pass} | ${own.inconclusive} | ` +
      `${own.fail + own.error} |`
  )
}
console.log(`\n${counts.pass} passed, ${counts.inconclusive} inconclusive, ${counts.fail + counts.error} refused.`)
process.exitCode = counts.fail + counts.error === 0 ? 0 : 1

/** TypeScript without a build step needs a newer Node.js. @param {string} dir */
function runsHere (dir) {
  const file = path.join(dir, 'package.json')
  const wanted = fs.existsSync(file)
    ? /(\d+)\.(\d+)/.exec(JSON.parse(fs.readFileSync(file, 'utf8')).engines?.node ?? '')
    : null
  const [major, minor] = process.versions.node.split('.').map(Number)
  return !wanted || major > Number(wanted[1]) || (major === Number(wanted[1]) && minor >= Number(wanted[2]))
}
