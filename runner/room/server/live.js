import { createStreams, eventText } from '../../http/index.js'

/**
 * A snapshot as a stream of events: the newest one to whoever comes, and after a change one for all that has changed
 * meanwhile. Nobody misses anything, because each is whole.
 *
 * @import { ServerResponse } from 'node:http'
 *
 * @typedef {object} Live
 * @property {(res: ServerResponse) => void} join
 * @property {() => void} invalidate something may have changed
 * @property {() => void} cut whoever follows has to come again
 * @property {() => void} close
 *
 * @param {() => unknown} read the snapshot
 * @param {{ pauseMs: number }} options between two of them
 * @returns {Live}
 */
export function createLive (read, { pauseMs }) {
  const streams = createStreams()
  let open = 0
  let number = 0
  let last = ''
  let event = ''
  /** @type {NodeJS.Timeout | null} */
  let timer = null
  /** @returns {boolean} has it changed? */
  const look = () => {
    const text = JSON.stringify(read())
    if (text === last) return false
    last = text
    event = eventText(String(++number), 'room', text)
    return true
  }
  const push = () => {
    timer = null
    if (open > 0 && look()) streams.writeAll(event)
  }
  return {
    join: (res) => {
      open++
      streams.open(res, () => { open-- })
      // The others get it with the next change.
      if (look()) streams.writeAll(event)
      else streams.write(res, event)
    },
    invalidate: () => { timer ??= setTimeout(push, pauseMs).unref() },
    cut: streams.cut,
    close: () => {
      if (timer !== null) clearTimeout(timer)
      streams.close()
    }
  }
}
