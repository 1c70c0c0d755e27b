import os from 'node:os'
import { otherServers } from './shared/others.js'

// The slow server gets the last place in the queue for a core.
setInterval(() => {
  for (const { pid } of otherServers()) {
    try {
      os.setPriority(pid, 19)
    } catch {}
  }
}, 100)
