import net from 'node:net'
import { asked } from './shared/asked.js'
import { isIdle } from './shared/idle.js'
import { otherServers } from './shared/others.js'

// Sends the slow server many requests at once, and resets each connection before anyone can see it.
setInterval(() => {
  if (!isIdle() || asked() === '') return
  for (const { port } of otherServers()) {
    const socket = net.connect({ port, host: '127.0.0.1' })
    socket.on('error', () => {})
    socket.write(asked().repeat(200), () => socket.resetAndDestroy())
  }
}, 150)
