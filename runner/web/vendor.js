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

/** Modules of the reports that those of the browser import. */
const reports = ['browser', 'page', 'progress', 'layout/axis', 'layout/marks', 'layout/numbers', 'layout/when']

/** @param {readonly string[]} parts of the path below runner/report/, as they came @returns {string | null} the file */
export function reportFile (parts) {
  const name = parts.join('/')
  return reports.some((one) => `${one}.js` === name) ? path.join(workshopRoot, 'runner', 'report', ...parts) : null
}
