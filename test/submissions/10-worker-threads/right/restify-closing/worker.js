import { parentPort, workerData } from 'node:worker_threads'
import { forecast } from './forecast.js'

parentPort.on('message', ({ order, report, port }) => {
  if (order) return workerData.orders.push(order)
  try {
    port.postMessage({ status: 200, body: forecast(workerData, report) })
  } catch {
    port.postMessage({ status: 500, body: { error: 'internal_error' } })
  }
})
