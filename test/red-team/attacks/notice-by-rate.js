import { cheatWhen } from './shared/cheat.js'

// More than 20 requests within 400 ms.
/** @type {number[]} */
const times = []
cheatWhen(() => {
  const now = performance.now()
  times.push(now)
  while (times[0] < now - 400) times.shift()
  return times.length > 20
})
