import * as nodeModule from 'node:module'
import { fileURLToPath } from 'node:url'
import { isInWorkshop } from './workshop.js'
import { resolveNow } from './workshop-packages.js'

let isReady = false

/**
 * Imports a module of a lesson. One that lies outside of the workshop may import the workshop's packages, too, and
 * `make-it-fast/…` ([for authors](../docs/authors.md)); its own packages come first.
 *
 * @param {string} url `file:`
 * @returns {Promise<any>} its namespace
 * @throws what `import` throws
 */
export async function importLesson (url) {
  if (!isReady && !isInWorkshop(fileURLToPath(url))) {
    isReady = true
    lookInWorkshop()
  }
  return import(url)
}

function lookInWorkshop () {
  // Node.js 22.15 and newer; the other way starts a thread, and Node.js 26 advises against it.
  const { registerHooks } = /** @type {any} */ (nodeModule)
  if (registerHooks) registerHooks({ resolve: resolveNow })
  else nodeModule.register('./workshop-packages.js', import.meta.url)
}
