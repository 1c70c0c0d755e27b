import { findLessons, lessonsRoot } from '../../runner/lesson/index.js'
import { workshopRoot } from '../../runner/workshop.js'
import { checkCode } from './check-code.js'
import { findAll } from './find-all.js'

/**
 * @import { Given } from '../../runner/cli/types.js'
 * @import { Finding } from './rules.js'
 */

export const options = {}

export const maxPositionals = 0

export const namesNoCommand = true

export const usage = 'npm run check:content [-- --lessons DIR]'

export const help = `For authors: what do the lessons and their texts lack?
Looks at parts, form, answers, promises, links, commands, code, targets and hints;
of a pack also at lint and types (install the workshop with npm ci for that);
starts no server. What a lesson “could” do is a proposal and no fault.

Exit code: 0 nothing, 1 something is missing, 3 it could not be done.`

/** @param {Given} given */
export async function run ({ stdout, env }) {
  const entries = await findLessons({ env })
  const root = lessonsRoot(env)
  const { findings: ofContent, proposals } = await findAll(entries, root)
  // The workshop's own code has `npm run lint` and `npm run types`.
  const findings = [...ofContent, ...root === workshopRoot ? [] : await checkCode(root)]
  const count = `${entries.length} ${entries.length === 1 ? 'lesson' : 'lessons'}`
  if (proposals.length > 0) stdout.write(`${linesOf(proposals)}\n\n`)
  if (findings.length === 0) {
    stdout.write(`${count}, nothing missing.\n`)
    return 0
  }
  stdout.write(`${linesOf(findings)}\n\n${count}, ${findings.length} to fix.\n`)
  return 1
}

/** @param {Finding[]} findings */
function linesOf (findings) {
  return findings.map(({ place, what }) => `${place}: ${what}`).join('\n')
}
