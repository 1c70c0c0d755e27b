/**
 * @import { Figures } from '../load/index.js'
 * @import { Section } from '../report/index.js'
 */

/** The statistics of autocannon's table, by their titles there. */
const statistics = {
  '1%': 'p1',
  '2.5%': 'p2_5',
  '50%': 'p50',
  '97.5%': 'p97_5',
  '99%': 'p99',
  Avg: 'average',
  Stdev: 'stddev',
  Min: 'min',
  Max: 'max'
}

/**
 * autocannon's figures as a narrow table, for windows in which its own would break.
 *
 * @param {Figures} figures
 * @param {string} counts autocannon's lines below its table
 * @returns {Omit<Section, 'title'>}
 */
export function narrowTable ({ latency, requests, bytes }, counts) {
  const whole = (/** @type {number | undefined} */ value) => value === undefined ? '' : value.toLocaleString('en')
  const rows = Object.entries(statistics).map(([title, stat]) => [
    title,
    stat === 'min' || stat === 'p1' ? '' : `${whole(latency[stat])} ms`,
    stat === 'max' || stat === 'p99' ? '' : whole(requests[stat]),
    stat === 'max' || stat === 'p99' ? '' : `${whole(Number((bytes[stat] / 1e6).toPrecision(3)))} MB`
  ])
  return {
    head: true,
    align: ['left', 'right', 'right', 'right'],
    rows: [['Stat', 'Latency', 'Req/Sec', 'Bytes/Sec'], ...rows],
    notes: counts.split('\n')
  }
}
