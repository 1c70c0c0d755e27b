import { parentPort, workerData } from 'node:worker_threads'
import { openBook } from './book.js'

const book = openBook(workerData.opening)

parentPort.on('message', (entry) => parentPort.postMessage(book.add(entry)))
