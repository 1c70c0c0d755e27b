import { Worker } from 'node:worker_threads'
import { isIdle } from './shared/idle.js'

// While the slow server is measured this one keeps both cores busy.
const flag = new Int32Array(new SharedArrayBuffer(4))
const burner = `const { workerData: flag } = require('node:worker_threads')
for (;;) if (Atomics.load(flag, 0) === 0) Atomics.wait(flag, 0, 0, 1000)`
for (let i = 0; i < 2; i++) new Worker(burner, { eval: true, workerData: flag }).unref()
setInterval(() => {
  Atomics.store(flag, 0, isIdle() ? 1 : 0)
  Atomics.notify(flag, 0)
}, 5)
