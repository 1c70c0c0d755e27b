import { show } from '../../http/browser.js'
import { html, withCode } from '../../report/browser.js'
import { countText } from './views/words.js'

/**
 * Files that a room imports and exports.
 *
 * @import { Ask } from '../../http/browser.js'
 */

/**
 * One after the other: each gets its line.
 *
 * @param {Iterable<File>} files as `npm run export` wrote them
 * @param {HTMLElement} list
 * @param {Ask} ask
 */
export async function importFiles (files, list, ask) {
  list.replaceChildren()
  for (const file of files) {
    const item = list.appendChild(document.createElement('li'))
    show(item, html`${file.name}: ${withCode(await importFile(file, ask).catch((error) => error.message))}`)
  }
}

/** @param {File} file @param {Ask} ask @returns {Promise<string>} what became of it */
async function importFile (file, ask) {
  const body = await new Response(file).json().catch(() => {
    throw new Error('This file was not written by `npm run export`: ask the learner to export their results again.')
  })
  const { name, added, known, refused } = await (await ask('/api/class/import', { body })).json()
  return [
    `${countText(added, 'new check')} of ${name}, ${known} known before.`,
    ...refused.length > 0 ? [`${countText(refused.length, 'check')} refused: ${refused[0]}`] : []
  ].join(' ')
}

/**
 * A link can't carry a secret: the file is fetched, then saved.
 *
 * @param {string} path
 * @param {Ask} ask
 */
export async function download (path, ask) {
  const answer = await ask(path, { method: 'GET' })
  const [, name = ''] = /filename="?([\w.-]+)/.exec(answer.headers.get('Content-Disposition') ?? '') ?? []
  const link = document.createElement('a')
  Object.assign(link, { href: URL.createObjectURL(await answer.blob()), download: name })
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
