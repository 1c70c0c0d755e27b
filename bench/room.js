import { spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import http from 'node:http'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { percent } from '../runner/shared/format.js'
import { quantile } from '../runner/judge/index.js'
import { cpuTime, makeTemporary, residentBytes, signalChild } from '../runner/process/index.js'
import { seatKey } from '../runner/shared/seat-and-room.js'
import { passed } from '../test/report/records.js'
import { aboutRun } from './about.js'

/**
 * A full room on one machine: so many seats that report every 10 s, each with its board open, and an instructor's page.
 * `npm run measure room -- --seats 500 --seconds 60`. Says how long it takes from sending a report to seeing it on a
 * board, and what memory and CPU time the room's server takes. Linux only (memory). Measure alone.
 */

const { values } = parseArgs({
  options: { seats: { type: 'string', default: '500' }, seconds: { type: 'string', default: '60' } }
})
const seats = Number(values.seats)
const seconds = Number(values.seconds)
const everyMs = 10_000
/** So many boards are read; the others are only drained, or reading them would be what is measured. */
const readBoards = 10

const root = fileURLToPath(new URL('..', import.meta.url))
const { dir, remove } = await makeTemporary()
// One core for the server alone: what asks has the others.
const isPinned = spawnSync('taskset', ['-c', '0', 'true'], { stdio: 'ignore' }).status === 0
const [command, ...args] = [...isPinned ? ['taskset', '-c', '0'] : [], process.execPath, 'runner/cli.js', 'class']
const room = ['--no-open', '--seats', String(seats), '--dir', path.join(dir, 'class')]
const child = spawn(command, [...args, ...room], {
  cwd: root,
  stdio: ['ignore', 'pipe', 'inherit']
})
const agent = new http.Agent({ keepAlive: true, maxSockets: 64 })
/** The board shows shares in hundredths of a per cent: so many reports can be told apart. */
const limit = 10_000
/** When a report was sent, by how its share is drawn; ms. @type {Map<string, number>} */
const sentAt = new Map()
/** @type {number[]} */
const toBoard = []
/** @type {number[]} */
const toAnswer = []
/** Each is better than the last one, and so at the top of the board. */
let newest = 0
let peakBytes = 0
let refused = 0
try {
  const { url, code, secret } = await addressOf()
  const tokens = []
  for (let at = 0; at < seats; at++) {
    // As files: the door would take minutes.
    const token = randomBytes(16).toString('base64url')
    const file = { format: 'make-it-fast-export', version: 1, key: seatKey(token), name: `Seat ${at}`, board: true }
    await ask('POST', new URL('api/class/import', url), { ...file, reports: [] }, secret)
    tokens.push(token)
  }
  for (let at = 0; at < seats; at++) {
    openStream(new URL(`api/rooms/${code}/events`, url), {}, at < readBoards ? createReader() : null)
  }
  openStream(new URL('api/class/events', url), { Authorization: `Bearer ${secret}` }, null)
  const watch = setInterval(() => { peakBytes = Math.max(peakBytes, residentBytes([child.pid ?? 0]) ?? 0) }, 250)
  // Until the last board is open.
  await sleep(2000)
  const cpuBefore = cpuTime([child.pid ?? 0])?.cpuMs ?? NaN
  const begunAt = Date.now()
  const endsAt = begunAt + seconds * 1000
  await Promise.all(tokens.map(async (token, at) => {
    await sleep(everyMs * at / seats)
    while (Date.now() < endsAt) {
      const next = Date.now() + everyMs
      await report(url, token)
      await sleep(Math.max(0, Math.min(next, endsAt) - Date.now()))
    }
  }))
  await sleep(1000)
  clearInterval(watch)
  const busy = ((cpuTime([child.pid ?? 0])?.cpuMs ?? NaN) - cpuBefore) / (Date.now() - begunAt)
  console.log(aboutRun())
  const cores = isPinned ? 'the server on one core' : 'no taskset here: the server on all cores'
  console.log(`${seats} seats and boards, ${cores}, ${seconds} s, ${toAnswer.length} reports, ${refused} refused\n`)
  console.log('| what | median | p99 | worst |\n|---|---|---|---|')
  for (const [what, list] of /** @type {const} */ ([
    ['report sent to 202 received', toAnswer],
    [`report sent to seen on a board (${readBoards} of them read)`, toBoard]
  ])) {
    const figures = [0.5, 0.99, 1].map((share) => list.length > 0 ? `${Math.round(quantile(list, share))} ms` : 'none')
    console.log(`| ${what} | ${figures.join(' | ')} |`)
  }
  console.log(`\nserver: ${Math.round(peakBytes / 1e6)} MB resident at most, ${percent(busy)} of one core`)
} finally {
  const ended = new Promise((resolve) => child.once('close', resolve))
  signalChild(child, 'SIGTERM')
  await ended
  agent.destroy()
  await remove()
}

/** @returns {(text: string) => void} of one or several events */
function createReader () {
  /** @type {Set<string>} */
  const seen = new Set()
  return (text) => {
    for (const [, share] of text.matchAll(/class=\\"at\\" x1=\\"([\d.]+)/g)) {
      const sent = sentAt.get(share)
      if (sent === undefined || seen.has(share)) continue
      seen.add(share)
      toBoard.push(performance.now() - sent)
    }
  }
}

/** @param {URL | string} url @param {string} token */
async function report (url, token) {
  const yours = ++newest
  const [gate] = passed().gates
  const tiers = ['bronze', 'silver'].map((name) => ({ name, target: 1.8, verdict: 'pass' }))
  const record = {
    ...passed(),
    lesson: { id: 'capstone', number: 16, title: 'Capstone' },
    gates: [{ ...gate, yours, limit, tiers }],
    startedAt: new Date().toISOString()
  }
  const begun = performance.now()
  sentAt.set((100 * yours / limit).toFixed(2), begun)
  const body = { id: `bench-${yours}-room`, sentAt: record.startedAt, record }
  const { status } = await ask('POST', new URL('api/seat/reports', url), body, token)
  if (status === 202) toAnswer.push(performance.now() - begun)
  else refused++
}

/** @returns {Promise<{ url: string, code: string, secret: string }>} */
async function addressOf () {
  let said = ''
  for await (const text of child.stdout.setEncoding('utf8')) {
    said += text
    const [, url, code] = /(http:\S+\/)(\S{9})\n/.exec(said) ?? []
    const [, secret] = /class#(\S+)\n/.exec(said) ?? []
    if (secret) return { url, code, secret }
  }
  throw new Error(`The room did not open: ${said}`)
}

/** @param {string} method @param {URL} url @param {unknown} body @param {string} [token] @returns {Promise<any>} */
function ask (method, url, body, token) {
  const text = JSON.stringify(body)
  const headers = { 'Content-Length': Buffer.byteLength(text), ...token ? { Authorization: `Bearer ${token}` } : {} }
  return new Promise((resolve, reject) => {
    const request = http.request(url, { method, headers, agent }, (res) => {
      let answer = ''
      res.setEncoding('utf8').on('data', (more) => { answer += more })
        .on('end', () => resolve({ status: res.statusCode, json: JSON.parse(answer) }))
    }).on('error', (error) => {
      // The room may close an idle connection just as it's used again.
      if (request.reusedSocket) resolve(ask(method, url, body, token))
      else reject(error)
    })
    request.end(text)
  })
}

/** @param {URL} url @param {Record<string, string>} headers @param {((text: string) => void) | null} onEvents */
function openStream (url, headers, onEvents) {
  http.get(url, { headers, agent: false }, (res) => {
    let rest = ''
    if (onEvents === null) return res.on('error', () => {}).resume()
    res.setEncoding('utf8').on('data', (text) => {
      rest += text
      const end = rest.lastIndexOf('\n\n')
      if (end < 0) return
      onEvents(rest.slice(0, end))
      rest = rest.slice(end)
    }).on('error', () => {})
  }).on('error', () => {})
}
