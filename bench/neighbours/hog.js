/** Keeps one core busy: all the time, or for 0.2 to 1.5 s with pauses as long. Ends when its parent does. */

const bursts = process.argv[2] === 'bursts'
const turnMs = 20
process.on('disconnect', () => process.exit())
process.send?.('ready')

let busy = true
let switchAt = performance.now()

function turn () {
  const now = performance.now()
  if (bursts && now >= switchAt) {
    busy = !busy
    switchAt = now + 200 + 1300 * Math.random()
  }
  const until = now + turnMs
  if (!busy) return setTimeout(turn, turnMs)
  // Short turns, so that the end of the parent is noticed between two of them.
  while (performance.now() < until);
  setImmediate(turn)
}
turn()
