import { findLessons, lessonsRoot } from '../../runner/lesson/index.js'
import { findAll } from './find-all.js'

/** @import { Given } from '../../runner/cli/main.js' */

export const options = {}

export const maxPositionals = 0

export const namesNoCommand = true

export const usage = 'npm run check:content [-- --lessons DIR]'

export const help = `For authors: what do the lessons and their texts lack?
Looks at parts, promises, links, commands, code, targets and hints; starts no server.

Exit code: 0 nothing, 1 something is missing, 3 it could not be done.`

/** @param {Given} given */
export async function run ({ stdout, env }) {
  const entries = await findLessons({ env })
  const findings = await findAll(entries, lessonsRoot(env))
  const count = `${entries.length} ${entries.length === 1 ? 'lesson' : 'lessons'}`
  if (findings.length === 0) {
    stdout.write(`${count}, nothing missing.\n`)
    return 0
  }
  const lines = findings.map(({ place, what }) => `${place}: ${what}`)
  stdout.write(`${lines.join('\n')}\n\n${count}, ${findings.length} to mend.\n`)
  return 1
}
