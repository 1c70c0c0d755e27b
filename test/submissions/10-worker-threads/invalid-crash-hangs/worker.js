import { parentPort, workerData } from 'node:worker_threads'
import { forecast } from './forecast.js'

const { products, orders } = workerData

parentPort.on('message', ({ order, report }) => {
  if (order) orders.push(order)
  else parentPort.postMessage({ result: forecast({ products, orders }, report) })
})
