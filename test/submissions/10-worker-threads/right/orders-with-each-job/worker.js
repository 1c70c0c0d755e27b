import { parentPort } from 'node:worker_threads'
import { forecast } from './forecast.js'

parentPort.on('message', ({ shop, report }) => parentPort.postMessage(forecast(shop, report)))
