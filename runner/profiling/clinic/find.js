import { createRequire } from 'node:module'
import path from 'node:path'
import { WorkshopError } from '../../errors.js'

/** What shows much the same without clinic. @type {Record<string, string>} */
export const withoutClinic = { doctor: 'trace', flame: 'cpu', bubbleprof: 'trace', heapprofiler: 'heap' }

/**
 * @param {string} name of its tool
 * @param {(id: string) => string} [resolve] as `require.resolve`
 * @returns {string} the file that is clinic's command
 * @throws {WorkshopError} it is not installed
 */
export function findClinic (name, resolve = createRequire(import.meta.url).resolve) {
  try {
    return path.join(path.dirname(resolve('clinic/package.json')), 'bin.js')
  } catch (error) {
    throw new WorkshopError(
      'clinic is not installed: `npm ci` brings it, `npm ci --omit=dev` leaves it out. `--tool ' +
        `${withoutClinic[name]}\` works without it.`,
      { cause: error }
    )
  }
}
