import { parentPort, workerData } from 'node:worker_threads'
import { forecast } from './forecast.js'

// A copy of this thread's own, kept up to date by what it is told.
const { products, orders } = workerData

parentPort.on('message', ({ news, task }) => {
  if (news) return orders.push(news)
  try {
    parentPort.postMessage({ result: forecast({ products, orders }, task) })
  } catch (error) {
    parentPort.postMessage({ error })
  }
})
