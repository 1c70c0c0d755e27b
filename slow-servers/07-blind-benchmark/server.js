import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import path from 'node:path'

/**
 * A simulated machine with one worker. A job takes its time by the clock and no time of the processor, so how fast this
 * server is does not depend on the computer that it runs on. Like a real machine it has a queue, it is cold after its
 * start, it has good and bad minutes, and now and then one job takes much longer than the others.
 */

const { PORT = 3000, HOST = '127.0.0.1', DATA_DIR = '.' } = process.env

const machine = JSON.parse(readFileSync(path.join(DATA_DIR, 'machine.json'), 'utf8'))
const weatherMs = machine.weather.reduce((sum, { ms }) => sum + ms, 0)
const wallClock = Date.now() - performance.now()

let freeAt = 0
let jobs = 0
// What was started a while ago is warm, what was started just now is not. From outside you cannot tell.
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
  // The queue is kept in exact time. Timers are late; if the next job began when the last timer fired, every delay
  // would stay.
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
