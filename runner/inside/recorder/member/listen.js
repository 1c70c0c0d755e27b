import { createConnection } from 'node:net'
import { isMainThread, threadId } from 'node:worker_threads'
import { recorderName } from '../name.js'
import * as cpu from './cpu-profile.js'
import { endByItself } from './end.js'
import * as figures from './thread-metrics.js'
import * as heap from './heap.js'
import { mostListeners } from './listeners.js'
import * as timeline from './timeline.js'

/**
 * Loaded before a server by `--import`, in each of its processes and threads. It takes orders over a connection of its
 * own (a signal is not portable, a child has no IPC with us), and costs nothing until one comes.
 *
 * @type {Record<string, (params: any) => any>}
 */
const orders = {
  startCpu: cpu.startCpu,
  markCpu: cpu.markCpu,
  stopCpu: cpu.stopCpu,
  startCoverage: cpu.startCoverage,
  stopCoverage: cpu.stopCoverage,
  startHeap: heap.startHeap,
  stopHeap: heap.stopHeap,
  snapshot: heap.snapshot,
  startFigures: figures.startFigures,
  stopFigures: figures.stopFigures,
  startTimeline: timeline.startTimeline,
  stopTimeline: timeline.stopTimeline,
  listeners: mostListeners,
  end: endByItself
}

const [port, token] = (process.env[recorderName] ?? '').split(' ')
if (token) listen(Number(port), token)

/** @param {number} port @param {string} token */
function listen (port, token) {
  const socket = createConnection({ host: '127.0.0.1', port })
  // The server ends when it would end without us.
  socket.unref()
  socket.on('error', () => {})
  const say = (/** @type {object} */ message) => { socket.write(`${JSON.stringify(message)}\n`) }
  say({ hello: token, pid: process.pid, threadId, main: isMainThread, script: process.argv[1] ?? '' })
  // So that a thread that cannot be recorded is named.
  process.on('worker', (worker) => say({ worker: worker.threadId }))

  let rest = ''
  socket.setEncoding('utf8')
  socket.on('data', (chunk) => {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      const { id, order, params } = JSON.parse(line)
      carryOut(order, params).then(
        (value) => say({ id, value: value ?? null }),
        (error) => say({ id, error: String(error?.message ?? error) })
      )
    }
  })
}

/** @param {string} order @param {any} params */
async function carryOut (order, params) {
  if (!Object.hasOwn(orders, order)) throw new Error(`The recorder knows no order ${order}.`)
  return orders[order](params)
}
