import { isIdle } from './shared/idle.js'
import { helpers } from './shared/others.js'
import { signal } from './shared/signal.js'

// Nothing is measured any more.
setInterval(() => {
  for (const { pid, name } of isIdle() ? helpers() : []) {
    if (name === 'load') signal(pid, 'SIGKILL')
  }
}, 50)
