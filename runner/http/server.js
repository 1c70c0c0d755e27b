import http from 'node:http'
import https from 'node:https'
import { WorkshopError } from '../shared/errors.js'
import { refuse } from './guard.js'

/** @import { ServerResponse } from 'node:http' */

const strangeAddress = ['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN', 'EINVAL', 'EAFNOSUPPORT']

/**
 * @param {import('node:net').Server} server
 * @param {number} wanted port; 0: the system's choice
 * @param {string} host address
 * @returns {Promise<number>} port
 * @throws {WorkshopError} the port is taken, or the address isn't one of this machine
 */
export async function listen (server, wanted, host) {
  try {
    await new Promise((resolve, reject) => {
      server.once('error', reject).listen(wanted, host, () => resolve(undefined))
    })
  } catch (error) {
    if (strangeAddress.includes(error.code)) {
      throw new WorkshopError(`${host} isn’t an address of this machine (${error.code}): name one that it has.`,
        { cause: error })
    }
    const fault = error.code === 'EADDRINUSE' ? 'is taken' : `can’t be opened (${error.code})`
    throw new WorkshopError(`Port ${wanted} ${fault}: name another one, or leave out --port and the system finds one.`,
      { cause: error })
  }
  const address = /** @type {import('node:net').AddressInfo} */ (server.address())
  return address.port
}

/**
 * A server that half-sent requests and idle connections can't fill: it closes a connection without a whole head
 * after 10 s or a whole request after 30 s, and any connection above its limit.
 *
 * @param {{ most: number, perAddress: number }} connections
 * @param {{ cert: Buffer, key: Buffer }} [tls] PEM; default: plain HTTP
 * @returns {http.Server | https.Server}
 */
export function boundedServer (connections, tls) {
  const limits = { headersTimeout: 10_000, requestTimeout: 30_000, connectionsCheckingInterval: 5_000 }
  const server = tls === undefined
    ? http.createServer(limits)
    : https.createServer({ ...limits, ...tls, handshakeTimeout: 10_000 })
  server.maxConnections = connections.most
  const share = createShare(connections)
  server.on('connection', (socket) => {
    const leave = share.enter(socket.remoteAddress)
    if (leave === null) socket.destroy()
    else socket.once('close', leave)
  })
  return server
}

/**
 * A shared limit, of which no address takes too much once it becomes scarce: before that, a whole class may sit behind
 * one. Pure but for what it counts.
 *
 * @typedef {object} Share
 * @property {(address: string | undefined) => (() => void) | null} enter returns what gives it back; null: refused
 *
 * @param {{ most: number, perAddress: number }} limits perAddress: from the time when half of `most` is taken; this
 *   machine's own may have all of it
 * @returns {Share}
 */
export function createShare ({ most, perAddress }) {
  /** @type {Map<string, number>} */
  const taken = new Map()
  let total = 0
  const add = (/** @type {string} */ address, /** @type {number} */ by) => {
    const count = (taken.get(address) ?? 0) + by
    if (count === 0) taken.delete(address)
    else taken.set(address, count)
    total += by
  }
  return {
    enter: (address = '') => {
      const hasMuch = (taken.get(address) ?? 0) >= perAddress && !/^(::ffff:)?127\.|^::1$/.test(address)
      if (total >= most || (hasMuch && total >= most / 2)) return null
      add(address, 1)
      let isOver = false
      return () => {
        if (!isOver) add(address, -1)
        isOver = true
      }
    }
  }
}

/**
 * Connections of server-sent events.
 *
 * @typedef {object} Streams
 * @property {(res: ServerResponse, onClose?: () => void) => void} open throws with a status if there are too many
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
