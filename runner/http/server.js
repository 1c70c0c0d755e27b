import http from 'node:http'
import https from 'node:https'
import { WorkshopError } from '../shared/errors.js'

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
