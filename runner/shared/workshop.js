import fs from 'node:fs'
import * as nodeModule from 'node:module'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

/** The folder of the workshop itself, with its package.json and node_modules. */
export const workshopRoot = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..', '..')

/** Does it lie where the workshop's packages are found? Links are followed. @param {string} place that is there */
export function isInWorkshop (place) {
  const relative = path.relative(fs.realpathSync(workshopRoot), fs.realpathSync(place))
  return !/^\.\.($|[\\/])/.test(relative) && !path.isAbsolute(relative)
}

let isReady = false

/**
 * Imports a module of a lesson. One that lies outside of the workshop may import the workshop's packages, too, and
 * `make-it-fast/…` ([for authors](../../docs/authors.md)); its own packages come first.
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
  else nodeModule.register(import.meta.url)
}

/**
 * How a module of a lesson pack resolves: where Node.js finds a package nowhere else, it is looked for in the workshop,
 * and so is `make-it-fast/…`, what the workshop's package.json exports. Hooks of Node.js, once for each way to install
 * them.
 *
 * @typedef {{ parentURL?: string }} Context
 */

const parentURL = pathToFileURL(path.join(workshopRoot, 'package.json')).href

/**
 * For `module.register`.
 *
 * @param {string} specifier
 * @param {Context} context
 * @param {(specifier: string, context: Context) => Promise<any>} next
 */
export async function resolve (specifier, context, next) {
  try {
    return await next(specifier, context)
  } catch (error) {
    if (!isUnknownPackage(error, specifier)) throw error
    return next(specifier, { ...context, parentURL }).catch(() => { throw error })
  }
}

/**
 * For `module.registerHooks`.
 *
 * @param {string} specifier
 * @param {Context} context
 * @param {(specifier: string, context: Context) => any} next
 */
export function resolveNow (specifier, context, next) {
  try {
    return next(specifier, context)
  } catch (error) {
    if (!isUnknownPackage(error, specifier)) throw error
    try {
      return next(specifier, { ...context, parentURL })
    } catch {
      // The first error names the importing file.
      throw error
    }
  }
}

/** @param {any} error @param {string} specifier */
function isUnknownPackage ({ code }, specifier) {
  return ['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND'].includes(code) && /^[@a-z0-9]/i.test(specifier)
}
