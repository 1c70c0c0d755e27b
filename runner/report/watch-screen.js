/** The screen of `npm run watch`: the fixed part is at the end, requested output above it. */
import { capabilitiesOf } from './capabilities.js'
import { createTheme } from './layout/theme.js'
import { emptyWatch, layoutWatch } from './layout/watch.js'
import { createLiveRegion } from './live-region.js'

/**
 * @import { Output } from './capabilities.js'
 * @import { WatchState } from './layout/watch.js'
 *
 * @typedef {object} WatchScreen
 * @property {boolean} isLive false: nothing is redrawn, and `settled` appends lines
 * @property {(state: WatchState) => void} show
 * @property {(state: WatchState) => void} settled like show, for a state that stays for a while
 * @property {() => void} leave clears the region, so that something else can be written there
 * @property {() => void} wipe empties the window
 */

/**
 * @param {object} given
 * @param {Output} given.stream
 * @param {boolean} given.keys can they be pressed?
 * @returns {WatchScreen}
 */
export function createWatchScreen ({ stream, keys }) {
  const { colour, unicode, live } = capabilitiesOf(stream)
  const lay = (/** @type {WatchState} */ state) => layoutWatch(
    state,
    createTheme({
      columns: capabilitiesOf(stream).columns - (stream.isTTY ? 1 : 0), colour, unicode, links: live && colour
    }),
    { height: live ? (stream.rows ?? Infinity) - 1 : Infinity, keys }
  )
  let shown = emptyWatch
  /** @type {ReturnType<typeof createLiveRegion> | null} */
  let region = null

  const show = (/** @type {WatchState} */ state) => {
    shown = state
    if (!live) return
    region ??= createLiveRegion({ stream, lay: () => lay(shown) })
    region.changed()
  }
  const leave = () => {
    region?.clear()
    region = null
  }
  return {
    isLive: live,
    show,
    settled: (state) => {
      show(state)
      if (!live) stream.write(`${lay(state).join('\n')}\n\n`)
    },
    leave,
    wipe: () => {
      if (!live) return
      leave()
      // Only the window: the scrollback stays readable.
      stream.write('\u001b[2J\u001b[H')
    }
  }
}
