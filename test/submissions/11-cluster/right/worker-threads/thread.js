import { parentPort, workerData } from 'node:worker_threads'
import { panorama } from './panorama.js'

parentPort.on('message', ({ x, y }) => parentPort.postMessage(panorama(workerData, x, y)))
