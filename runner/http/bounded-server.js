import http from 'node:http'
import https from 'node:https'
import { createShare } from './share.js'

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
