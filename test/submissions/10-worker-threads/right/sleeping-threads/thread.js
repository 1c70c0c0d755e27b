'use strict'
const { receiveMessageOnPort, workerData: { shop, bell, port } } = require('node:worker_threads')
const { forecast } = require('./forecast.js')

for (;;) {
  const rung = Atomics.load(bell, 0)
  for (let next; (next = receiveMessageOnPort(port));) work(next.message)
  Atomics.wait(bell, 0, rung)
}

function work ({ order, report }) {
  if (order) return shop.orders.push(order)
  let text = null
  try {
    text = JSON.stringify(forecast(shop, report))
  } catch (error) {
    console.error(error.message)
  }
  port.postMessage(text)
}
