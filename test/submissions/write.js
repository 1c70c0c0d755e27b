import fs from 'node:fs'
import path from 'node:path'
import { resolveLesson } from '../../runner/lesson/index.js'
import { WorkshopError } from '../../runner/shared/errors.js'
import { nearest } from '../../runner/shared/rules.js'
import { readCases, readRight, writeCase } from './apply.js'

/**
 * Writes an overlay out as a folder, to look at it or to run it by hand: `node test/submissions/write.js 10 crash-hangs
 * DIR`; `--list` in place of the name shows those of the lesson.
 */

const usage = 'Usage: node test/submissions/write.js LESSON NAME DIR, or LESSON --list'

try {
  await main(process.argv.slice(2))
} catch (error) {
  if (!(error instanceof WorkshopError)) throw error
  console.error(error.message)
  process.exitCode = error.exitCode
}

/** @param {string[]} args */
async function main ([asked, name, dir, ...others]) {
  const listed = name === '--list'
  if (!name || Boolean(dir) === listed || others.length > 0) throw new WorkshopError(usage)
  const { folder, root, number } = await resolveLesson(asked)
  const right = (await readRight({ folder, root })).filter(({ on }) => on)
  const overlays = [...await readCases({ folder, root }), ...right]
  if (listed) {
    for (const { name, why } of overlays) console.log(`${name}: ${why}`)
    return
  }
  // The tests call a wrong one invalid-NAME.
  const overlay = overlays.find((one) => one.name === name.replace(/^invalid-/, ''))
  if (!overlay) throw new WorkshopError(unknown(name, overlays.map(({ name }) => name), folder))
  const place = emptyPlace(dir)
  writeCase(overlay, place)
  console.log(place)
  console.log(`${overlay.on ? `${overlay.on}, changed: ` : ''}${overlay.why}`)
  console.log(`npm run check lesson-${number} -- --server ${/\s/.test(place) ? `"${place}"` : place}`)
}

/** @param {string} name @param {string[]} known @param {string} folder */
function unknown (name, known, folder) {
  const near = nearest(name, known)
  const wayOut = near.length > 0 ? `did you mean ${near.join(' or ')}?` : '--list in place of the name shows them all.'
  return `${folder} has no overlay "${name}": ${wayOut}`
}

/** @param {string} dir */
function emptyPlace (dir) {
  const place = path.resolve(dir)
  const kind = fs.statSync(place, { throwIfNoEntry: false })
  if (!kind || (kind.isDirectory() && fs.readdirSync(place).length === 0)) return place
  const fault = kind.isDirectory() ? 'is not empty' : 'is a file'
  throw new WorkshopError(`${place} ${fault}: name a folder that is empty or not there yet.`)
}
