import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import path from 'node:path'

/**
 * A simulated machine with one worker. A job takes wall-clock time but no processor time, so the speed of this server
 * doesn't depend on the computer that it runs on. Like a real machine, it has a queue, it's cold after its start, it
 * has good and bad minutes, and now and then one job takes much longer than the others.
 */

const { PORT = 3000, HOST = '127.0.0.1', DATA_DIR = '.' } = process.env

const machine = JSON.parse(readFileSync(path.join(DATA_DIR, 'machine.json'), 'utf8'))
const weatherMs = machine.weather.reduce((sum, { ms }) => sum + ms, 0)
const wallClock = Date.now() - performance.now()

let freeAt = 0
let jobs = 0
// A server that has run for a while is warm, a new one isn't. From outside you can't tell which it is.
let coldMs = Math.random() * machine.coldMs

/** How many times as long everything takes at this moment: a neighbour on the same hardware, a backup, a hot day. */
function weatherAt (now) {
  let rest = (wallClock + now) % weatherMs
  for (const { ms, factor } of machine.weather) {
    if (rest < ms) return factor
    rest -= ms
  }
  return 1
}

/** Puts a job at the end of the queue. @returns {number} when it will be done */
function queueJob (now) {
  // The queue keeps exact time. Timers fire late: if the next job began when the last timer fired, every delay would
  // add up.
  const startsAt = Math.max(now, freeAt)
  const scatter = Math.random() < machine.rare.share ? machine.rare.factor : 0.8 + 0.4 * Math.random()
  const warmingMs = Math.min(coldMs, machine.coldStepMs)
  coldMs -= warmingMs
  freeAt = startsAt + machine.serviceMs * weatherAt(startsAt) * scatter + warmingMs
  return freeAt
}

const server = createServer((req, res) => {
  const { pathname } = new URL(req.url, 'http://localhost')
  if (pathname === '/healthz') return send(res, 200, { status: 'ok' })
  if (pathname !== '/work') return send(res, 404, { error: 'not_found' })
  if (req.method !== 'GET') return send(res, 405, { error: 'method_not_allowed' })
  const now = performance.now()
  setTimeout(() => send(res, 200, { status: 'done', job: ++jobs }), Math.max(0, queueJob(now) - now))
})

function send (res, status, body) {
  const text = JSON.stringify(body)
  res.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(text)
  }).end(text)
}

server.listen(Number(PORT), HOST)
