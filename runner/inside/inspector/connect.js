import { WebSocket } from 'ws'

/**
 * A session with the inspector of a running Node.js process (Chrome DevTools Protocol).
 *
 * @typedef {object} InspectorSession
 * @property {(method: string, params?: object) => Promise<any>} send rejects when the method fails, no answer comes in
 *   time, or the session ends
 * @property {() => void} close a process with an open session does not end by itself: close it as soon as you can
 */

/**
 * @param {string} url `ws://127.0.0.1:PORT/UUID`, as the process prints it
 * @param {{ timeoutMs?: number }} [options] for connecting and for each answer
 * @returns {Promise<InspectorSession>}
 */
export async function connectInspector (url, { timeoutMs = 10_000 } = {}) {
  const socket = new WebSocket(url, {
    perMessageDeflate: false,
    handshakeTimeout: timeoutMs,
    maxPayload: 256 * 1024 * 1024
  })
  /** @type {Map<number, { resolve: (value: any) => void, reject: (error: Error) => void }>} */
  const waiting = new Map()
  let last = 0
  const rejectAll = (/** @type {Error} */ error) => {
    for (const { reject } of waiting.values()) reject(error)
    waiting.clear()
  }
  await new Promise((resolve, reject) => {
    socket.once('open', resolve)
    socket.once('error', reject)
  })
  socket.on('error', rejectAll)
  socket.on('close', () => rejectAll(new Error('The inspector closed the session.')))
  socket.on('message', (data) => {
    const { id, result, error } = JSON.parse(String(data))
    const asker = waiting.get(id)
    if (!asker) return
    waiting.delete(id)
    if (error) asker.reject(new Error(error.message))
    else asker.resolve(result)
  })
  return {
    send: (method, params = {}) => new Promise((resolve, reject) => {
      if (socket.readyState !== WebSocket.OPEN) return reject(new Error('The inspector closed the session.'))
      const id = ++last
      const limit = setTimeout(() => {
        waiting.delete(id)
        reject(new Error(`The inspector did not answer ${method} within ${timeoutMs / 1000} s.`))
      }, timeoutMs)
      const settle = (/** @type {(value: any) => void} */ done) => (/** @type {any} */ value) => {
        clearTimeout(limit)
        done(value)
      }
      waiting.set(id, { resolve: settle(resolve), reject: settle(reject) })
      socket.send(JSON.stringify({ id, method, params }))
    }),
    close: () => socket.terminate()
  }
}
