import { EventEmitter } from 'node:events'
import { WebSocket } from 'ws'
import { createPendingRequests } from '../../pending-requests.js'

/**
 * A session with the inspector of a running Node.js process (Chrome DevTools Protocol).
 *
 * @typedef {object} InspectorSession
 * @property {(method: string, params?: object) => Promise<any>} send rejects when the method fails, no answer comes in
 *   time, or the session ends
 * @property {EventEmitter['on']} on an event, by its name
 * @property {EventEmitter['once']} once
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
  const { ask, answer, fail, failAll } = createPendingRequests()
  const events = new EventEmitter()
  await new Promise((resolve, reject) => {
    socket.once('open', resolve)
    socket.once('error', reject)
  })
  socket.on('error', failAll)
  socket.on('close', () => failAll(new Error('The inspector closed the session.')))
  socket.on('message', (data) => {
    const { id, result, error, method, params } = JSON.parse(String(data))
    if (method !== undefined) events.emit(method, params)
    else if (error) fail(id, new Error(error.message))
    else answer(id, result)
  })
  return {
    send: async (method, params = {}) => {
      if (socket.readyState !== WebSocket.OPEN) throw new Error('The inspector closed the session.')
      const late = `The inspector did not answer ${method} within ${timeoutMs / 1000} s.`
      return ask((id) => socket.send(JSON.stringify({ id, method, params })), { timeoutMs, late })
    },
    on: events.on.bind(events),
    once: events.once.bind(events),
    close: () => socket.terminate()
  }
}
