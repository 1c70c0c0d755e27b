import fs from 'node:fs'
import path from 'node:path'
import { makeTemporary } from '../../runner/process/index.js'
import { startWeb } from '../../runner/web/index.js'
import { openChromium } from '../../test/web/chromium.js'
import { signedIn, signIn } from '../../test/web/open.js'

/**
 * @typedef {object} Opened
 * @property {string} url
 * @property {string} workspace an empty folder at first
 * @property {NodeJS.ProcessEnv} env for commands run next to it
 * @property {import('playwright-core').Browser} browser
 * @property {import('playwright-core').BrowserContextOptions} options of a window that is signed in
 */

/**
 * The workshop with its real lessons and an empty workspace, and a browser; both end with `act`.
 *
 * @template T
 * @param {(opened: Opened) => Promise<T>} act
 * @returns {Promise<T>}
 * @throws {Error} there is no Chromium here
 */
export async function withWeb (act) {
  const { dir, remove } = await makeTemporary()
  const workspace = path.join(dir, 'workspace')
  fs.mkdirSync(workspace)
  const env = { ...process.env, MAKE_IT_FAST_WORKSPACE: workspace, VISUAL: '', EDITOR: '' }
  const web = await startWeb({ env, signal: new AbortController().signal })
  const browser = await openChromium()
  try {
    const options = signedIn(web.url, await signIn(web.url, web.newLink()))
    return await act({ url: web.url, workspace, env, browser, options })
  } finally {
    await browser.close()
    await web.close()
    await remove()
  }
}
