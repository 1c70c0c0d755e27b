/**
 * @import { Html } from '../../../report/browser.js'
 *
 * @typedef {object} Figure
 * @property {'rounds' | 'ratio' | 'latency'} kind of its chart
 * @property {string} name of what it shows; together with the kind there is one
 * @property {Html} caption
 * @property {string} summary of the table
 * @property {Html} table
 * @property {unknown} values for the chart
 */
export {}
