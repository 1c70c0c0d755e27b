import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { WorkshopError } from '../errors.js'
import { sectionsIn } from './text-sections.js'

/**
 * A text of the workshop.
 *
 * @param {string} file
 * @param {{ root: string }} entry
 * @returns {Promise<string>}
 * @throws {WorkshopError} it cannot be read
 */
export async function readText (file, { root }) {
  const shown = path.relative(root, file)
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    throw new WorkshopError(`${shown} cannot be read (${error.code}): \`git checkout -- ${shown}\` brings it back.`,
      { cause: error })
  }
}

/**
 * The hints of a lesson, from gentle to plain: the texts under the headings `## 1`, `## 2`, … of its hints.md.
 *
 * @param {{ dir: string, root: string }} entry
 * @returns {Promise<string[]>} Markdown
 * @throws {WorkshopError} hints.md is missing or has no hints
 */
export async function readHints (entry) {
  const file = path.join(entry.dir, 'hints.md')
  const hints = hintsIn(await readText(file, entry))
  if (hints.length === 0) {
    throw new WorkshopError(`${path.relative(entry.root, file)} has no hints: write one under a heading \`## 1\`.`)
  }
  return hints
}

/** @param {string} markdown */
function hintsIn (markdown) {
  return sectionsIn(markdown.replaceAll('\r\n', '\n')).filter(({ title }) => /^\d+\b/.test(title))
    .map(({ text }) => text.replace(/^.*/, '').trim()).filter(Boolean)
}
