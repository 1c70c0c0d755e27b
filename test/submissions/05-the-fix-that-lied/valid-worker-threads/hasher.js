import { pbkdf2Sync } from 'node:crypto'
import { parentPort } from 'node:worker_threads'

parentPort.on('message', ({ job, password, salt }) => {
  parentPort.postMessage({ job, hash: pbkdf2Sync(password, Buffer.from(salt, 'hex'), 8000, 512, 'sha512') })
})
