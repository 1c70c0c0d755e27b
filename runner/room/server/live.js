import { createStreams, eventText } from '../../http/index.js'

/**
 * A snapshot, made once per change, for requests and as a stream of events: a new stream gets the newest one,
 * and later ones carry all changes since the last. No stream misses anything, because each snapshot is complete.
 *
 * @import { ServerResponse } from 'node:http'
 * @import { Share } from '../../http/index.js'
 *
 * @template View
 * @typedef {object} Live
 * @property {() => { view: View, text: string, version: number }} now text: the view as JSON
 * @property {(res: ServerResponse) => void} join
 * @property {() => void} invalidate something may have changed
 * @property {() => void} cut followers must reconnect
 * @property {() => void} close
 */

/**
 * @template View
 * @param {() => View} read the snapshot
 * @param {{ pauseMs: number, share: Share, onFault?: (error: unknown) => void }} options pauseMs: between two of them
 *   in a stream; onFault: it couldn't be read, and followers keep the last one
 * @returns {Live<View>}
 */
export function createLive (read, { pauseMs, share, onFault = () => {} }) {
  const streams = createStreams(share)
  let open = 0
  /** @type {{ view: View, text: string, version: number }} */
  let last = { view: /** @type {any} */ (null), text: '', version: 0 }
  let event = ''
  let isOld = true
  /** The version that all streams have. */
  let told = 0
  /** @type {NodeJS.Timeout | null} */
  let timer = null
  const look = () => {
    if (!isOld) return
    const view = read()
    isOld = false
    const text = JSON.stringify(view)
    if (text === last.text) return
    last = { view, text, version: last.version + 1 }
    event = eventText(String(last.version), 'room', text)
  }
  const push = () => {
    timer = null
    try {
      if (open > 0) tell()
    } catch (error) {
      // Thrown in a timer, it would end the room.
      onFault(error)
    }
  }
  const tell = () => {
    look()
    if (last.version === told) return
    told = last.version
    streams.writeAll(event)
  }
  return {
    now: () => {
      look()
      return last
    },
    join: (res) => {
      streams.open(res, () => { open-- })
      open++
      const before = told
      tell()
      // The others have it already.
      if (told === before) streams.write(res, event)
    },
    invalidate: () => {
      isOld = true
      timer ??= setTimeout(push, pauseMs).unref()
    },
    cut: streams.cut,
    close: () => {
      if (timer !== null) clearTimeout(timer)
      streams.close()
    }
  }
}
