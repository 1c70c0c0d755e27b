import path from 'node:path'
import { openFile } from '../process/index.js'
import { html } from '../report/index.js'
import { writeFileAtomic } from '../workspace/index.js'

/**
 * Opens a link that holds a secret. All accounts of a machine see the arguments of its processes, so the browser gets
 * the name of a file that only this user can read, and which leads on.
 *
 * @param {string} link
 * @param {string} folder for that file
 * @returns {Promise<boolean>} was it opened?
 */
export async function openLink (link, folder) {
  const file = path.resolve(folder, 'open.html')
  const page = html`<!doctype html>
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0;url=${link}">
<title>Make It Fast</title>
<p><a href="${link}">Open the workshop</a></p>
`
  await writeFileAtomic(file, String(page), { mode: 0o600 })
  return openFile(file)
}
