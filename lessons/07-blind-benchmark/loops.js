import { fork } from 'node:child_process'
import { once } from 'node:events'
import http from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { capabilitiesOf, createTheme } from '../../runner/report/index.js'
import { onKeptConnections } from '../shared/batches.js'
import { histogram } from '../shared/plot.js'

/**
 * Measures one server with a closed and with an open loop at the same time: `npm run loops`, or `npm run loops 20` for
 * 20 seconds. Whoever runs it pauses the server meanwhile.
 */

const seconds = Number(process.argv[2] ?? 10)
if (!(seconds > 0)) {
  console.error('Say for how many seconds: npm run loops 10')
  process.exit(2)
}
const rate = 50

const file = fileURLToPath(new URL('../../slow-servers/07-blind-benchmark/server.js', import.meta.url))
// It ends when this process does.
const server = fork(file, { env: { ...process.env, PORT: '0' }, silent: true })
const [{ port }] = await once(server, 'message')
const byHand = `kill -STOP ${server.pid}; sleep 1; kill -CONT ${server.pid}`
const pause = process.platform === 'win32' ? `curl.exe http://127.0.0.1:${port}/pause` : byHand
console.log(`For ${seconds} s, a server is measured. Pause it once meanwhile, in another terminal:\n\n    ${pause}\n`)

const startedAt = performance.now()
const endsAt = startedAt + 1000 * seconds
const [closed, open] = await Promise.all([onKeptConnections(closedLoop), onKeptConnections(openLoop)])
server.disconnect()
show('A closed loop: one connection, which waits for its response before it sends again', closed)
show(`An open loop: ${rate} requests/s by the clock, each counted from the moment at which it was due`, open)

/** @param {http.Agent} agent @returns {Promise<number[]>} ms */
async function closedLoop (agent) {
  const latencies = []
  while (performance.now() < endsAt) latencies.push(await request(agent, performance.now()))
  return latencies
}

/** @param {http.Agent} agent @returns {Promise<number[]>} ms */
async function openLoop (agent) {
  /** @type {Promise<number>[]} */
  const underway = []
  for (let due = startedAt; due < endsAt; due += 1000 / rate) {
    await sleep(Math.max(0, due - performance.now()))
    underway.push(request(agent, due))
  }
  return Promise.all(underway)
}

/** @param {http.Agent} agent @param {number} due @returns {Promise<number>} ms since then */
function request (agent, due) {
  return new Promise((resolve, reject) => {
    http.get({ port, host: '127.0.0.1', path: '/work', agent }, (res) => {
      res.resume().on('end', () => resolve(performance.now() - due))
    }).on('error', reject)
  })
}

/** @param {string} title @param {number[]} latencies */
function show (title, latencies) {
  const ms = latencies.toSorted((a, b) => a - b)
  const at = (/** @type {number} */ part) => ms[Math.floor(part * (ms.length - 1))].toFixed(0)
  console.log(`${title}\n\n${histogram(ms, createTheme(capabilitiesOf(process.stdout))).join('\n')}\n`)
  console.log(`  ${ms.length} requests, median ${at(0.5)} ms, p99 ${at(0.99)} ms, longest ${at(1)} ms\n`)
}
