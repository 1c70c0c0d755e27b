import { pbkdf2Sync } from 'node:crypto'
import { parentPort } from 'node:worker_threads'

// Synchronous on purpose: this thread has nothing else to do.
parentPort.on('message', (parameters) => {
  try {
    parentPort.postMessage({ hash: pbkdf2Sync(...parameters) })
  } catch (error) {
    parentPort.postMessage({ error })
  }
})
