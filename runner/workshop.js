import fs from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder of the workshop itself, with its package.json and node_modules. */
export const workshopRoot = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..')

/** Does it lie where the workshop's packages are found? Links are followed. @param {string} place that is there */
export function isInWorkshop (place) {
  const relative = path.relative(fs.realpathSync(workshopRoot), fs.realpathSync(place))
  return !/^\.\.($|[\\/])/.test(relative) && !path.isAbsolute(relative)
}
