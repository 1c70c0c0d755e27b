import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import http from 'node:http'
import net from 'node:net'
import { capabilitiesOf, createTheme } from '../../runner/report/index.js'
import { dotPlot } from '../shared/plot.js'

/**
 * Sends orders in an open loop: `npm run send 400 3` sends 400 a second for 3 seconds, each on a connection that has
 * been open for a while, as a trader's program has one. With `new` each opens its connection when it's due. With `pool`
 * it uses one that's free, and opens a new one only if none is.
 */

/** How long a trader waits, in the words of the lesson's first step. */
const goalMs = 250

const { PORT = '3000' } = process.env
const [rate, seconds] = process.argv.slice(2).map(Number)
const [, , , , way = 'own'] = process.argv
if (!(rate > 0 && seconds > 0) || !['own', 'new', 'pool'].includes(way)) {
  console.error('Say how many orders per second, for how many seconds, and perhaps on which connections: ' +
    'npm run send 400 3, npm run send 400 3 new, or npm run send 400 3 pool')
  process.exit(2)
}

const target = { port: Number(PORT), host: '127.0.0.1' }
const order = readFileSync(new URL('./order.json', import.meta.url))
const headers = { 'Content-Type': 'application/json' }
const agent = new http.Agent({ keepAlive: way === 'pool' })
/** By the status or the error that they ended with. @type {Record<string, { atMs: number, tookMs: number }[]>} */
const orders = {}
const opened = await connect(way === 'own' ? Math.ceil(rate * seconds) : 0).catch(({ code, message }) => {
  console.error(code === 'ECONNREFUSED' ? `Nothing listens on port ${PORT}: start your server first.` : message)
  process.exit(1)
})
const startedAt = performance.now()
const dueAt = (/** @type {number} */ nth) => startedAt + nth * 1000 / rate
let sent = 0

// Requests leave on schedule, even if earlier ones are unanswered.
const timer = setInterval(() => {
  for (; sent < rate * seconds && dueAt(sent) <= performance.now(); sent++) send(dueAt(sent))
  if (sent >= rate * seconds) clearInterval(timer)
}, 1)

/** Opens connections, a few at a time, until the server has accepted them all. @param {number} count */
async function connect (count) {
  /** @type {net.Socket[]} */
  const sockets = []
  while (sockets.length < count) {
    const some = Array.from({ length: Math.min(50, count - sockets.length) }, () => net.connect(target))
    sockets.push(...some)
    await Promise.all(some.map((socket) => once(socket, 'connect')))
  }
  // Connections are accepted in their order, so when this one has its response, all have been.
  const [response] = await once(http.get({ ...target, path: '/healthz', agent: false }), 'response')
  response.resume()
  return sockets
}

/** @param {number} due when it should leave, which is when its latency begins */
function send (due) {
  const note = (/** @type {string | number} */ end) =>
    (orders[end] ??= []).push({ atMs: due - startedAt, tookMs: performance.now() - due })
  const socket = opened.shift()
  const on = socket === undefined ? { agent } : { createConnection: () => socket }
  http.request({ ...target, ...on, path: '/quotes', method: 'POST', headers }, (res) => {
    res.resume().on('end', () => note(Number(res.statusCode)))
  }).on('error', (/** @type {NodeJS.ErrnoException} */ { code, message }) => note(code ?? message)).end(order)
}

process.on('exit', () => {
  if (sent === 0) return
  const all = Object.entries(orders).flatMap(([end, some]) => some.map((one) => ({ ...one, isGood: end === '201' })))
  console.log('How long each order took, by when it was due (. one quote, : several, x something else):\n')
  console.log(dotPlot(all, { goalMs, paper: createTheme(capabilitiesOf(process.stdout)) }).join('\n') + '\n')
  for (const [end, some] of Object.entries(orders)) {
    const ms = some.map(({ tookMs }) => tookMs).sort((a, b) => a - b)
    const at = (/** @type {number} */ part) => ms[Math.floor(part * (ms.length - 1))].toFixed(0)
    console.log(`${end}: ${ms.length} orders, median ${at(0.5)} ms, p99 ${at(0.99)} ms, longest ${at(1)} ms`)
  }
  const inTime = (orders[201] ?? []).filter(({ tookMs }) => tookMs <= goalMs).length
  const share = Math.round(100 * inTime / sent)
  console.log(`Quotes within ${goalMs} ms: ${inTime} of ${sent} orders, which is ${share} %, ` +
    `or ${Math.round(inTime / seconds)} per second`)
})
