'use strict'
const os = require('node:os')
const path = require('node:path')
const { MessageChannel, Worker } = require('node:worker_threads')

/**
 * Threads that sleep until their bell rings. What is posted to one arrives in order: orders before the report that
 * counts them.
 */
exports.openPool = function (shop) {
  const lines = Array.from({ length: Math.max(2, os.availableParallelism()) }, () => {
    const bell = new Int32Array(new SharedArrayBuffer(4))
    const { port1, port2 } = new MessageChannel()
    const worker = new Worker(path.join(__dirname, 'thread.js'), {
      workerData: { shop, bell, port: port2 },
      transferList: [port2]
    })
    const waiting = []
    // A thread catches what a report throws: when one ends all the same, its copy of the orders is lost, and so is the
    // service.
    worker.on('error', (error) => { throw error })
    port1.on('message', (text) => waiting.shift()(text))
    const post = (message) => {
      port1.postMessage(message)
      Atomics.add(bell, 0, 1)
      Atomics.notify(bell, 0)
    }
    return { waiting, post }
  })
  return {
    tell: (order) => lines.forEach(({ post }) => post({ order })),
    run: (report) => new Promise((resolve) => {
      const shortest = lines.reduce((one, other) => other.waiting.length < one.waiting.length ? other : one)
      shortest.waiting.push(resolve)
      shortest.post({ report })
    })
  }
}
