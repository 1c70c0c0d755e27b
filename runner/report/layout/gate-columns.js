import { formatInterval, formatNumber, formatRatio, formatTarget } from './numbers.js'

/**
 * @import { GateResult } from '../../judge/index.js'
 * @import { Style, Theme } from './theme.js'
 *
 * @typedef {object} GateColumn
 * @property {string} title
 * @property {'left' | 'right'} align
 * @property {Style} [style]
 * @property {(gate: GateResult, marks: Theme['marks']) => string} cell
 */

/**
 * The columns between a gate's name and its verdict, in a terminal, a browser and a job summary.
 *
 * @type {GateColumn[]}
 */
export const gateColumns = [
  { title: 'baseline', align: 'right', cell: ({ baseline }, { none }) => formatNumber(baseline, none) },
  { title: 'yours', align: 'right', cell: ({ yours }, { none }) => formatNumber(yours, none) },
  { title: 'ratio', align: 'right', style: 'strong', cell: formatRatio },
  { title: '95 % interval', align: 'right', cell: formatInterval },
  { title: 'target', align: 'right', cell: formatTarget }
]
