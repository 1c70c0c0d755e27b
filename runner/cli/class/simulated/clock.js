/**
 * A clock on which a day passes in about a minute: it starts a day ago and runs fast until it has caught up. So nothing
 * on it happens in the future.
 *
 * @typedef {object} Day
 * @property {number} begunAt when the simulation started, ms since 1970
 * @property {number} dayMs length of the day
 * @property {number} speed simulated seconds per second
 *
 * @param {Day} day
 * @param {() => number} [now] ms since 1970
 * @returns {() => number} ms since 1970
 */
export function hurriedClock ({ begunAt, dayMs, speed }, now = Date.now) {
  return () => Math.min(now(), begunAt - dayMs + (now() - begunAt) * speed)
}
