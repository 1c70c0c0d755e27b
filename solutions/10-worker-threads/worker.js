import { parentPort, workerData } from 'node:worker_threads'
import { forecast } from './forecast.js'

// This thread's copy, kept up to date by messages.
const { products, orders } = workerData

parentPort.on('message', ({ news, task }) => {
  if (news) return orders.push(news)
  try {
    parentPort.postMessage({ result: forecast({ products, orders }, task) })
  } catch (error) {
    parentPort.postMessage({ error })
  }
})
