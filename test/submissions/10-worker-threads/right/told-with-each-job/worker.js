import { parentPort, workerData } from 'node:worker_threads'
import { forecast } from './forecast.js'

const { products } = workerData
const orders = []

parentPort.on('message', ({ fresh, report }) => {
  for (const order of fresh) orders.push(order)
  try {
    parentPort.postMessage({ result: forecast({ products, orders }, report) })
  } catch (error) {
    parentPort.postMessage({ failure: error.message })
  }
})
