/** @import { ResultRecord } from '../judge/index.js' */

const least = 20
const most = 300

/**
 * How much longer an inconclusive check is measured. Pure.
 *
 * @param {Pick<ResultRecord, 'gates'>} record
 * @returns {number} s, a multiple of five
 */
export function longerSeconds ({ gates }) {
  const seconds = gates.map(({ verdict, moreSeconds }) => verdict === 'inconclusive' ? moreSeconds ?? 0 : 0)
  return Math.min(most, Math.max(least, Math.ceil(Math.max(0, ...seconds) * 1.2 / 5) * 5))
}
