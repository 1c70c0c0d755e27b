import net from 'node:net'

/**
 * A port of 127.0.0.1 that was free a moment ago, given by the operating system.
 *
 * @returns {Promise<number>}
 */
export async function freePort () {
  const probe = net.createServer()
  const port = await listen(probe)
  await new Promise((resolve) => probe.close(resolve))
  return port
}

/** Lets a server of ours listen on 127.0.0.1. @param {net.Server} server @returns {Promise<number>} its port */
export function listen (server) {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port } = /** @type {net.AddressInfo} */ (server.address())
      resolve(port)
    })
  })
}

/**
 * Does anything accept a connection there?
 *
 * @param {string} host
 * @param {number} port
 * @param {number} [timeoutMs]
 * @returns {Promise<boolean>}
 */
export function answers (host, port, timeoutMs = 500) {
  return new Promise((resolve) => {
    const socket = net.connect({ host, port })
    const end = (/** @type {boolean} */ answered) => {
      socket.destroy()
      resolve(answered)
    }
    socket.setTimeout(timeoutMs, () => end(false))
    socket.once('connect', () => end(true))
    socket.once('error', () => end(false))
  })
}
