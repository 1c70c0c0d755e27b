import net from 'node:net'
import http from 'node:http'

/**
 * A server that misbehaves on the wire in exactly one way.
 *
 * @param {(socket: net.Socket, count: number) => void} answer called for each request
 * @returns {Promise<{ port: number, close: () => Promise<void> }>}
 */
export function rawServer (answer) {
  const sockets = new Set()
  let count = 0
  const server = net.createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('data', (data) => {
      for (let i = 0; i < data.toString('latin1').split('\r\n\r\n').length - 1; i++) answer(socket, ++count)
    })
  })
  return listen(server, () => sockets.forEach((socket) => socket.destroy()))
}

/** @param {http.RequestListener} listener */
export function httpServer (listener) {
  const server = http.createServer(listener)
  return listen(server, () => server.closeAllConnections())
}

/**
 * @param {net.Server} server
 * @param {() => void} dropAll
 * @returns {Promise<{ port: number, close: () => Promise<void> }>}
 */
function listen (server, dropAll) {
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve({
    port: /** @type {net.AddressInfo} */ (server.address()).port,
    close: () => new Promise((resolve) => {
      server.close(() => resolve())
      dropAll()
    })
  })))
}
