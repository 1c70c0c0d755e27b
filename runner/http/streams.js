import { refuse } from './refuse.js'

/**
 * Connections of server-sent events.
 *
 * @import { ServerResponse } from 'node:http'
 * @import { Share } from './share.js'
 *
 * @typedef {object} Streams
 * @property {(res: ServerResponse, onClose?: () => void) => void} open throws with a status if there are too many
 * @property {(res: ServerResponse) => boolean} has is it still open?
 * @property {(res: ServerResponse, text: string | Buffer) => void} write
 * @property {(text: string | Buffer) => void} writeAll
 * @property {() => void} cut closes all of them
 * @property {() => void} close
 */

/** Forwarders close silent connections. */
const heartbeatMs = 15_000

/** A client that doesn't read is cut off, and reconnects with its last id. */
const mostUnreadBytes = 4 * 1024 * 1024

/** @param {Share} share of all that may be open @returns {Streams} */
export function createStreams (share) {
  /** @type {Set<ServerResponse>} */
  const clients = new Set()
  const write = (/** @type {ServerResponse} */ res, /** @type {string | Buffer} */ text) => {
    if (res.writableLength > mostUnreadBytes) res.destroy()
    // Past the response, which would hold each write until the next tick: there may be hundreds.
    else (res.socket ?? res).write(text)
  }
  const writeAll = (/** @type {string | Buffer} */ text) => { for (const res of clients) write(res, text) }
  const cut = () => { for (const res of clients) res.end() }
  const heartbeat = setInterval(() => writeAll(':\n\n'), heartbeatMs).unref()
  return {
    open: (res, onClose = () => {}) => {
      const leave = share.enter(res.req.socket.remoteAddress)
      if (leave === null) {
        throw refuse(429, 'Too many pages that follow the workshop are open, here or elsewhere: close some of yours.')
      }
      // It ends with its connection, and has no chunks.
      res.removeHeader('Transfer-Encoding')
      res.writeHead(200, { 'Content-Type': 'text/event-stream', 'X-Accel-Buffering': 'no' })
      res.write('retry: 1000\n\n')
      clients.add(res)
      res.on('close', () => {
        clients.delete(res)
        leave()
        onClose()
      })
    },
    has: (res) => clients.has(res),
    write,
    writeAll,
    cut,
    close: () => {
      clearInterval(heartbeat)
      cut()
    }
  }
}

/** One event, as it is written. @param {string} id @param {string} name @param {string} json without line breaks */
export function eventText (id, name, json) {
  return `id: ${id}\nevent: ${name}\ndata: ${json}\n\n`
}
