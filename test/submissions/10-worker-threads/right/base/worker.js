import { parentPort, workerData } from 'node:worker_threads'
import { forecast } from './forecast.js'

const { products, orders } = workerData

parentPort.on('message', ({ order, report }) => {
  if (order) return orders.push(order)
  try {
    parentPort.postMessage({ result: forecast({ products, orders }, report) })
  } catch (error) {
    parentPort.postMessage({ error })
  }
})
