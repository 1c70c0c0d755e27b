import cluster from 'node:cluster'
import { createConnection, Server, Socket } from 'node:net'
import { isMainThread, parentPort, threadId } from 'node:worker_threads'
import * as measure from './measure-thread.js'
import { recorderName } from './name.js'

/**
 * Loaded before a server by `--import`, in each of its processes and threads. It takes orders over a connection of its
 * own (a signal is not portable, a child has no IPC with us), and costs nothing until one comes. What measure-thread.js
 * exports are orders.
 *
 * @type {Record<string, (...params: any[]) => any>}
 */
const orders = { ...measure, end: endByItself }
for (const order of ['startLoop', 'frameLoop', 'stopLoop']) {
  orders[order] = async (params) => (await import('./event-loop.js'))[/** @type {'frameLoop'} */ (order)](params)
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
  say({ hello: token, pid: process.pid, threadId, main: isMainThread })
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

/** How long what writes its report at the end of a process may take for it. */
const reportMs = 5_000

/**
 * Lets this process, or this thread, run out of work, as a tool needs it that writes its report at the end: servers are
 * closed, their connections ended. What then still keeps it alive (an interval, unfinished work) is given a
 * while.
 *
 * @param {{ graceMs: number }} params
 */
function endByItself ({ graceMs }) {
  closeServers()
  // A worker of a cluster does not listen itself, so its servers are not among its handles.
  if (isMainThread) cluster.worker?.disconnect()
  parentPort?.unref()
  setTimeout(insist, graceMs).unref()
}

function closeServers () {
  const servers = new Set()
  // Undocumented, and the only list of a process's servers and sockets that all versions have.
  for (const handle of /** @type {any} */ (process)._getActiveHandles()) {
    if (handle instanceof Server) servers.add(handle)
    if (!(handle instanceof Socket)) continue
    const { server } = /** @type {any} */ (handle)
    if (!(server instanceof Server)) continue
    servers.add(server)
    handle.destroy()
  }
  for (const server of servers) {
    // The server may have been closed already.
    server.close(() => {})
    // net.Server has none.
    server.closeAllConnections?.()
  }
}

function insist () {
  if (!isMainThread || process.listenerCount('beforeExit') === 0) process.exit()
  // process.exit() alone would not let these write their reports. They end the process when they are done.
  process.emit('beforeExit', Number(process.exitCode ?? 0))
  setTimeout(() => process.exit(), reportMs).unref()
}
