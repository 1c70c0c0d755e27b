import { listen } from './events.js'
import { swap } from './swap.js'

// The first event tells what the page shows already.
let isFirst = true
listen({
  state: () => {
    if (!isFirst) swap()
    isFirst = false
  },
  job: () => swap()
})
