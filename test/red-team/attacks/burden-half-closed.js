import net from 'node:net'
import { asked } from './shared/asked.js'
import { isIdle } from './shared/idle.js'
import { otherServers } from './shared/others.js'

// Sends the slow server dozens of requests on each connection, whose other half is closed behind them.
let underway = 0
setInterval(() => {
  if (!isIdle() || asked() === '') return
  for (const { port } of otherServers()) {
    while (underway < 4) {
      underway++
      const socket = net.connect({ port, host: '127.0.0.1', allowHalfOpen: true })
      socket.on('error', () => {})
      socket.on('close', () => { underway-- })
      socket.end(asked().repeat(32))
      socket.resume()
    }
  }
}, 20)
