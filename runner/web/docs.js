import path from 'node:path'
import { readText } from '../lesson/index.js'
import { workshopRoot as root } from '../workshop.js'
import { isDoc } from './pages/index.js'
import { refuse } from '../http/index.js'

/**
 * A text of the workshop's own folder docs/; lesson packs have none.
 *
 * @param {string} name as it came
 * @throws {import('../errors.js').WorkshopError} with a status: no such page
 */
export async function readDoc (name) {
  if (!isDoc(name)) throw refuse(404, 'There is no such page: the first page has links to them all.')
  return { name, text: await readText(path.join(root, 'docs', `${name}.md`), { root }) }
}
