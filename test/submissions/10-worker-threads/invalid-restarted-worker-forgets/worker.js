import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parentPort } from 'node:worker_threads'
import { forecast } from './forecast.js'

const products = JSON.parse(readFileSync(join(process.env.DATA_DIR, 'products.json'), 'utf8'))
const orders = JSON.parse(readFileSync(join(process.env.DATA_DIR, 'orders.json'), 'utf8'))

parentPort.on('message', ({ order, report }) => {
  if (order) orders.push(order)
  else parentPort.postMessage({ result: forecast({ products, orders }, report) })
})
