import path from 'node:path'
import { workshopRoot } from '../workshop.js'

/** The files of packages that a browser may have, by the names under which it asks. */
export const vendor = {
  'uplot.js': 'uplot/dist/uPlot.iife.min.js',
  'uplot.css': 'uplot/dist/uPlot.min.css'
}

/** @param {string} name as it came @returns {string | null} the file */
export function vendorFile (name) {
  if (!Object.hasOwn(vendor, name)) return null
  return path.join(workshopRoot, 'node_modules', vendor[/** @type {keyof typeof vendor} */ (name)])
}
