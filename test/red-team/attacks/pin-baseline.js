import { execFile } from 'node:child_process'
import { helpers, otherServers } from './shared/others.js'

// The slow server and the load generator share one core.
setTimeout(() => {
  setInterval(() => {
    for (const { pid } of [...otherServers(), ...helpers()]) {
      execFile('taskset', ['-a', '-p', '-c', '0', String(pid)], () => {})
    }
  }, 500)
}, 300)
