import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import http from 'node:http'
import path from 'node:path'
import test from 'node:test'
import { promisify } from 'node:util'
import { workshopRoot } from '../../runner/shared/workshop.js'

const run = promisify(execFile)
const script = path.join(workshopRoot, 'lessons', '12-overload', 'send.js')

/** @param {string[]} args @returns what a server saw, and what was printed */
async function sendTo (args) {
  const seen = { orders: 0, connections: 0 }
  const server = http.createServer((req, res) => {
    req.resume().on('end', () => {
      res.writeHead(seen.orders++ % 2 === 0 ? 201 : 503).end()
    })
  }).on('connection', () => { seen.connections++ })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(null)))
  try {
    const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
    const { stdout } = await run(process.execPath, [script, ...args], { env: { ...process.env, PORT: String(port) } })
    return { ...seen, stdout }
  } finally {
    server.close()
    server.closeAllConnections()
  }
}

test('npm run send sends as many orders as it was told, each on its own connection, and counts them', async () => {
  const { orders, connections, stdout } = await sendTo(['40', '0.5', 'new'])
  assert.deepEqual({ orders, connections }, { orders: 20, connections: 20 })
  assert.match(stdout, /^201: 10 orders, median \d+ ms, p99 \d+ ms, longest \d+ ms\n503: 10 orders, median /)
})

test('npm run send says what it needs', async () => {
  await assert.rejects(run(process.execPath, [script]), { code: 2, stderr: /^Say how many orders per second/ })
})
