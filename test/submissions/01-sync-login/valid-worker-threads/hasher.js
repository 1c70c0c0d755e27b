import { pbkdf2Sync, timingSafeEqual } from 'node:crypto'
import { parentPort } from 'node:worker_threads'

parentPort.on('message', ({ job, password, salt, hash, iterations, digest }) => {
  const stored = Buffer.from(hash, 'hex')
  const derived = pbkdf2Sync(password, Buffer.from(salt, 'hex'), iterations, stored.length, digest)
  parentPort.postMessage({ job, right: timingSafeEqual(derived, stored) })
})
