import http from 'node:http'
import https from 'node:https'
import { createShare } from './share.js'

/**
 * A server that half requests and idle connections cannot fill: who has sent no whole head after 10 s, or no whole
 * request after 30 s, is cut off, and so is a connection too many.
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
