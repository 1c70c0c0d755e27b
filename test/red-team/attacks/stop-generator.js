import { isIdle } from './shared/idle.js'
import { helpers } from './shared/others.js'
import { signal } from './shared/signal.js'

// The load generator's clock runs on while it is stopped, but only while the slow server is measured.
let stopped = false
setInterval(() => {
  stopped = !stopped && isIdle()
  for (const { pid, name } of helpers()) {
    if (name === 'load') signal(pid, stopped ? 'SIGSTOP' : 'SIGCONT')
  }
}, 12)
