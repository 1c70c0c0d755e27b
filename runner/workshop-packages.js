import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { workshopRoot } from './workshop.js'

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
