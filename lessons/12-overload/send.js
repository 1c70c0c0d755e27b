import { readFileSync } from 'node:fs'
import http from 'node:http'

/**
 * Sends orders in an open loop: `npm run send 400 3` sends 400 a second for 3 seconds, on connections that it keeps
 * open. `npm run send 400 3 new` opens a new one for each.
 */

const { PORT = '3000' } = process.env
const [rate, seconds] = process.argv.slice(2).map(Number)
if (!(rate > 0 && seconds > 0)) {
  console.error('Say how many orders per second, and for how many seconds: npm run send 400 3')
  process.exit(2)
}

const order = readFileSync(new URL('./order.json', import.meta.url))
const headers = { 'Content-Type': 'application/json' }
const agent = new http.Agent({ keepAlive: process.argv[4] !== 'new' })
/** How long requests took, by the status or the error that they ended with. @type {Record<string, number[]>} */
const times = {}
const startedAt = performance.now()
let sent = 0

// Requests leave on schedule, even if earlier ones are unanswered.
const timer = setInterval(() => {
  for (; sent < rate * seconds && dueAt(sent) <= performance.now(); sent++) send(dueAt(sent))
  if (sent >= rate * seconds) clearInterval(timer)
}, 1)

/** @param {number} number of the request, from 0 */
function dueAt (number) {
  return startedAt + number * 1000 / rate
}

/** @param {number} due when it should leave, which is when its latency begins */
function send (due) {
  const note = (/** @type {string | number} */ end) => (times[end] ??= []).push(performance.now() - due)
  http.request({ port: PORT, host: '127.0.0.1', path: '/quotes', method: 'POST', agent, headers }, (res) => {
    res.resume().on('end', () => note(Number(res.statusCode)))
  }).on('error', (/** @type {NodeJS.ErrnoException} */ { code, message }) => note(code ?? message)).end(order)
}

process.on('exit', () => {
  for (const [end, ms] of Object.entries(times)) {
    ms.sort((a, b) => a - b)
    const at = (/** @type {number} */ part) => ms[Math.floor(part * (ms.length - 1))].toFixed(0)
    console.log(`${end}: ${ms.length} orders, median ${at(0.5)} ms, p99 ${at(0.99)} ms, longest ${at(1)} ms`)
  }
  if (times.ECONNREFUSED) console.log(`Is your server running on port ${PORT}?`)
})
