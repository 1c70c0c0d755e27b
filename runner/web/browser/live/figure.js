/**
 * @import { Html } from '../../../report/browser.js'
 *
 * @typedef {object} Figure what was measured, as a chart and as a table
 * @property {'latency' | 'rounds' | 'ratio' | 'waterfall'} kind
 * @property {string} name of what it shows; unique together with the kind
 * @property {Html} caption
 * @property {Html} chart SVG
 * @property {Html} table
 */

/** The width of every chart, in its own units. */
export const width = 440
