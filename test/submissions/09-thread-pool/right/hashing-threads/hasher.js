import { pbkdf2Sync } from 'node:crypto'
import { parentPort } from 'node:worker_threads'

parentPort.on('message', ({ password, salt, iterations, length, digest }) => {
  try {
    parentPort.postMessage({ derived: pbkdf2Sync(password, salt, iterations, length, digest) })
  } catch (error) {
    parentPort.postMessage({ error })
  }
})
