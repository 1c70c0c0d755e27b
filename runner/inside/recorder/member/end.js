import cluster from 'node:cluster'
import { Server, Socket } from 'node:net'
import { isMainThread, parentPort } from 'node:worker_threads'

/** How long what writes its report at the end of a process may take for it. */
const reportMs = 5_000

/**
 * Lets this process, or this thread, run out of work, as a tool needs it that writes its report at the end: servers are
 * closed, their connections ended. What then still keeps it alive (an interval, unfinished work) is given a
 * while.
 *
 * @param {{ graceMs: number }} params
 */
export function endByItself ({ graceMs }) {
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
    // It may have been closed already.
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
