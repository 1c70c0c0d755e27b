import { listen } from './events.js'
import { request } from './request.js'
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

document.querySelector('[data-doctor]').addEventListener('click', () => {
  request('/api/fitness').then(() => swap(), (error) => {
    document.querySelector('[data-swap=fitness]').textContent = error.message
  })
})
