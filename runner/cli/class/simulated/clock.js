/**
 * A clock on which a day goes by in a minute or so: it begins a day before now, hurries until it has caught up, and is
 * an ordinary one from then on. So nothing that happens by it lies in the future.
 *
 * @typedef {object} Day
 * @property {number} begunAt when it was begun, ms since 1970
 * @property {number} dayMs how long it is
 * @property {number} speed seconds of it in one of ours
 *
 * @param {Day} day
 * @param {() => number} [now] ms since 1970
 * @returns {() => number} ms since 1970
 */
export function hurriedClock ({ begunAt, dayMs, speed }, now = Date.now) {
  return () => Math.min(now(), begunAt - dayMs + (now() - begunAt) * speed)
}
