/**
 * One round: both servers under the same load, one after the other. Types only.
 *
 * @import { disturbance } from './disturbed.js'
 * @import { RoundResult } from './record.js'
 * @import { Slice } from './slice.js'
 *
 * @typedef {'baseline' | 'yours'} Role which of the two servers
 *
 * @typedef {object} Round
 * @property {RoundResult} result
 * @property {Slice} baseline
 * @property {Slice} yours
 * @property {number} seconds
 * @property {number} [pair] number of the pair that it was measured on
 * @property {ReturnType<typeof disturbance>} disturbed
 */

export {}
