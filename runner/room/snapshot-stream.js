import { createStreams, eventText } from '../http/index.js'

/**
 * A snapshot, made once per change, for requests and as a stream of events: a new stream gets the newest one,
 * and later ones carry all changes since the last. No stream misses anything, because each snapshot is complete.
 *
 * @import { ServerResponse } from 'node:http'
 * @import { Share } from '../http/index.js'
 * @template View
 * @typedef {object} Live
 * @property {() => { text: string, version: number }} now text: the view as JSON
 * @property {() => View} view
 * @property {(res: ServerResponse) => void} join
 * @property {() => void} invalidate something may have changed
 * @property {() => void} cut followers must reconnect
 * @property {() => void} close
 */

/** A longer one is sent less often. */
const usualLength = 100_000

/**
 * @template View
 * @param {() => View} read the snapshot
 * @param {{ pauseMs: number, share: Share, onFault?: (error: unknown) => void }} options pauseMs: between two of them
 *   in a stream, at least; onFault: it couldn't be read, and followers keep the last one
 * @returns {Live<View>}
 */
export function createLive (read, { pauseMs, share, onFault = () => {} }) {
  const streams = createStreams(share)
  const snapshot = createSnapshot(read)
  let open = 0
  /** The version that all streams have, and when they got it, ms since the start. */
  let told = 0
  let toldAt = -Infinity
  /** @type {NodeJS.Timeout | null} */
  let timer = null
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
    const { version, event } = snapshot.newest()
    if (version === told) return
    told = version
    toldAt = performance.now()
    streams.writeAll(event)
  }
  const pauseNow = () => pauseMs * Math.max(1, snapshot.length() / usualLength)
  return {
    view: read,
    now: snapshot.newest,
    join: (res) => {
      streams.open(res, () => { open-- })
      open++
      const before = told
      tell()
      // The others have it already.
      if (told === before) streams.write(res, snapshot.newest().event)
    },
    invalidate: () => {
      snapshot.invalidate()
      timer ??= setTimeout(push, Math.max(0, toldAt + pauseNow() - performance.now())).unref()
    },
    cut: streams.cut,
    close: () => {
      if (timer !== null) clearTimeout(timer)
      streams.close()
    }
  }
}

/** @param {() => unknown} read */
function createSnapshot (read) {
  // Not the view: what is kept between two snapshots becomes garbage that V8 leaves until late.
  let last = { text: '', version: 0, event: Buffer.alloc(0) }
  let isOld = true
  return {
    length: () => last.text.length,
    invalidate: () => { isOld = true },
    newest: () => {
      if (!isOld) return last
      const text = JSON.stringify(read())
      isOld = false
      if (text === last.text) return last
      const version = last.version + 1
      // Once for all streams: there may be hundreds.
      last = { text, version, event: Buffer.from(eventText(String(version), 'room', text)) }
      return last
    }
  }
}
