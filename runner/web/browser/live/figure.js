/**
 * @import { CoursePoint, LatencyFigures, RoundResult } from '../../../judge/index.js'
 * @import { Html } from '../../../report/browser.js'
 *
 * @typedef {{ kind: 'rounds', values: readonly RoundResult[] }
 *   | { kind: 'latency', values: readonly LatencyFigures[] }
 *   | { kind: 'ratio', values: readonly (CoursePoint & { target: number | null })[] }} Drawn by its chart
 *
 * @typedef {object} Words
 * @property {string} name of what it shows; together with the kind there is one
 * @property {Html} caption
 * @property {string} summary of the table
 * @property {Html} table
 *
 * @typedef {Words & Drawn} Figure
 */
export {}
