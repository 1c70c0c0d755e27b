import fs from 'node:fs'
import path from 'node:path'
import { percent } from '../runner/shared/format.js'
import { runCheck } from '../runner/check/index.js'
import { findLessons, loadLesson, resolveLesson } from '../runner/lesson/index.js'
import { writeFileAtomic } from '../runner/workspace/index.js'
import { aboutRun } from './about.js'

/**
 * @import { Lesson } from '../runner/lesson/index.js'
 *
 * How near each reference solution comes to what a bare Node.js server answers on this machine under the same load, in
 * one check of it, written into its write-up: `npm run measure limits -- [lesson …]`. Measure alone.
 */

const names = process.argv.slice(2)
const found = names.length > 0 ? await Promise.all(names.map((name) => resolveLesson(name))) : await findLessons()
const limits = /<!-- limit -->[^]*<!-- \/limit -->\n*/
const end = '<!-- /measured -->\n'
const about = aboutRun()

for (const entry of await Promise.all(found.map(loadLesson))) {
  if (entry.lesson.check !== undefined) continue
  const { record: { verdict, gates } } = await runCheck({ entry, dir: entry.solutionDir })
  const rows = gates.flatMap(({ name, unit, baseline, yours, limit }) =>
    limit && yours !== null && !hasWork(entry.lesson, name)
      ? [`| ${name} | ${figure(baseline, unit)} | ${figure(yours, unit)} | ${figure(limit, unit)} | ${
        percent(yours / limit)} |`]
      : [])
  console.log(`${entry.number} ${entry.lesson.title}: ${verdict}\n${rows.join('\n')}`)
  if (verdict !== 'pass') continue
  const block = rows.length === 0
    ? ''
    : `<!-- limit -->
| gate | slow server | this solution | limit of this machine | share reached |
|---|---|---|---|---|
${rows.join('\n')}

The limit is what a bare Node.js server answers under the same load. One check: ${about}.
<!-- /limit -->

`
  const file = path.join(entry.solutionDir, 'README.md')
  const text = fs.readFileSync(file, 'utf8').replace(limits, '')
  await writeFileAtomic(file, text.replace(`${end}\n`, `${end}\n${block}`))
}

/**
 * A bare server does none of the work that such a load is about, so it is no limit.
 *
 * @param {Lesson} lesson
 * @param {string} name of a gate
 */
function hasWork ({ gates }, name) {
  const load = gates.find((gate) => gate.name === name)?.load
  return gates.some((gate) => gate.kind === 'work' && gate.load === load)
}

/** @param {number | null} value @param {string} unit */
function figure (value, unit) {
  return value === null ? '–' : `${Number(value.toPrecision(3)).toLocaleString('en')} ${unit}`
}
