import { pbkdf2Sync } from 'node:crypto'
import { parentPort } from 'node:worker_threads'

parentPort.on('message', ({ password, salt, iterations, digest, port }) => {
  port.postMessage(pbkdf2Sync(password, Buffer.from(salt, 'hex'), iterations, 512, digest))
  port.close()
})
