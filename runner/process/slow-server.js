import { subscribe } from 'node:diagnostics_channel'
import fs from 'node:fs'
import { isMainThread } from 'node:worker_threads'

/**
 * Loaded before a process of the workshop's own. SIGUSR1 would open its inspector to every program on this machine, and
 * through it the slow server could be made slower. Node 20 has no flag that forbids it.
 */
process.on('SIGUSR1', () => {})

/** Where the check counts its connections, a byte for each. */
const countFd = 3

// Another process of the same program has its channel to that program there.
if (isMainThread && process.channel === undefined) {
  subscribe('net.server.socket', () => {
    try {
      fs.writeSync(countFd, '.')
    } catch {}
  })
}
